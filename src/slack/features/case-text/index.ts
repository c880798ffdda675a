import type { types } from '@slack/bolt';
import type { Asked } from '../../../core/lookup.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { messageText } from '../../answer/fitting.ts';
import { modelOf } from '../../answer/result-model.ts';
import { capital, count, subjectOf } from '../../answer/wording.ts';
import type { Message } from '../../blocks/blocks.ts';
import { actions, button, richText, select, smallPrint, words } from '../../blocks/blocks.ts';
import { LIMITS, pieces, shorten } from '../../blocks/limits.ts';
import { input, modal, noticeModal } from '../../blocks/modal.ts';
import type { Feature } from '../../front/feature.ts';
import { withAnswers } from '../../front/reading.ts';
import { sendFile } from '../../front/send-file.ts';
import type { Use } from '../../front/use.ts';
import type { CasePart, CaseText } from './text.ts';
import { CASE_PARTS, caseFile, caseTexts, chosenText, isTooLong } from './text.ts';

const CASE_VIEW = 'case-text';
/** The id of the input's element; its block has another id for each text, so that Slack shows the new one. */
const CASE_INPUT = 'case-text';
const CASE_FILE_ACTION = 'case-file';
/** Chooses what the text is about. */
const CASE_SHOW_ACTION = 'case-show';

type CaseView = {
  readonly part: CasePart;
  readonly text: string;
  /** What else it can be about; none where that is not known. */
  readonly choices: readonly CaseText[];
  /** Whether the message has a thread to post in; a private one has none. */
  readonly canPost: boolean;
  /** Why it could not be posted. */
  readonly problem?: string;
};

/** A text to copy, to change first, or to post in the thread; what is longer than a field holds comes as a file. */
export function caseModal({ part, text, choices, canPost, problem }: CaseView): types.ModalView {
  const frame = { title: 'Text for the case', callbackId: CASE_VIEW };
  const choice = choices.length < 2 ? [] : [actions([partSelect(choices, part)])];
  const post = button('Post in thread', CASE_FILE_ACTION, part, 'Post in thread: the file');
  if (isTooLong(text))
    return modal(frame, [...choice, richText([words(tooLong(text))]), ...(canPost ? [actions([post])] : [])]);
  return modal({ ...frame, submit: canPost ? 'Post in thread' : 'Done' }, [
    ...(problem === undefined ? [] : [richText([words(problem)])]),
    ...choice,
    input(
      CASE_INPUT,
      'Text',
      { type: 'plain_text_input', multiline: true, initial_value: text, max_length: LIMITS.inputText },
      { block: `${CASE_INPUT}-${part}`, hint: 'Edit it as you like, then copy it.' },
    ),
  ]);
}

function partSelect(choices: readonly CaseText[], part: CasePart): types.StaticSelect {
  const named = choices.map(({ part: value, label, text }) => ({
    label: isTooLong(text) ? `${label}, as a file` : label,
    value,
  }));
  const label = named.find(({ value }) => value === part)?.label ?? '';
  return select(label, CASE_SHOW_ACTION, [{ name: 'What the text lists', choices: named }]);
}

function tooLong(text: string): string {
  return (
    `This text has ${count(text.length)} characters, more than the ${count(LIMITS.inputText)} that a Slack form holds. ` +
    'I’m sending it to you as a .txt file in a direct message.'
  );
}

const POSTING = 'Posting the text in the thread…';
const POSTED = 'The text is in the thread of the message.';
const UNSURE = 'Slack didn’t say whether it took the text: look in the thread before you post it again.';
/** Why a text was not posted, for whoever wanted that. */
export const REFUSED = 'I can’t post in that thread. Copy the text, or invite me to the channel.';
const LONGEST_LINE = 300;

/** "Text for the case": a text to copy, or to post in the thread, edited or not; a long one comes as a file. */
export const caseText: Feature = {
  menu: [{ value: 'case', may: 'read', choose: (use) => showText(use, undefined) }],
  listen: (on) => {
    on.click(CASE_SHOW_ACTION, { window: 'read' }, (use) => showText(use, partIn(use.value)));
    on.click(CASE_FILE_ACTION, { window: 'post' }, (use) => sendText(use, partIn(use.value), 'thread'));
    on.form(CASE_VIEW, 'post', (use) => {
      const { block, value: text } = use.field(CASE_INPUT);
      // A private message has no thread.
      if (use.origin.messageTs === undefined || text.trim() === '') return { work: async () => {} };
      const part = partIn(block.slice(CASE_INPUT.length + 1));
      return { view: noticeModal(POSTING), work: () => post(use, text, part) };
    });
  },
};

function partIn(value: string): CasePart {
  return CASE_PARTS.find((part) => part === value) ?? 'all';
}

/** Shows the text of what the message shows; what no field holds goes to the reader as a file. */
async function showText(use: Use, part: CasePart | undefined): Promise<void> {
  const { origin, state } = use;
  let asFile: CasePart | undefined;
  const draw = async (answers: Answers) => {
    const choices = await caseTexts(modelOf(state, answers));
    const { text = '', part: shown = 'all' } = chosenText(choices, part) ?? {};
    asFile = isTooLong(text) ? shown : undefined;
    return caseModal({ part: shown, text, choices, canPost: origin.messageTs !== undefined });
  };
  await use.show(await withAnswers(state, use.context, draw, noticeModal, 'whole'));
  if (asFile !== undefined) await sendText(use, asFile, 'direct message');
}

function sendText(use: Use, part: CasePart, to: 'thread' | 'direct message'): Promise<void> {
  return sendFile(use, (answers) => caseFile(modelOf(use.state, answers), part), to);
}

/** Posts the text in the message's thread. If Slack refuses it, its window shows it again, as it was edited. */
async function post(use: Use, text: string, part: CasePart): Promise<void> {
  const { state, user, show, tell } = use;
  const outcome = await use.postInThread(caseTextMessage(state, text, user));
  if (outcome === 'done') {
    use.audit('shared', state);
    await show(noticeModal(POSTED));
    return;
  }
  const problem = outcome === 'refused' ? REFUSED : UNSURE;
  if (!(await show(caseModal({ part, text, choices: [], canPost: true, problem })))) await tell(problem);
}

/** A text that somebody posts in the thread of the result. That person may have edited it, so it is plain text. */
export function caseTextMessage(asked: Asked, text: string, postedBy: string): Message {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => shorten(line, LONGEST_LINE));
  const title = `${capital(subjectOf(asked))}: text for the case`;
  return {
    text: messageText([title], lines),
    blocks: [
      ...pieces(text, LIMITS.textElement).map((piece) => richText([words(piece)])),
      smallPrint(`text for the case · posted by <@${postedBy}>`),
    ],
  };
}
