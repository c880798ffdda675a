import type { ButtonAction } from '@slack/bolt';
import type { Asked } from '../../../core/lookup.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { messageText } from '../../answer/message-text.ts';
import { modelOf } from '../../answer/result-model.ts';
import { capital, subjectOf } from '../../answer/wording.ts';
import { type Message, richText, smallPrint, words } from '../../block-kit/blocks.ts';
import { LIMITS, pieces, shorten } from '../../block-kit/limits.ts';
import { noticeModal } from '../../block-kit/modal.ts';
import { isRefused } from '../../delivery/slack-errors.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Feature } from '../../front/feature.ts';
import { listenToForm } from '../../front/form.ts';
import { withAnswers } from '../../front/reading.ts';
import { inForm, inWindow, type ResultUse } from '../../front/result-use.ts';
import { sendFile } from '../../front/send-file.ts';
import { CASE_TEXTS, type CaseText, caseFile, caseTextOf } from './text.ts';
import { CASE_FILE_ACTION, CASE_INPUT, CASE_SHOW_ACTION, CASE_VIEW, caseModal, isTooLong } from './window.ts';

const POSTING = 'Posting the text in the thread…';
const POSTED = 'The text is in the thread of the message.';
const UNSURE = 'Slack didn’t say whether it took the text: look in the thread before you post it again.';
const REFUSED = 'I can’t post in that thread. Copy the text, or invite me to the channel.';
const LONGEST_LINE = 300;

/** "Text for the case": a text to copy, or to post in the thread, edited or not; a long one comes as a file. */
export const caseText: Feature = {
  menu: [
    {
      value: 'case',
      label: () => 'Text for the case',
      may: 'read',
      choose: (use, context) => showText(use, 'all', context),
    },
  ],
  listen: (on, context) => {
    for (const which of CASE_TEXTS) {
      on.click<ButtonAction>(`${CASE_SHOW_ACTION}${which}`, { window: 'read' }, async (click) => {
        await click.ack();
        await showText(inWindow(click, context), which, context);
      });
    }
    on.click<ButtonAction>(CASE_FILE_ACTION, { window: 'post' }, async (click) => {
      await click.ack();
      const use = inWindow(click, context);
      const which = click.action.value === 'links' ? 'links' : 'all';
      await sendFile(use, fileOf(use, which), context);
    });
    listenToForm(on, CASE_VIEW, 'post', context, (submission) => {
      const use = inForm(submission, context);
      const [[block, values] = []] = Object.entries(submission.view.state.values);
      const text = values?.[CASE_INPUT]?.value ?? '';
      // A private message has no thread.
      if (use.opened.origin.messageTs === undefined || text.trim() === '') return { work: async () => {} };
      const which = block?.endsWith('links') === true ? 'links' : 'all';
      return { view: noticeModal(POSTING), work: () => post(use, text, which, context) };
    });
  },
};

/** Shows the text of what the message shows; what no field holds goes to the reader as a file. */
async function showText(use: ResultUse, which: CaseText, context: ListenerContext): Promise<void> {
  const { origin, state } = use.opened;
  let isFile = false;
  const draw = (answers: Answers) => {
    const text = caseTextOf(modelOf(state, answers), which);
    isFile = isTooLong(text);
    return caseModal({ text, which, canPost: origin.messageTs !== undefined });
  };
  await use.show(await withAnswers(state, context, draw, noticeModal));
  if (isFile) await sendFile(use, fileOf(use, which), context, 'direct message');
}

function fileOf({ opened: { state } }: ResultUse, which: CaseText) {
  return (answers: Answers) => caseFile(modelOf(state, answers), which);
}

/** Posts the text in the message's thread. If Slack refuses it, its window shows it again, as it was edited. */
async function post(use: ResultUse, text: string, which: CaseText, context: ListenerContext): Promise<void> {
  const { opened, user, show, tell } = use;
  const { channel, messageTs = '', threadTs = messageTs } = opened.origin;
  try {
    await context.poster.post({ channel, threadTs }, caseTextMessage(opened.state, text, user), 'final');
  } catch (error) {
    context.logger.warn({ err: error }, 'a text for the case could not be posted');
    const problem = isRefused(error) ? REFUSED : UNSURE;
    if (!(await show(caseModal({ text, which, canPost: true, problem })))) await tell(problem);
    return;
  }
  context.audit({ event: 'shared', user, channel, snapshot: opened.state.question.snapshotId });
  await show(noticeModal(POSTED));
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
