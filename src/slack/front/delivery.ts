import type { SnapshotId } from '../../core/diagnostics.ts';

/** A delivery of Slack, as far as access, share and private answers need it. */
export type Delivery = {
  /** Slack's `type`, which a command lacks. */
  readonly type:
    | 'command'
    | 'event_callback'
    | 'block_actions'
    | 'view_submission'
    | 'shortcut'
    | 'message_action';
  /** What was used or happened: a command, the type of an event, an action id, a callback id. */
  readonly name: string;
  /** Undefined for an event that no person causes. */
  readonly actor: Actor | undefined;
};

/** What the listeners of a delivery find in Bolt's context of it. */
export type Received = {
  readonly delivery: Delivery;
  /** Acknowledges it, the first time; an event is acknowledged when its listeners are done. */
  readonly ack: (answer?: object) => Promise<void>;
  readonly isAcknowledged: () => boolean;
};

/** The way that a delivery reaches the bot. */
export type DeliveryKind =
  | 'command'
  | 'mention'
  | 'direct-message'
  /** Links of snapshots in a message. They are not a question, so a fault is not answered. */
  | 'link'
  | 'home-opened'
  | 'home-click'
  | 'message-click'
  /** A click on a preview under a link. Slack sends no message with it, so it changes none. */
  | 'preview-click'
  | 'modal-click'
  | 'submission'
  | 'shortcut'
  | 'message-shortcut';

/** Who sends a delivery, from where, and what a private answer there needs. */
export type Actor = {
  readonly kind: DeliveryKind;
  /** The id of a person, or of another app that mentions the bot. */
  readonly user: string;
  /** The company that the person belongs to, as far as Slack says. */
  readonly team: string | undefined;
  /** Every conversation that the request reads from or may post to. */
  readonly channels: readonly string[];
  /** The conversation of the bot's message that was used, or in which the window was opened. */
  readonly usedIn?: string | undefined;
  /** Whether that conversation is shared with another company, if the delivery says so. */
  readonly isShared?: boolean | undefined;
  /** The thread that the message is a reply in. */
  readonly threadTs?: string | undefined;
  readonly responseUrl?: string;
  readonly triggerId?: string;
  readonly viewId?: string | undefined;
  /** Of a mention: what was written. */
  readonly text?: string;
  /** Of links: those that lead to snapshots. */
  readonly links?: readonly SnapshotLink[];
};

/** A pasted link, and the snapshot that it leads to. */
export type SnapshotLink = { readonly url: string; readonly snapshotId: SnapshotId };

/** The body is not a delivery that the bot handles. The message holds no text of it. */
export class NotADelivery extends Error {
  constructor(where: string) {
    super(`refused a delivery that Slack cannot have sent: ${where}`);
  }
}
