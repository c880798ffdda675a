import type { Json } from './json.ts';

/** A person or a bot. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly teamId: string;
  readonly isBot: boolean;
  /** Where the person is; `users.info` says it, with the offset of today. */
  readonly zone?: string;
  /** A guest of the workspace, in several channels or in one; payloads don't say it, `users.info` does. */
  readonly guest?: 'multi-channel' | 'single-channel';
}

/** The kinds of conversation. */
type ChannelKind = 'public' | 'private' | 'im';

/** A conversation with those who are in it. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  /** Whether members of another company are in it (Slack Connect). */
  readonly shared: boolean;
  readonly members: Set<string>;
  archived: boolean;
}

/** What a message said before an edit. */
interface Revision {
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly at: number;
}

/** What an app shows under a link. */
export interface Unfurl {
  readonly blocks: readonly Json[];
}

/** A message as the workspace keeps it. */
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
  /** What the app shows under its links. */
  readonly unfurls: Map<string, Unfurl>;
  text: string;
  blocks: readonly Json[];
  editedTs: string | undefined;
  deleted: boolean;
}

/** A message as one person sees it. */
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
  /** What the app shows under its links, by link. */
  readonly unfurls?: Readonly<Record<string, Unfurl>>;
  /** What it said before, oldest first. */
  readonly history: readonly Revision[];
}

/** A modal (or Home tab) that a person has open. */
export interface OpenView {
  readonly id: string;
  readonly user: string;
  readonly view: Json;
  readonly hash: string;
  /** What a person filled in so far, as `block_id` → `action_id` → value. */
  readonly values: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** The errors that the app showed, by `block_id`. */
  readonly errors: Readonly<Record<string, string>>;
}

/** One call of the bot. */
export interface ApiCall {
  readonly method: string;
  readonly args: Json;
  readonly at: number;
  /** The answer's body; absent when the connection was dropped or still hangs. */
  answer?: Json | string;
  status?: number;
  ms?: number;
  /** Whether the answer could not reach the bot, although the call took effect. */
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
  /** How often it was sent before: 0 the first time. */
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
  /** Slack does it only then, also for who has given up. */
  | { readonly doneAfterMs: number }
  | 'reset'
  | 'hang'
  | 'lost-response';

/** Everything that can happen, for a page that shows it live. */
export type SlackEvent =
  | { readonly type: 'call'; readonly phase: 'received' | 'answered'; readonly call: ApiCall }
  | { readonly type: 'delivery'; readonly phase: 'sent' | 'answered'; readonly delivery: Delivery }
  | {
      readonly type: 'message';
      readonly change: 'posted' | 'edited' | 'unfurled' | 'deleted';
      readonly message: StoredMessage;
    }
  /** A view, the members of a channel, a socket, or a breach. */
  | { readonly type: 'other' };
