import type { AllMiddlewareArgs, types, webApi } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import { showValue, type ViewState } from '../block-kit/action-values.ts';
import { type MessageModal, messageModalValue } from '../block-kit/message-modal.ts';
import type { Origin } from '../block-kit/origin-values.ts';
import { responseUrl } from '../delivery/response-url.ts';
import { clickFaultNotice, processingNotice } from '../messages/fault-message.ts';
import { modelOf, type ResultModel } from '../messages/model/result-model.ts';
import { withShow } from '../messages/private-message.ts';
import { viewMessage } from '../messages/view-message.ts';
import { noticeModal } from '../views/details-modal.ts';
import { type Click, originOf, tellClicker } from './click.ts';
import type { ListenerContext } from './context.ts';
import { owned } from './owned.ts';
import { readAnswers } from './reading.ts';
import { updateView } from './update-view.ts';

/** What somebody does with a result, on its message or in a modal of it. */
export type Interaction = {
  readonly origin: Origin;
  readonly user: string;
  readonly triggerId: string;
  /** Says something to this person alone. */
  readonly tell: (text: string) => Promise<void>;
};

/** The interaction of a click on the message itself. */
export function interactionOf(click: Click): Interaction {
  const { user, trigger_id: triggerId } = click.body;
  return { origin: originOf(click), user: user.id, triggerId, tell: (text) => tellClicker(click, text) };
}

/** The metadata of a modal of the clicked message. */
export function messageModalOf({ body }: Click, state: ViewState, now: number): MessageModal {
  const { url, expiresAt } = responseUrl(body.response_url, true, now);
  const isPrivate = body.container.is_ephemeral === true;
  return { origin: originOf({ body }), state, response: { url, expiresAt }, isPrivate };
}

/** Opens a modal for the clicked message; gives its id. */
export async function openOver(
  click: Click & Pick<AllMiddlewareArgs, 'client'>,
  modal: MessageModal,
  view: types.ModalView,
): Promise<string | undefined> {
  const withMetadata = { ...view, private_metadata: messageModalValue(modal) };
  const opened = await click.client.views.open({ trigger_id: click.body.trigger_id, view: withMetadata });
  return opened.view?.id;
}

/** Tells the person who had the modal open something, beside its message. */
async function tellUnder({ response, origin }: MessageModal, text: string, context: ListenerContext) {
  await context.responses.tell({ responseUrl: response.url, threadTs: origin.threadTs }, { text });
}

/** Shows this state in the message that the modal was opened from; faults are told to the person who had it open. */
export async function redrawUnder(
  modal: MessageModal,
  state: ViewState,
  context: ListenerContext,
): Promise<void> {
  try {
    const answers = await readAnswers(state, context);
    if (answers === undefined) return await tellUnder(modal, processingNotice(state), context);
    const view = viewMessage({ ...state, turn: state.turn + 1 }, answers);
    const drawn = await owned(view, modal.origin, context);
    const shows = showValue(state, state.threadTs ?? modal.origin.threadTs);
    const message = modal.isPrivate ? withShow(drawn, shows) : drawn;
    await context.responses.post({ ...modal.response, replaces: true }, message);
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.warn({ err: error }, 'a message could not be updated from its modal');
    await tellUnder(modal, clickFaultNotice(error, state, context.operator).text, context);
  }
}

/** Replaces the content of a modal; it keeps its metadata. */
export async function showIn(
  client: webApi.WebClient,
  viewId: string | undefined,
  opened: MessageModal,
  view: types.ModalView,
): Promise<void> {
  const withMetadata = { ...view, private_metadata: messageModalValue(opened) };
  await updateView(client, viewId, withMetadata);
}

/** Draws a modal from the message's result; says why if it cannot be read. */
export async function drawn(
  { state }: MessageModal,
  context: ListenerContext,
  draw: (model: ResultModel) => types.ModalView,
): Promise<types.ModalView> {
  try {
    const answers = await readAnswers(state, context);
    return answers === undefined ? noticeModal(processingNotice(state)) : draw(modelOf(state, answers));
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.warn({ err: error }, 'a modal of a result could not be drawn');
    return noticeModal(clickFaultNotice(error, state, context.operator).text);
  }
}
