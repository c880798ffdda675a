import { setTimeout as delay } from 'node:timers/promises';
import type { AllMiddlewareArgs, BlockAction, types, ViewSubmitAction } from '@slack/bolt';
import { hostOf } from '../../core/diagnostics.ts';
import {
  type Asked,
  type AuditEntry,
  type Destination,
  isDirect,
  type ResponseUrl,
  responseUrl,
} from '../../core/lookup.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { type MessageState, readState, stateValue } from '../blocks/action-values.ts';
import { noticeModal, type Origin, openedFrom, readOrigin, titled } from '../blocks/modal.ts';
import { type Said, tellPrivately } from '../delivery/response-url-poster.ts';
import { ResponseUrlFailed } from '../delivery/slack-errors.ts';
import { resultMessage } from '../report/message-for.ts';
import { accept } from './accept.ts';
import type { ListenerContext } from './context.ts';
import type { Received } from './delivery.ts';
import { type Show, type Where, windowAt } from './windows.ts';

/** How long a second press of the same control is ignored, because phones can send one tap twice. Milliseconds. */
const PRESSED_AGAIN_MS = 3_000;
/** How long after a form's acknowledgement its window is not updated: Slack could do the update first. Milliseconds. */
const SETTLED_AFTER_MS = 300;

/** The fields of a click or a submitted form that the bot uses. */
type Used = Pick<AllMiddlewareArgs, 'context'> & {
  readonly body: Pick<ViewSubmitAction, 'trigger_id' | 'response_urls'> &
    Partial<Pick<BlockAction, 'container' | 'channel' | 'message' | 'response_url' | 'view'>> & {
      readonly user: { readonly id: string; readonly name?: string };
    };
  readonly action?: {
    readonly action_id: string;
    readonly block_id: string;
    readonly value?: string;
    readonly selected_option?: { readonly value?: string } | null;
    readonly selected_user?: string | null;
  };
};

/**
 * A press of one of the bot's controls, or the submission of a form. The state is read from the message or window on
 * access; that throws `UnreadableValue` if it can't be read.
 */
export class Interaction {
  readonly context: ListenerContext;
  readonly body: Used['body'];
  readonly user: string;
  readonly triggerId: string;
  readonly place: 'message' | 'window' | 'form';
  /** The value of the button, or the choice in the menu; '' if there is none. */
  readonly value: string;
  readonly #action: Used['action'];
  readonly #received: Received;
  #settled: Promise<void> | undefined;
  #window: Show | undefined;

  constructor({ body, action, context: bolt }: Used, context: ListenerContext) {
    this.#received = bolt.received;
    this.context = context;
    this.body = body;
    this.user = body.user.id;
    this.triggerId = body.trigger_id;
    this.place = body.view === undefined ? 'message' : action === undefined ? 'form' : 'window';
    this.value = action?.value ?? action?.selected_option?.value ?? action?.selected_user ?? '';
    this.#action = action;
  }

  /** The clicked message, or the message that opened the window. An ephemeral message has no `messageTs`. */
  get origin(): Origin {
    const { view, container, channel } = this.body;
    if (view !== undefined) return readOrigin(view.private_metadata);
    const { message_ts: messageTs, is_ephemeral: isPrivate } = container ?? {};
    const threadTs = this.#received.actor?.threadTs;
    return {
      channel: channel?.id ?? this.user,
      ...(threadTs !== undefined && { threadTs }),
      ...(messageTs !== undefined && isPrivate !== true && { messageTs: String(messageTs) }),
    };
  }

  /** The response URL that can replace the clicked message. */
  get response(): ResponseUrl {
    return responseUrl(this.body.response_url ?? '', true, this.context.now());
  }

  /** A destination whose answer replaces the clicked message; by its response URL if the message is ephemeral. */
  get inPlace(): Destination {
    const { messageTs, ...where } = this.origin;
    const thread = where.threadTs !== undefined && { hasThread: true };
    const message = messageTs === undefined ? { response: this.response } : { messageTs };
    return { ...where, ...thread, user: this.user, ...message };
  }

  /** The destination of a new answer: the thread of the message. A direct message needs no thread. */
  get beside(): Destination {
    const { channel, messageTs, threadTs } = this.origin;
    const begun = messageTs !== undefined && !isDirect(channel) && { threadTs: messageTs };
    const thread = threadTs === undefined ? begun : { threadTs, hasThread: true };
    const given = this.place === 'message' ? this.response : openedFrom(this.body.view)?.response;
    const response = given && { response: { ...given, replaces: false } };
    return { channel, user: this.user, ...thread, ...response };
  }

  /**
   * The state of the message: from the window, else from the message that Slack sends with the click. Slack sends no
   * ephemeral message, so its state comes from the clicked block.
   */
  get state(): MessageState {
    const { view, message } = this.body;
    const controls = message?.blocks?.findLast((block: { type: string }) => block.type === 'actions');
    return readState(openedFrom(view)?.state ?? controls?.block_id ?? this.#action?.block_id);
  }

  /** The text or choice in a field of the form; '' if it is empty. */
  field(name: string): string {
    const fields = Object.values(this.body.view?.state.values ?? {});
    const given = fields.find((inputs) => name in inputs)?.[name];
    const chosen = given?.selected_option?.value ?? given?.selected_conversation ?? given?.selected_user;
    return given?.value ?? chosen ?? '';
  }

  /** The current window; from a message, a new one. The first view of a form's window is its acknowledgement. */
  get where(): Where {
    const { context, triggerId, body, place } = this;
    const acknowledge = place === 'form' ? this.answer : undefined;
    return body.view === undefined ? { context, triggerId } : { context, viewId: body.view.id, acknowledge };
  }

  /** Shows a view by acknowledging the form. False if it was acknowledged before; its window can then be updated. */
  readonly answer = async (view: types.ModalView): Promise<boolean> => {
    this.#settled ??= delay(SETTLED_AFTER_MS, undefined, { ref: false });
    const isFirst = await this.#received.ack({ response_action: 'update', view });
    if (!isFirst) await this.#settled;
    return isFirst;
  };

  /** Shows a view in the current window, or opens a window from the message. False if the window was closed. */
  readonly show: Show = (view) => {
    this.#window ??= windowOf(this);
    return this.#window(view);
  };

  /**
   * Does the work unless another press of the same control has just begun it, on any replica. `by`: the person, or
   * 'anybody' if two people's presses count as one. If the work throws or returns false, the next press is not ignored.
   */
  async once(by: string, work: () => Promise<unknown>): Promise<void> {
    const { container, view } = this.body;
    const form = this.place === 'form' ? view?.hash : '';
    const place = view ? `${view.id}:${form}` : `${container?.channel_id}:${container?.message_ts}`;
    const press = `pressed:${by}:${place}:${this.#action?.action_id}:${this.value}`;
    const { leases } = this.context;
    // If the store does not answer, the work is done anyway.
    if (!(await leases.acquire(press, PRESSED_AGAIN_MS).catch(() => true))) return;
    let done: unknown = false;
    try {
      done = await work();
    } finally {
      if (done === false) await leases.release(press).catch(() => {});
    }
  }

  /** Asks for a lookup, whose answer is posted in the thread of the message. */
  ask(asked: Asked): Promise<void> {
    return accept(asked, { deliveryId: this.triggerId, destination: this.beside }, this.context);
  }

  /** Shows a message to this person only: in the window, else in the conversation. */
  readonly tell = async (said: string | Said): Promise<void> => {
    const message = typeof said === 'string' ? { text: said } : said;
    if (this.place === 'window') return void (await this.show(noticeModal(message.text)));
    const { user, context, body } = this;
    const { channel, threadTs } = this.origin;
    await tellPrivately(context, { channel, user, threadTs, responseUrl: body.response_url }, message);
  };

  /**
   * Draws the message again for everybody. An ephemeral message is redrawn only by its own controls, and keeps its
   * button “Post it here”. Throws `ResponseUrlFailed` and the errors of Slack's client.
   */
  async redraw(answers: Answers): Promise<void> {
    const { state, origin, context, place } = this;
    const { channel, messageTs, threadTs } = origin;
    const { operator } = context;
    const manner = { operator, channel, isPrivate: messageTs === undefined, threadTs };
    // The elapsed time makes `turn` grow even if a window holds an old value.
    const turn = Math.max(state.turn + 1, context.now() - state.madeAt);
    const message = resultMessage({ ...state, turn }, answers, manner);
    if (place === 'message') {
      const used = await context.responses.post(this.response, message);
      if (used === undefined) throw new ResponseUrlFailed();
    } else if (messageTs !== undefined) {
      await context.poster.edit({ channel, ts: messageTs }, message, 'final');
    }
  }

  /** Records in the audit log what this person did with a result. */
  audit(event: AuditEntry['event'], { question }: Asked, outcome?: string): void {
    const { user, origin, context } = this;
    const { snapshotId: snapshot } = question;
    context.audit({ event, user, channel: origin.channel, snapshot, ...(outcome && { outcome }) });
  }
}

/** Windows opened from a message get its state and a title with its snapshot. The device's name comes from the cache. */
function windowOf(press: Interaction): Show {
  const { context, origin, body, where } = press;
  const { view } = body;
  if (view !== undefined && openedFrom(view)?.state === undefined)
    return windowAt(where, JSON.stringify(origin));
  const { state } = press;
  // For an answer in the same conversation, although the bot is not a member of it.
  const isPrivate = view === undefined && origin.messageTs === undefined;
  const response = isPrivate && { response: press.response };
  const show = windowAt(where, JSON.stringify({ ...origin, state: stateValue(state), ...response }));
  return async (shown) => {
    const isOne = state.others === undefined;
    const cached = isOne ? await context.lookups.cached(state.question).catch(() => undefined) : undefined;
    return show(titled(shown, state, cached ? hostOf(cached.result.device) : ''));
  };
}
