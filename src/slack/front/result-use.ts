import type { AllMiddlewareArgs, types, webApi } from '@slack/bolt';
import { hostOf } from '../../core/diagnostics.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { withShow } from '../answer/around-message.ts';
import { isNews } from '../answer/since.ts';
import { viewMessage } from '../answer/view-message.ts';
import { showValue, type View, type ViewState } from '../block-kit/action-values.ts';
import type { Message } from '../block-kit/blocks.ts';
import {
  type MessageModal,
  messageModalValue,
  noticeModal,
  readMessageModal,
  titled,
} from '../block-kit/modal.ts';
import { replaceOwned } from '../delivery/owners.ts';
import { responseUrl, tellPrivately } from '../delivery/response-url-poster.ts';
import { ResponseUrlFailed } from '../delivery/slack-errors.ts';
import { type Click, originOf } from './click.ts';
import type { ListenerContext } from './context.ts';
import { cachedAnswers, sinceMade, withAnswers } from './reading.ts';
import type { Show } from './windows.ts';

export const WINDOW_TOO_OLD =
  'Slack no longer lets this window change its message: it was open for too long. Open it again from the message.';

/** Somebody uses a control of a result: on its message, in a window that was opened from it, or by submitting that window. */
export type ResultUse = {
  readonly place: 'message' | 'window' | 'form';
  /** The message with its state, as windows carry it. */
  readonly opened: MessageModal;
  readonly user: string;
  readonly show: Show;
  /** Says something to this person alone: in the window, else beside the message. */
  readonly tell: (text: string) => Promise<unknown>;
};

/** The use of a control of the message itself. */
export function onMessage(
  { client, body }: Click & Pick<AllMiddlewareArgs, 'client'>,
  state: ViewState,
  context: ListenerContext,
): ResultUse {
  const { url, expiresAt } = responseUrl(body.response_url, true, context.now());
  const isPrivate = body.container.is_ephemeral === true;
  const [, host = ''] = HOST.exec(body.message?.text ?? '') ?? [];
  const opened = { origin: originOf({ body }), state, response: { url, expiresAt }, isPrivate, host };
  const { user, trigger_id: triggerId } = body;
  const window = context.windows.at({ client, user: user.id, triggerId }, messageModalValue(opened));
  const show = about(opened, window, context);
  const use = { opened, user: user.id };
  return { ...use, place: 'message', show, tell: (text) => tellBeside(use, { text }, context) };
}

/** The name of the device in the text of a result: `Snapshot 26808463 · edge-7.example.com: 37 hits…` */
const HOST = /^Snapshot \S+ · (.{1,100}?): /;

/** Shows windows that say which message they are about. Slack sends no text of a private one: the cache names its device. */
function about({ state, host, isPrivate }: MessageModal, show: Show, context: ListenerContext): Show {
  return async (view) => show(titled(view, state, isPrivate ? await cachedHost(state, context) : host));
}

async function cachedHost(state: ViewState, context: ListenerContext): Promise<string> {
  const cached = await cachedAnswers(state, context).catch(() => undefined);
  return cached === undefined ? '' : hostOf(cached.result.device);
}

/** What happens in a window: a click on one of its controls, or its submission. */
export type InWindow = {
  readonly body: {
    readonly user: { readonly id: string };
    readonly view?: { readonly id: string; readonly private_metadata: string } | undefined;
  };
  readonly client: webApi.WebClient;
};

/** The use of a control of a window that was opened from a message. */
export function inWindow({ body, client }: InWindow, context: ListenerContext): ResultUse {
  const opened = readMessageModal(body.view);
  const user = body.user.id;
  const window = context.windows.at({ client, user, viewId: body.view?.id }, messageModalValue(opened));
  const show = about(opened, window, context);
  return { place: 'window', opened, user, show, tell: (text) => show(noticeModal(text)) };
}

/** The submission of such a window, which closes it. */
export function inForm(submission: InWindow, context: ListenerContext): ResultUse {
  const use = inWindow(submission, context);
  const tell = (text: string) => tellBeside(use, { text }, context);
  return { ...use, place: 'form', tell };
}

/** How a window reads while its result is read, and where it can't be; `inWords` as for `withAnswers`. */
type Meanwhile = {
  readonly loading: types.ModalView;
  readonly instead: (why: string) => types.ModalView;
  readonly inWords?: Parameters<typeof withAnswers>[5];
};

const READING: Meanwhile = { loading: noticeModal('Reading the result…'), instead: noticeModal };

/**
 * Shows a window that is drawn from a result: at once where that is cached, else after a line that says so, because a
 * trigger is valid for three seconds.
 */
export async function showDrawn(
  show: Show,
  view: View,
  context: ListenerContext,
  draw: (answers: Answers) => types.ModalView | Promise<types.ModalView>,
  { loading, instead, inWords }: Meanwhile = READING,
): Promise<void> {
  const cached = await cachedAnswers(view, context).catch(() => undefined);
  if (cached === undefined) await show(loading);
  await show(await withAnswers(view, context, draw, instead, 'cached', inWords));
}

/** Tells somebody something beside the message that this person uses. */
export function tellBeside(
  { opened, user }: Pick<ResultUse, 'opened' | 'user'>,
  message: Parameters<typeof tellPrivately>[2],
  context: ListenerContext,
): Promise<void> {
  const { channel, threadTs } = opened.origin;
  return tellPrivately(context, { channel, user, threadTs, responseUrl: opened.response.url }, message);
}

/** Replaces the message that a control or a window belongs to, or says that it is too late for that. */
export async function replaceOpened(
  { opened, place, tell }: ResultUse,
  message: Message,
  { responses }: ListenerContext,
): Promise<void> {
  const used = await responses.post({ ...opened.response, replaces: true }, message);
  if (used !== undefined) return;
  if (place === 'message') throw new ResponseUrlFailed();
  await tell(WINDOW_TOO_OLD);
}

/** Shows this state in the message; what prevents it is told to whoever wanted it. */
export async function redraw(
  use: ResultUse,
  state: ViewState,
  context: ListenerContext,
  how: 'cached' | 'anew' = 'cached',
): Promise<void> {
  const { origin, isPrivate } = use.opened;
  // A private message keeps its offer to show the result to everyone.
  const shows = showValue(state, state.threadTs ?? origin.threadTs);
  const replace = (message: Message) =>
    replaceOpened(use, isPrivate ? withShow(message, shows) : message, context);
  const draw = async (answers: Answers) => {
    const made = await sinceMade(state, answers, context);
    // That nothing changed is said to whoever asked.
    const since = how === 'anew' ? made : made.filter(({ found }) => found === undefined || isNews(found));
    const drawn = (times: number) => viewMessage({ ...state, turn: state.turn + times }, answers, since);
    await replaceOwned(origin, context, drawn, replace);
  };
  await withAnswers<unknown>(state, context, draw, use.tell, how);
}
