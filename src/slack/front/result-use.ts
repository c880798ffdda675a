import type { AllMiddlewareArgs, webApi } from '@slack/bolt';
import { hostOf } from '../../core/diagnostics.ts';
import { type Lookup, responseUrl } from '../../core/lookup.ts';
import type { Delivered, Delivery, LookupStatus } from '../../lookups/lookup-status.ts';
import type { ResultModel } from '../answer/result-model.ts';
import type { ViewState } from '../block-kit/action-values.ts';
import type { Message } from '../block-kit/blocks.ts';
import type { MessageModal } from '../block-kit/modal.ts';
import { messageModalValue, noticeModal, readMessageModal, titled } from '../block-kit/modal.ts';
import { tellPrivately } from '../delivery/response-url-poster.ts';
import { ResponseUrlFailed } from '../delivery/slack-errors.ts';
import type { May } from './access.ts';
import { type Click, originOf } from './click.ts';
import type { ListenerContext } from './context.ts';
import type { Listeners } from './listeners.ts';
import { cachedAnswers } from './reading.ts';
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

/**
 * A feature is a folder of `src/slack/features`, and a line in its `index.ts`: without both, the bot is whole but for
 * that. It imports no other feature; what it needs of one is passed to it there.
 */
export type Feature = {
  /** Registers its listeners, each with what it may do. */
  readonly listen: (on: Listeners, context: ListenerContext) => void;
  /** What it adds to an answer, or what follows on one. */
  readonly hook?: DeliveryHook;
  /** Shows the status of lookups whose destination is a pasted link; no hook adds to it or follows on it. */
  readonly preview?: Delivery['deliver'];
  /** Resumes what was open when the bot stopped. */
  readonly start?: () => Promise<void>;
  readonly menu?: readonly MenuEntry[];
};

/** What a feature does when it is chosen in the menu of a result, or in the window behind it. */
export type MenuEntry = {
  /** Names the entry in menus. */
  readonly value: string;
  /** What stands in that window; undefined where there is nothing to choose, left out for an entry of the menu. */
  readonly label?: (model: ResultModel) => string | undefined;
  /** What it does when it is chosen there. */
  readonly may: May;
  readonly choose: (use: ResultUse, context: ListenerContext) => Promise<unknown>;
};

/** A status that was delivered: the lookup as it was before, and where the status is shown now. */
export type DeliveryEvent = {
  readonly lookup: Lookup;
  readonly status: LookupStatus;
  readonly shown: Delivered;
};

/**
 * Work before or after the delivery of a status. If it throws, the whole delivery is retried. A bug would only be
 * repeated: before the delivery it counts as `CompositionFailed`, after it it is only reported.
 */
export interface DeliveryHook {
  /** Adds to the status what the message should also say. */
  before?(lookup: Lookup, status: LookupStatus): Promise<LookupStatus>;
  after?(event: DeliveryEvent): Promise<void>;
}
