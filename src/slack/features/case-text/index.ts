import type { types } from '@slack/bolt';
import { type Asked, questionsOf } from '../../../core/lookup.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { type Message, plain, richText, smallPrint, words } from '../../blocks/blocks.ts';
import { inert, LIMITS, pieces, shorten } from '../../blocks/limits.ts';
import { input, modal, noticeModal } from '../../blocks/modal.ts';
import type { Feature } from '../../front/feature.ts';
import type { Interaction } from '../../front/interaction.ts';
import { withAnswers } from '../../front/reading.ts';
import { sendFile } from '../../front/send-file.ts';
import { CASE_PARTS, type CasePart, caseTextOf, hasParts } from './text.ts';

const CASE_VIEW = 'case-text';
/** The id of the input's element; its block has another id for each text, so that Slack shows the new one. */
const CASE_INPUT = 'case-text';
/** Chooses what the text lists. */
const CASE_SHOW_ACTION = 'case-show';

const PARTS: Readonly<Record<CasePart, string>> = { grave: 'Critical and high', all: 'All' };
const TOO_LONG =
  'This text is longer than a Slack form holds. I’m sending it to you as a .txt file in a direct message.';
const POSTING = 'Posting the text in the thread…';
const POSTED = 'The text is in the thread of the message.';
const UNSURE = 'Slack didn’t say whether it took the text: look in the thread before you post it again.';
/** Why a text was not posted, for the person who wanted that. */
const REFUSED = 'I can’t post in that thread. Copy the text, or invite me to the channel.';

type CaseView = {
  readonly part: CasePart;
  readonly text: string;
  readonly hasChoice: boolean;
  /** Whether the message has a thread to post in; a private one has none. */
  readonly canPost: boolean;
  /** Why it could not be posted. */
  readonly problem?: string;
};

/** A text to copy, to change first, or to post in the thread; what is longer than a field holds comes as a file. */
function caseModal({ part, text, hasChoice, canPost, problem }: CaseView): types.ModalView {
  const frame = { title: 'Text for the case', callbackId: CASE_VIEW };
  const choice = hasChoice ? [partChoice(part)] : [];
  if (isTooLong(text)) return modal(frame, [...choice, richText([words(TOO_LONG)])]);
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

/** "Text for the case": a text to copy, or to post in the thread, edited or not; a long one comes as a file. */
export const caseText: Feature = {
  menu: [{ value: 'case', choose: (press) => showText(press) }],
  listen: (on) => {
    on.click(CASE_SHOW_ACTION, { window: 'read' }, (press) => showText(press, partIn(press.value)));
    on.form(CASE_VIEW, 'post', (press) => {
      const { block, value: text } = press.field(CASE_INPUT);
      // A private message has no thread.
      if (press.origin.messageTs === undefined || text.trim() === '') return { work: async () => {} };
      const part = partIn(block.slice(CASE_INPUT.length + 1));
      return { view: noticeModal(POSTING), work: () => post(press, text, part) };
    });
  },
};

function partIn(value: string): CasePart {
  return value === 'grave' ? 'grave' : 'all';
}

/** Shows the text of what the message is about; what no field holds goes to the reader as a file. */
async function showText(press: Interaction, chosen?: CasePart): Promise<void> {
  const { origin, state } = press;
  let file: string | undefined;
  const draw = async (answers: Answers) => {
    const hasChoice = hasParts(state, answers);
    const part = chosen ?? (hasChoice ? 'grave' : 'all');
    const text = await caseTextOf(state, answers, part);
    file = isTooLong(text) ? text : undefined;
    return caseModal({ part, text, hasChoice, canPost: origin.messageTs !== undefined });
  };
  await press.show(await withAnswers(state, press.context, draw, noticeModal, 'whole'));
  if (file === undefined) return;
  const [content, name] = [file, `case-${state.question.snapshotId}.txt`];
  await sendFile(
    press,
    () => ({ file: { name, title: name, content }, comment: titleOf(state) }),
    'direct message',
  );
}

function titleOf(asked: Asked): string {
  return `Text for the case of ${questionsOf(asked).length === 1 ? 'snapshot' : 'snapshots'} ${questionsOf(
    asked,
  )
    .map(({ snapshotId }) => snapshotId)
    .join(', ')}`;
}

/** Posts the text in the message's thread. If Slack refuses it, its window shows it again, as it was edited. */
async function post(press: Interaction, text: string, part: CasePart): Promise<void> {
  const { state, user, show, tell } = press;
  const outcome = await press.postInThread(caseTextMessage(state, text, user));
  if (outcome === 'done') {
    press.audit('shared', state);
    await show(noticeModal(POSTED));
    return;
  }
  const problem = outcome === 'refused' ? REFUSED : UNSURE;
  if (!(await show(caseModal({ part, text, hasChoice: false, canPost: true, problem })))) await tell(problem);
}

/** A text that somebody posts in the thread of the result. That person may have edited it, so it is plain text. */
function caseTextMessage(asked: Asked, text: string, postedBy: string): Message {
  return {
    text: inert(`${titleOf(asked)}\n${shorten(text, LIMITS.briefText)}`),
    blocks: [
      ...pieces(text, LIMITS.textElement).map((piece) => richText([words(piece)])),
      smallPrint(`text for the case · posted by <@${postedBy}>`),
    ],
  };
}
