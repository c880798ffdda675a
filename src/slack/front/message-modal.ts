import type { AllMiddlewareArgs, types, webApi } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import { clickFaultNotice, processingNotice } from '../answer/fault-message.ts';
import { modelOf, type ResultModel } from '../answer/model/result-model.ts';
import { withShow } from '../answer/private-message.ts';
import { viewMessage } from '../answer/view-message.ts';
import { showValue, type ViewState } from '../block-kit/action-values.ts';
import { type MessageModal, messageModalValue } from '../block-kit/message-modal.ts';
import type { Origin } from '../block-kit/origin-values.ts';
import { replaceOwned } from '../delivery/owners.ts';
import { responseUrl } from '../delivery/response-url.ts';
import { tellPrivately } from '../delivery/response-url-poster.ts';
import { noticeModal } from '../views/details-modal.ts';
import { type Click, originOf, tellClicker } from './click.ts';
import { type ListenerContext, orNotice } from './context.ts';
import { readAnswers } from './reading.ts';

const WINDOW_TOO_OLD =
  'Slack no longer lets this window change its message: it was open for too long. Open it again from the message.';

/** What somebody does with a result, on its message or in a modal of it. */
export type Interaction = {
  readonly origin: Origin;
  readonly user: string;
  readonly triggerId: string;
  /** Says something to this person alone. */
  readonly tell: (text: string) => Promise<unknown>;
};

/** The interaction of a click on the message itself. */
export function interactionOf(click: Click, context: ListenerContext): Interaction {
  const { user, trigger_id: triggerId } = click.body;
  const tell = (text: string) => tellClicker(click, context, text);
  return { origin: originOf(click), user: user.id, triggerId, tell };
}

/** The metadata of a modal of the clicked message. */
export function messageModalOf({ body }: Click, state: ViewState, now: number): MessageModal {
  const { url, expiresAt } = responseUrl(body.response_url, true, now);
  const isPrivate = body.container.is_ephemeral === true;
  return { origin: originOf({ body }), state, response: { url, expiresAt }, isPrivate };
}

/** Opens a modal for the clicked message; gives its id. */
export async function openOver(
  { client, body }: Click & Pick<AllMiddlewareArgs, 'client'>,
  modal: MessageModal,
  view: types.ModalView,
  { windows }: Pick<ListenerContext, 'windows'>,
): Promise<string | undefined> {
  const withMetadata = { ...view, private_metadata: messageModalValue(modal) };
  return windows.show(client, body.trigger_id, withMetadata);
}

/** Tells the person who had the modal open something, beside its message. */
export function tellUnder(
  { response, origin: { channel, threadTs } }: MessageModal,
  user: string,
  message: Parameters<typeof tellPrivately>[2],
  context: ListenerContext,
): Promise<void> {
  return tellPrivately(context, { channel, user, threadTs, responseUrl: response.url }, message);
}

/** Shows this state in the message that the modal was opened from; what prevents it is told to who had it open. */
export async function redrawUnder(
  modal: MessageModal,
  state: ViewState,
  user: string,
  context: ListenerContext,
): Promise<void> {
  const tell = (text: string) => tellUnder(modal, user, { text }, context);
  try {
    const answers = await readAnswers(state, context);
    if (answers === undefined) return await tell(processingNotice(state));
    const shows = showValue(state, state.threadTs ?? modal.origin.threadTs);
    await replaceOwned(
      modal.origin,
      context,
      (times) => viewMessage({ ...state, turn: state.turn + times }, answers),
      async (message) => {
        const shown = modal.isPrivate ? withShow(message, shows) : message;
        const used = await context.responses.post({ ...modal.response, replaces: true }, shown);
        if (used === undefined) await tell(WINDOW_TOO_OLD);
      },
    );
  } catch (error) {
    if (!isFault(error)) throw error;
    context.logger.warn({ err: error }, 'a message could not be updated from its modal');
    await tell(clickFaultNotice(error, state, context.operator).text);
  }
}

/** Replaces the content of a modal, which keeps its metadata; false if it is no longer open. */
export async function showIn(
  client: webApi.WebClient,
  viewId: string | undefined,
  opened: MessageModal,
  view: types.ModalView,
  { windows }: Pick<ListenerContext, 'windows'>,
): Promise<boolean> {
  const withMetadata = { ...view, private_metadata: messageModalValue(opened) };
  return windows.update(client, viewId, withMetadata);
}

/** Draws a modal from the message's result; says why if it cannot be read. */
export function drawn(
  { state }: MessageModal,
  context: ListenerContext,
  draw: (model: ResultModel) => types.ModalView | Promise<types.ModalView>,
): Promise<types.ModalView> {
  const work = async () => {
    const answers = await readAnswers(state, context);
    return answers === undefined ? noticeModal(processingNotice(state)) : draw(modelOf(state, answers));
  };
  return orNotice(context, 'a modal of a result could not be drawn', work, (fault) =>
    noticeModal(clickFaultNotice(fault, state, context.operator).text),
  );
}
