import type { Json } from './json.ts';

/** A person or a bot. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly teamId: string;
  readonly isBot: boolean;
  /** The time zone, which `users.info` returns with today's offset. */
  readonly zone?: string;
  /** A guest of several channels or of one. Only `users.info` says so, payloads don't. */
  readonly guest?: 'multi-channel' | 'single-channel';
}

/** The kinds of conversation. */
type ChannelKind = 'public' | 'private' | 'im';

/** A conversation with its members. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  /** Whether members of another company are in it (Slack Connect). */
  readonly shared: boolean;
  readonly members: Set<string>;
  archived: boolean;
}

/** The earlier content of an edited message. */
interface Revision {
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly at: number;
}

/** The preview of a link. */
export interface Unfurl {
  readonly blocks: readonly Json[];
}

/** A message in the workspace's storage. */
export interface StoredMessage {
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  readonly at: number;
  readonly threadTs: string | undefined;
  /** The only person who sees it, for an ephemeral message. */
  readonly onlyFor: string | undefined;
  /** Files and attachments that came with it. */
  readonly extras: Json;
  readonly history: Revision[];
  /** The app's previews, by link. */
  readonly unfurls: Map<string, Unfurl>;
  text: string;
  blocks: readonly Json[];
  editedTs: string | undefined;
  deleted: boolean;
}

/** A message as a person sees it. */
export interface VisibleMessage {
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly at: number;
  readonly threadTs?: string;
  readonly ephemeral?: true;
  readonly edited?: true;
  /** Files and attachments that came with it. */
  readonly extras?: Json;
  /** The app's previews, by link. */
  readonly unfurls?: Readonly<Record<string, Unfurl>>;
  /** Its earlier contents, oldest first. */
  readonly history: readonly Revision[];
}

/** A modal (or Home tab) that a person has open. */
export interface OpenView {
  readonly id: string;
  readonly user: string;
  readonly view: Json;
  readonly hash: string;
  /** What a person has filled in, as `block_id` → `action_id` → value. */
  readonly values: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** The errors that the app showed, by `block_id`. */
  readonly errors: Readonly<Record<string, string>>;
}

/** One call of the bot. */
export interface ApiCall {
  readonly method: string;
  readonly args: Json;
  readonly at: number;
  /** The body of the answer; absent if the connection was dropped or still hangs. */
  answer?: Json | string;
  status?: number;
  ms?: number;
  /** Whether the answer did not reach the bot although the call took effect. */
  isUnheard?: true;
}

/** The kinds of payload that Slack sends to the bot. */
export type DeliveryKind = 'command' | 'interaction' | 'event';

/** Why a delivery was not acknowledged. */
export type DeliveryError = 'timeout' | 'refused' | 'cut-off' | 'unreachable' | 'no_socket';

/** One payload sent to the bot, and how it was acknowledged. */
export interface Delivery {
  readonly id: number;
  readonly kind: DeliveryKind;
  readonly payload: Json;
  readonly at: number;
  /** How many times it was sent before; 0 for the first time. */
  readonly attempt: number;
  status: number;
  body: string;
  ms: number;
  acknowledged: boolean;
  error?: DeliveryError;
}

/** A fault that a test plans for one call. */
export type Fault =
  | { readonly error: string }
  | { readonly status: 429; readonly retryAfter: number }
  | { readonly status: number }
  /** Slack carries out the call only after this time, even if the caller gave up. */
  | { readonly doneAfterMs: number }
  | 'reset'
  | 'hang'
  | 'lost-response';

/** All events, for a page that shows them live. */
export type SlackEvent =
  | { readonly type: 'call'; readonly phase: 'received' | 'answered'; readonly call: ApiCall }
  | { readonly type: 'delivery'; readonly phase: 'sent' | 'answered'; readonly delivery: Delivery }
  | {
      readonly type: 'message';
      readonly change: 'posted' | 'edited' | 'unfurled' | 'deleted';
      readonly message: StoredMessage;
    }
  /** A change of a view, of a channel's members or of a socket, or a breach. */
  | { readonly type: 'other' };
