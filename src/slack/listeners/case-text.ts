import type { App, BlockAction, ButtonAction, ViewSubmitAction, webApi } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import { type MessageModal, readMessageModal } from '../block-kit/message-modal.ts';
import { caseLinks, caseText } from '../exports/case-text.ts';
import { caseTextMessage } from '../messages/case-text-message.ts';
import { EXPORT_IS_IN_THREAD } from '../messages/export-notices.ts';
import {
  CASE_FILE_ACTION,
  CASE_INPUT,
  CASE_SHOW_ACTION,
  CASE_TEXTS,
  CASE_VIEW,
  type CaseText,
  caseModal,
  isTooLong,
} from '../views/case-modal.ts';
import { noticeModal } from '../views/details-modal.ts';
import { isFirst, type ListenerContext } from './context.ts';
import { exportResult } from './export.ts';
import { drawn, type Interaction, showIn } from './message-modal.ts';

type ModalClick = Pick<BlockAction, 'user' | 'trigger_id' | 'view'>;

const SHOWN = new RegExp(`^${CASE_SHOW_ACTION}`);
const REFUSED = 'I can’t post in that thread. Copy the text, or invite me to the channel.';

/** "Text for the case": the modal's choices, its file, and posting the text that the person may have edited. */
export function listenToCaseTexts(app: App, context: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>(SHOWN, async ({ ack, action, body, client }) => {
    await ack();
    const which = whichOf(action.action_id.slice(CASE_SHOW_ACTION.length));
    await showCaseText(body, client, which, context);
  });
  app.action<BlockAction<ButtonAction>>(CASE_FILE_ACTION, async ({ ack, action, body, client }) => {
    await ack();
    const opened = readMessageModal(body.view);
    const interaction = interactionIn(body, opened, client);
    if (await exportResult(interaction, opened.state, fileOf(whichOf(action.value)), context)) {
      await interaction.tell(EXPORT_IS_IN_THREAD);
    }
  });
  app.view<ViewSubmitAction>(CASE_VIEW, async ({ ack, view, body }) => {
    const problem = await post(view, body.user.id, body.trigger_id, context);
    const [block = CASE_INPUT] = Object.keys(view.state.values);
    await (problem === undefined ? ack() : ack({ response_action: 'errors', errors: { [block]: problem } }));
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
  await showIn(client, body.view?.id, opened, view);
  if (!isFile) return;
  await exportResult(
    interactionIn(body, opened, client),
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
): Interaction {
  const tell = (text: string) => showIn(client, view?.id, opened, noticeModal(text));
  return { origin: opened.origin, user: user.id, triggerId, tell };
}

function fileOf(which: CaseText): 'case' | 'links' {
  return which === 'links' ? 'links' : 'case';
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
