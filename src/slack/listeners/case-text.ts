import type { App, BlockAction, ButtonAction, types, ViewSubmitAction } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import { type MessageModal, readMessageModal } from '../block-kit/message-modal.ts';
import { caseLinks, caseText } from '../exports/case-text.ts';
import { caseTextMessage } from '../messages/case-text-message.ts';
import { EXPORT_IS_IN_THREAD } from '../messages/export-notices.ts';
import type { ResultModel } from '../messages/model/result-model.ts';
import {
  CASE_FILE_ACTION,
  CASE_INPUT,
  CASE_SHOW_ACTION,
  CASE_TEXTS,
  CASE_VIEW,
  type CaseText,
  caseModal,
} from '../views/case-modal.ts';
import { noticeModal } from '../views/details-modal.ts';
import { isFirst, type ListenerContext } from './context.ts';
import { exportResult } from './export.ts';
import { type Act, drawn, showIn } from './message-modal.ts';

const SHOWN = new RegExp(`^${CASE_SHOW_ACTION}`);
const REFUSED = 'I can’t post in that thread. Copy the text, or invite me to the channel.';

/** "Text for the case": the modal's choices, its file, and posting the text that the person may have edited. */
export function listenToCaseTexts(app: App, context: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>(SHOWN, async ({ ack, action, body, client }) => {
    await ack();
    const opened = readMessageModal(body.view);
    const which = whichOf(action.action_id.slice(CASE_SHOW_ACTION.length));
    const view = await drawn(opened, context, (model) => caseModalOf(model, opened, which));
    await showIn(client, body.view?.id, opened, view);
  });
  app.action<BlockAction<ButtonAction>>(CASE_FILE_ACTION, async ({ ack, action, body, client }) => {
    await ack();
    const opened = readMessageModal(body.view);
    const tell = (text: string) => showIn(client, body.view?.id, opened, noticeModal(text));
    const act: Act = { origin: opened.origin, user: body.user.id, triggerId: body.trigger_id, tell };
    const choice = whichOf(action.value) === 'links' ? 'links' : 'case';
    if (await exportResult(act, opened.state, choice, context)) await tell(EXPORT_IS_IN_THREAD);
  });
  app.view<ViewSubmitAction>(CASE_VIEW, async ({ ack, view, body }) => {
    const problem = await post(view, body.user.id, body.trigger_id, context);
    const [block = CASE_INPUT] = Object.keys(view.state.values);
    await (problem === undefined ? ack() : ack({ response_action: 'errors', errors: { [block]: problem } }));
  });
}

/** The modal with the text of what the message shows. */
export function caseModalOf(
  model: ResultModel,
  { origin }: MessageModal,
  which: CaseText = 'all',
): types.ModalView {
  const text = which === 'links' ? caseLinks(model) : caseText(model);
  return caseModal({ text, which, canPost: origin.messageTs !== undefined });
}

function whichOf(text: string | undefined): CaseText {
  return CASE_TEXTS.find((known) => known === text) ?? 'all';
}

/** Posts the text in the message's thread, once; gives what went wrong. A private message has no thread. */
async function post(
  view: ViewSubmitAction['view'],
  user: string,
  triggerId: string,
  context: ListenerContext,
): Promise<string | undefined> {
  const { origin, state } = readMessageModal(view);
  const { channel, messageTs, threadTs = messageTs } = origin;
  const typed = Object.values(view.state.values)[0]?.[CASE_INPUT]?.value ?? '';
  if (messageTs === undefined || threadTs === undefined || typed.trim() === '') return undefined;
  try {
    if (!(await isFirst(context, triggerId))) return undefined;
    await context.poster.post({ channel, threadTs }, caseTextMessage(state, typed, user), 'final');
    context.audit({ event: 'shared', user, channel, snapshot: state.question.snapshotId });
    return undefined;
  } catch (error) {
    context.logger.warn({ err: error }, 'a text for the case could not be posted');
    return isFault(error) ? 'The bot can’t reach its own storage right now. Try again in a minute.' : REFUSED;
  }
}
