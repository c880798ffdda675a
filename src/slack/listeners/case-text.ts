import type { BlockAction, ButtonAction, types, webApi } from '@slack/bolt';
import { caseTextMessage } from '../answer/case-text-message.ts';
import { EXPORT_IS_IN_THREAD } from '../answer/export-notices.ts';
import { type MessageModal, readMessageModal } from '../block-kit/message-modal.ts';
import { isRefused } from '../delivery/slack-errors.ts';
import { caseLinks, caseText } from '../exports/case-text.ts';
import type { ListenerContext } from '../front/context.ts';
import { listenToForm, type Submission } from '../front/form.ts';
import type { Listeners } from '../front/listeners.ts';
import { drawn, type Interaction, showIn, tellUnder } from '../front/message-modal.ts';
import {
  CASE_FILE_ACTION,
  CASE_INPUT,
  CASE_SHOW_ACTION,
  CASE_TEXTS,
  CASE_VIEW,
  type CaseText,
  type CaseView,
  caseModal,
  isTooLong,
} from '../views/case-modal.ts';
import { noticeModal } from '../views/details-modal.ts';
import { exportResult } from './export.ts';

type ModalClick = Pick<BlockAction, 'user' | 'trigger_id' | 'view'>;

const SHOWN = new RegExp(`^${CASE_SHOW_ACTION}`);
const POSTING = 'Posting the text in the thread…';
const POSTED = 'The text is in the thread of the message.';
const UNSURE = 'Slack didn’t say whether it took the text: look in the thread before you post it again.';
const REFUSED = 'I can’t post in that thread. Copy the text, or invite me to the channel.';

/** "Text for the case": the modal's choices, its file, and posting the text that the person may have edited. */
export function listenToCaseTexts(on: Listeners, context: ListenerContext): void {
  on.click<ButtonAction>(SHOWN, { window: 'read' }, async ({ ack, action, body, client }) => {
    await ack();
    const which = whichOf(action.action_id.slice(CASE_SHOW_ACTION.length));
    await showCaseText(body, client, which, context);
  });
  on.click<ButtonAction>(CASE_FILE_ACTION, { window: 'post' }, async ({ ack, action, body, client }) => {
    await ack();
    const opened = readMessageModal(body.view);
    const interaction = interactionIn(body, opened, client, context);
    if (await exportResult(interaction, opened.state, fileOf(whichOf(action.value)), context)) {
      await interaction.tell(EXPORT_IS_IN_THREAD);
    }
  });
  listenToForm(on, CASE_VIEW, 'post', context, (submission) => {
    const opened = readMessageModal(submission.view);
    const [[block, values] = []] = Object.entries(submission.view.state.values);
    const text = values?.[CASE_INPUT]?.value ?? '';
    // A private message has no thread.
    if (opened.origin.messageTs === undefined || text.trim() === '') return { work: async () => {} };
    const which = block?.endsWith('links') === true ? 'links' : 'all';
    return { view: noticeModal(POSTING), work: () => post(submission, opened, { text, which }, context) };
  });
}

/** Shows the text of what the message shows in its modal; what no field holds goes to the reader as a file. */
export async function showCaseText(
  body: ModalClick,
  client: webApi.WebClient,
  which: CaseText,
  context: ListenerContext,
): Promise<void> {
  const opened = readMessageModal(body.view);
  let isFile = false;
  const view = await drawn(opened, context, (model) => {
    const text = which === 'links' ? caseLinks(model) : caseText(model);
    isFile = isTooLong(text);
    return caseModal({ text, which, canPost: opened.origin.messageTs !== undefined });
  });
  await showIn(client, body.view?.id, opened, view, context);
  if (!isFile) return;
  await exportResult(
    interactionIn(body, opened, client, context),
    opened.state,
    fileOf(which),
    context,
    'direct message',
  );
}

/** What somebody does in a modal of a message. */
function interactionIn(
  { user, trigger_id: triggerId, view }: ModalClick,
  opened: MessageModal,
  client: webApi.WebClient,
  context: ListenerContext,
): Interaction {
  const tell = (text: string) => showIn(client, view?.id, opened, noticeModal(text), context);
  return { origin: opened.origin, user: user.id, triggerId, tell };
}

function fileOf(which: CaseText): 'case' | 'links' {
  return which === 'links' ? 'links' : 'case';
}

function whichOf(text: string | undefined): CaseText {
  return CASE_TEXTS.find((known) => known === text) ?? 'all';
}

/** Posts the text in the message's thread. If Slack refuses it, its window shows it again, as it was edited. */
async function post(
  { view, body, client }: Submission,
  opened: MessageModal,
  { text, which }: Pick<CaseView, 'text' | 'which'>,
  context: ListenerContext,
): Promise<void> {
  const { origin, state } = opened;
  const { channel, messageTs, threadTs = messageTs ?? '' } = origin;
  const user = body.user.id;
  const show = (shown: types.ModalView) => showIn(client, view.id, opened, shown, context);
  try {
    await context.poster.post({ channel, threadTs }, caseTextMessage(state, text, user), 'final');
  } catch (error) {
    context.logger.warn({ err: error }, 'a text for the case could not be posted');
    const problem = isRefused(error) ? REFUSED : UNSURE;
    if (await show(caseModal({ text, which, canPost: true, problem }))) return;
    return tellUnder(opened, user, { text: problem }, context);
  }
  context.audit({ event: 'shared', user, channel, snapshot: state.question.snapshotId });
  await show(noticeModal(POSTED));
}
