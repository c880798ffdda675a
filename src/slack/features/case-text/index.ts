import type { types } from '@slack/bolt';
import { questionsOf } from '../../../core/lookup.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { plain, richText, words } from '../../blocks/blocks.ts';
import { LIMITS } from '../../blocks/limits.ts';
import { input, modal, noticeModal } from '../../blocks/modal.ts';
import type { Feature } from '../../front/feature.ts';
import type { Interaction } from '../../front/interaction.ts';
import { withAnswers } from '../../front/reading.ts';
import { sendFile } from '../../front/send-file.ts';
import { CASE_PARTS, type CasePart, caseTextOf, hasParts } from './text.ts';

const CASE_VIEW = 'case-text';
/** Chooses what the text lists. */
const CASE_SHOW_ACTION = 'case-show';

const PARTS: Readonly<Record<CasePart, string>> = { grave: 'Critical and high', all: 'All' };
const TOO_LONG =
  'This text is longer than a Slack form holds. I’m sending it to you as a .txt file in a direct message.';

/** "Text for the case": a text to copy; what is longer than a field holds comes as a file. */
export const caseText: Feature = {
  menu: [{ value: 'case', choose: (press) => showText(press) }],
  listen: (on) => {
    on.click(CASE_SHOW_ACTION, { window: 'read' }, (press) =>
      showText(press, press.value === 'grave' ? 'grave' : 'all'),
    );
    // Slack wants a form to be submitted: this one only closes.
    on.form(CASE_VIEW, 'read', () => ({ work: async () => {} }));
  },
};

/** Shows the text of what the message is about; what no field holds goes to the reader as a file. */
async function showText(press: Interaction, chosen?: CasePart): Promise<void> {
  const { state, context } = press;
  let text = '';
  const draw = async (answers: Answers) => {
    const hasChoice = hasParts(state, answers);
    const part = chosen ?? (hasChoice ? 'grave' : 'all');
    text = await caseTextOf(state, answers, part);
    return caseModal(part, text, hasChoice);
  };
  await press.show(await withAnswers(state, context, draw, noticeModal));
  if (!isTooLong(text)) return;
  const ids = questionsOf(state).map(({ snapshotId }) => snapshotId);
  const name = `case-${state.question.snapshotId}.txt`;
  const comment = `Text for the case of ${ids.length === 1 ? 'snapshot' : 'snapshots'} ${ids.join(', ')}`;
  await sendFile(press, { file: { name, title: name, content: text }, comment }, 'direct message');
}

function caseModal(part: CasePart, text: string, hasChoice: boolean): types.ModalView {
  const frame = { title: 'Text for the case', callbackId: CASE_VIEW };
  const choice = hasChoice ? [partChoice(part)] : [];
  if (isTooLong(text)) return modal(frame, [...choice, richText([words(TOO_LONG)])]);
  const element: types.PlainTextInput = {
    type: 'plain_text_input',
    multiline: true,
    initial_value: text,
    max_length: LIMITS.inputText,
  };
  // Slack shows the text of another part only in another block.
  const place = { block: `${CASE_VIEW}-${part}`, hint: 'Copy it from here.' };
  return modal({ ...frame, submit: 'Done' }, [...choice, input(CASE_VIEW, 'Text', element, place)]);
}

function partChoice(part: CasePart): types.ActionsBlock {
  const option = (value: CasePart) => ({ text: plain(PARTS[value]), value });
  const options = CASE_PARTS.map(option);
  return {
    type: 'actions',
    elements: [{ type: 'radio_buttons', action_id: CASE_SHOW_ACTION, options, initial_option: option(part) }],
  };
}

function isTooLong(text: string): boolean {
  return text.length > LIMITS.inputText;
}
