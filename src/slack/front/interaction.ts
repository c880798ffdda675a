import type { BlockAction, ViewSubmitAction, webApi } from '@slack/bolt';
import { hostOf } from '../../core/diagnostics.ts';
import {
  type Asked,
  type AuditEntry,
  type Destination,
  isDirect,
  type ResponseUrl,
  responseUrl,
} from '../../core/lookup.ts';
import { type MessageState, readState } from '../blocks/action-values.ts';
import type { Message } from '../blocks/blocks.ts';
import type { MessageModal, Origin } from '../blocks/modal.ts';
import {
  messageModalOf,
  messageModalValue,
  noticeModal,
  readMessageModal,
  readOrigin,
  titled,
} from '../blocks/modal.ts';
import { type Said, tellPrivately } from '../delivery/response-url-poster.ts';
import { isRefused, ResponseUrlFailed } from '../delivery/slack-errors.ts';
import type { ListenerContext } from './context.ts';
import { cachedAnswers } from './reading.ts';
import { type Show, windowAt } from './windows.ts';

const WINDOW_TOO_OLD =
  'Slack no longer lets this window change its message: it was open for too long. Open it again from the message.';

/** What Slack sends of a click, or of the submission of a form. */
type Used = {
  readonly client: webApi.WebClient;
  readonly body: Pick<ViewSubmitAction, 'trigger_id' | 'response_urls'> &
    Partial<Pick<BlockAction, 'container' | 'channel' | 'message' | 'response_url' | 'view'>> & {
      readonly user: { readonly id: string; readonly name?: string };
    };
  readonly action?: {
    readonly block_id: string;
    readonly value?: string;
    readonly selected_option?: { readonly value?: string } | null;
    readonly selected_user?: string | null;
  };
};

/**
 * Somebody uses a control of the bot, on a message, in a window or on the Home tab; or submits a form, which closes it.
 * What the message or the window carries is read when it is asked for: that throws `UnreadableValue` where it has none.
 */
export class Interaction {
  readonly context: ListenerContext;
  readonly client: webApi.WebClient;
  readonly body: Used['body'];
  readonly user: string;
  readonly triggerId: string;
  readonly place: 'message' | 'window' | 'form';
  /** What a button carries, or what was chosen in a menu; '' for nothing. */
  readonly value: string;
  readonly #action: Used['action'];
  readonly #at: number;
  #window: Show | undefined;

  constructor({ client, body, action }: Used, context: ListenerContext) {
    this.context = context;
    this.client = client;
    this.body = body;
    this.user = body.user.id;
    this.triggerId = body.trigger_id;
    this.place = body.view === undefined ? 'message' : action === undefined ? 'form' : 'window';
    this.value = action?.value ?? action?.selected_option?.value ?? action?.selected_user ?? '';
    this.#action = action;
    this.#at = context.now();
  }

  /** The message that is used, or that the window was opened from. A private one has no timestamp here. */
  get origin(): Origin {
    const { view } = this.body;
    return view === undefined ? originOf(this.body) : readOrigin(view.private_metadata);
  }

  /** With which that message can be replaced. */
  get response(): ResponseUrl {
    const { view, response_url: url = '' } = this.body;
    if (view === undefined) return responseUrl(url, true, this.#at);
    return { ...readMessageModal(view).response, replaces: true };
  }

  /** What the result shows: Slack sends the message as it is; only of a private one, or in a window, the click says it. */
  get state(): MessageState {
    const { view, message } = this.body;
    const controls = message?.blocks?.findLast((block: { type: string }) => block.type === 'actions');
    return messageModalOf(view)?.state ?? readState(controls?.block_id ?? this.#action?.block_id);
  }

  /** The result that is used, as windows carry it. */
  get opened(): MessageModal {
    const { view } = this.body;
    if (view !== undefined) return readMessageModal(view);
    const { origin, state } = this;
    const { url, expiresAt } = this.response;
    return { ...origin, state, response: { url, expiresAt } };
  }

  /** What stands in a field of a form, and the id of its block. */
  field(name: string): { readonly block: string; readonly value: string } {
    const fields = Object.entries(this.body.view?.state.values ?? {});
    const [block = name, { [name]: given } = {}] = fields.find(([, inputs]) => name in inputs) ?? [];
    const chosen =
      given?.selected_option?.value ??
      given?.selected_conversation ??
      given?.selected_date ??
      given?.selected_user;
    return { block, value: given?.value ?? chosen ?? '' };
  }

  /** Shows something in the window, or in one that is opened from the message; false if somebody has closed it. */
  readonly show: Show = (view) => {
    this.#window ??= windowOf(this);
    return this.#window(view);
  };

  /** Says something to this person alone: in the window, else beside the message. */
  readonly tell = async (said: string | Said): Promise<void> => {
    const message = typeof said === 'string' ? { text: said } : said;
    if (this.place === 'window') return void (await this.show(noticeModal(message.text)));
    const { user, response, context } = this;
    const { channel, threadTs } = this.origin;
    await tellPrivately(context, { channel, user, threadTs, responseUrl: response.url }, message);
  };

  /** Replaces that message, or says that it is too late for that. Throws `ResponseUrlFailed`. */
  async replace(message: Message): Promise<void> {
    const used = await this.context.responses.post(this.response, message);
    if (used !== undefined) return;
    if (this.place === 'message') throw new ResponseUrlFailed();
    await this.tell(WINDOW_TOO_OLD);
  }

  /** Posts in the thread of that message; gives what Slack made of it. */
  async postInThread(message: Message): Promise<'done' | 'refused' | 'unsure'> {
    const { poster, logger } = this.context;
    const { channel, messageTs = '', threadTs = messageTs } = this.origin;
    try {
      await poster.post({ channel, threadTs }, message, 'final');
      return 'done';
    } catch (err) {
      logger.warn({ err }, 'somebody’s message could not be posted in the thread of a result');
      return isRefused(err) ? 'refused' : 'unsure';
    }
  }

  /** Writes down what this person does with a result. */
  audit(event: AuditEntry['event'], { question }: Asked, outcome?: string): void {
    const { user, origin, context } = this;
    const { snapshotId: snapshot } = question;
    context.audit({ event, user, channel: origin.channel, snapshot, ...(outcome && { outcome }) });
  }
}

/** A window of a message says which result it is about; the cache names its device. */
function windowOf(press: Interaction): Show {
  const { context, client } = press;
  const { view } = press.body;
  const where = view === undefined ? press : { client, viewId: view.id };
  if (view !== undefined && messageModalOf(view) === undefined)
    return windowAt(where, JSON.stringify(press.origin));
  const { opened } = press;
  const { state } = opened;
  const show = windowAt(where, messageModalValue(opened));
  return async (shown) => show(titled(shown, state, await cachedHost(state, context)));
}

async function cachedHost(state: Asked, context: ListenerContext): Promise<string> {
  const cached = await cachedAnswers(state, context).catch(() => undefined);
  return cached === undefined ? '' : hostOf(cached.result.device);
}

/** The message that was clicked. */
function originOf({ container, user, channel }: Used['body']): Origin {
  const { thread_ts: threadTs, message_ts: messageTs, is_ephemeral: isEphemeral } = container ?? {};
  // The first message of a thread names that thread too, though it is in the channel itself.
  const isInThread = threadTs !== undefined && threadTs !== messageTs;
  return {
    channel: channel?.id ?? user.id,
    ...(isInThread ? { threadTs: String(threadTs) } : {}),
    ...(isEphemeral === true || messageTs === undefined ? {} : { messageTs: String(messageTs) }),
  };
}

/** The destination that replaces the message. An ephemeral one can only be replaced through its response URL. */
export function destinationOf({ user, origin, response }: Interaction): Destination {
  const { messageTs, ...where } = origin;
  const thread = where.threadTs === undefined ? {} : { hasThread: true };
  return { ...where, ...thread, user, ...(messageTs === undefined ? { response } : { messageTs }) };
}

/** The thread of the message, for another answer beside it; nobody else reads a direct message, which needs none. */
export function besideOf({ user, origin: { channel, messageTs, threadTs } }: Interaction): Destination {
  if (threadTs !== undefined) return { channel, user, threadTs, hasThread: true };
  const isAlone = messageTs === undefined || isDirect(channel);
  return { channel, user, ...(!isAlone && { threadTs: messageTs }) };
}
