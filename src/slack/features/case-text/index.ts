import type { types } from '@slack/bolt';
import { levelOf } from '../../../core/importance.ts';
import { type Asked, questionsOf } from '../../../core/lookup.ts';
import { oneLine } from '../../../core/texts.ts';
import { mapInTurns, utcText } from '../../../core/time.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import * as ui from '../../blocks/blocks.ts';
import { LIMITS, shorten } from '../../blocks/limits.ts';
import { input, modal, noticeModal, radios } from '../../blocks/modal.ts';
import type { Interaction } from '../../front/interaction.ts';
import type { Feature } from '../../front/listeners.ts';
import { sendFile } from '../../front/send-file.ts';
import { withAnswers } from '../../front/windows.ts';
import { acceptedWords, exploitedWords } from '../../report/hit.ts';
import { isGrave, levelWord } from '../../report/levels.ts';
import { resultSummary } from '../../report/message-for.ts';
import { deviceLine } from '../../report/report.ts';
import { everyHit, type FileRow } from '../../report/rows.ts';
import { joined, titleOf } from '../../report/words.ts';

const CASE_VIEW = 'case-text';
const CASE_SHOW_ACTION = 'case-show';

const PARTS = { grave: 'Critical and high', all: 'All' };
type Part = keyof typeof PARTS;

const TOO_LONG =
  'This text is longer than a Slack form holds. I’m sending it to you as a .txt file in a direct message.';
const EVIDENCE_LINES = 3;
const LONGEST_LINE = 200;
const LONGEST_SUMMARY = 400;

/** “Text for the case”: a text to copy from a form, or a file if it is too long for the form. */
export const caseText: Feature = {
  menu: [{ value: 'case', choose: (press) => showText(press, 'grave') }],
  listen: (on) => {
    on.click(CASE_SHOW_ACTION, 'read', (press) => showText(press, press.value === 'grave' ? 'grave' : 'all'));
    // Slack requires a submit button in a form; here it only closes the form.
    on.form(CASE_VIEW, 'read', () => ({ work: async () => {} }));
  },
};

/** Shows the text in a form; sends it as a file if it is too long for the form. */
async function showText(press: Interaction, chosen: Part): Promise<void> {
  const { state } = press;
  let text = '';
  const draw = async (answers: Answers) => {
    const all = everyHit(state, answers);
    const grave = all.filter(({ hit }) => hit.match === 'hit' && isGrave(hit));
    const hasChoice = grave.length > 0 && grave.length < all.length;
    const part = hasChoice ? chosen : 'all';
    const listed = part === 'all' ? all : grave;
    const what = part === 'all' ? '' : 'critical and high: ';
    const size = listed.length > 0 && `Listed here: ${what}${listed.length} of ${all.length}.`;
    const read = joined(' ', size, `Read ${utcText(answers.readAt)}.`);
    const hits = await mapInTurns(listed, (row, at) => hitText(row, at + 1, state));
    const result = resultSummary(state, answers);
    text = `${[...headOf(state, answers), result, read, ...hits].join('\n')}\n`;
    return caseModal(part, text, hasChoice);
  };
  await press.show(await withAnswers(press, state, draw, noticeModal));
  if (text.length <= LIMITS.inputText) return;
  const name = `case-${state.question.snapshotId}.txt`;
  const comment = `Text for the case of ${titleOf(state).toLowerCase()}`;
  await sendFile(press, { name, content: text, comment }, 'direct message');
}

function caseModal(part: Part, text: string, hasChoice: boolean): types.ModalView {
  const frame = { title: 'Text for the case', callbackId: CASE_VIEW };
  const choice = hasChoice ? [ui.actions([{ ...radios(PARTS, part), action_id: CASE_SHOW_ACTION }])] : [];
  if (text.length > LIMITS.inputText) return modal(frame, [...choice, ui.line(TOO_LONG)]);
  const element: types.PlainTextInput = {
    type: 'plain_text_input',
    multiline: true,
    initial_value: text,
    max_length: LIMITS.inputText,
  };
  // Slack keeps the old text of an input unless its block has another id.
  const place = { block: `${CASE_VIEW}-${part}`, hint: 'Copy it from here.' };
  return modal({ ...frame, submit: 'Done' }, [...choice, input(CASE_VIEW, 'Text', element, place)]);
}

/** One line for each snapshot: its device, release and checksum. */
function headOf(view: Asked, { result, before, units }: Answers): string[] {
  const results =
    units?.map((unit) => (unit.kind === 'ready' ? unit.result : undefined)) ??
    (before ? [before.result, result] : [result]);
  return questionsOf(view).map((question, at) => {
    const one = results[at];
    if (one === undefined) return `${titleOf({ question })}: no result`;
    return oneLine(`${titleOf({ question }, one)}: ${joined(' · ', deviceLine(one), one.sha1)}`);
  });
}

/** A hit with its summary and the first lines of its evidence, as plain text. */
function hitText({ question, hit, accepted, change, was }: FileRow, at: number, view: Asked): string {
  const of = view.others === undefined ? '' : `, snapshot ${question.snapshotId}`;
  const isRated = was !== undefined && levelOf(was).key !== levelOf(hit).key;
  const became = change ? `, ${change}${isRated ? ` (was ${levelWord(levelOf(was))})` : ''}` : '';
  const fixed = hit.fixedIn.length > 0 && `fixed in ${hit.fixedIn.join(', ')}`;
  const evidence = hit.output.flatMap((block) => block.split('\n')).filter((line) => line.trim() !== '');
  const lines = [
    shorten(oneLine(hit.summary), LONGEST_SUMMARY),
    oneLine(hit.action) && `Action: ${shorten(oneLine(hit.action), LONGEST_SUMMARY)}`,
    accepted && ui.plainOf([acceptedWords(accepted)]),
    oneLine(joined(' · ', hit.name, exploitedWords(hit), ...hit.cveIds, fixed)),
    ...hit.solutions.slice(0, 1).map(({ url }) => oneLine(url)),
    ...evidence.slice(0, EVIDENCE_LINES).map((line) => `| ${shorten(line, LONGEST_LINE)}`),
    evidence.length > EVIDENCE_LINES && `| and ${evidence.length - EVIDENCE_LINES} more lines`,
  ];
  const rated = joined(', ', levelOf(hit).word, hit.isMatchUnstated && 'match not stated');
  const level = hit.match === 'miss' ? 'Passed' : rated;
  const title = `\n${at}. ${level}${became}${of}: ${oneLine(hit.title || hit.name)}`;
  return [title, ...lines.filter(Boolean).map((line) => `   ${line}`)].join('\n');
}
