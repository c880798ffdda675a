import type { z } from 'zod';
import type { SnapshotId } from '../../core/diagnostics.ts';

/** Every kind of delivery that the bot handles, by its `type`, which a command lacks. */
export type DeliveryKind =
  | 'command'
  | 'event_callback'
  | 'block_actions'
  | 'view_submission'
  | 'shortcut'
  | 'message_action';

/** What access, share and answers need of a delivery of Slack. */
export type Delivery = {
  readonly kind: DeliveryKind;
  /** Who sends it, and from where; undefined for an event that no person causes. */
  readonly actor: Actor | undefined;
  /** What was used or happened: a command, the type of an event, an action id, a callback id. */
  readonly name: string;
  /** The same for each time that Slack delivers it; '' for an event. */
  readonly triggerId: string;
};

/** What the listeners of a delivery find in Bolt's context of it. */
export type Received = {
  readonly delivery: Delivery;
  /** Acknowledges it, the first time; an event is acknowledged when its listeners are done. */
  readonly ack: (answer?: object) => Promise<void>;
  readonly isAcknowledged: () => boolean;
};

/** Who sends a delivery, and from where. */
export type Actor = {
  readonly entryPoint: EntryPoint;
  /** The id of a person, or of another app that mentions the bot. */
  readonly user: string;
  /** The company that the person belongs to, as far as Slack says. */
  readonly team: string | undefined;
  /** Every conversation that the request reads from or may post to. */
  readonly channels: readonly string[];
  /** The conversation of the bot's message that was used, or in which the window was opened. */
  readonly usedIn?: string;
  /** Whether that conversation is shared with another company, if the delivery says so. */
  readonly isShared?: boolean | undefined;
};

/** How somebody came to the bot, with what a private answer there needs. */
export type EntryPoint =
  | { readonly kind: 'command'; readonly responseUrl: string }
  | { readonly kind: 'mention'; readonly text: string; readonly threadTs?: string | undefined }
  | { readonly kind: 'direct-message'; readonly threadTs?: string | undefined }
  | { readonly kind: 'home-opened' }
  | {
      readonly kind: 'message-click';
      readonly responseUrl: string;
      readonly threadTs?: string | undefined;
      /** A shortcut can be used on any message and asks like a command; else it is a click on the bot's own message. */
      readonly isShortcut?: boolean;
      /** A click on a preview under a link. Slack sends no message with it, so it changes none. */
      readonly isPreview?: boolean;
    }
  | { readonly kind: 'home-click' }
  | { readonly kind: 'modal-click'; readonly viewId: string }
  | { readonly kind: 'submission'; readonly viewId: string }
  | { readonly kind: 'shortcut'; readonly triggerId: string }
  /** Links of snapshots in a message. They are not a question, so a fault is not answered. */
  | { readonly kind: 'link'; readonly links: readonly SnapshotLink[] };

/** A pasted link, and the snapshot that it leads to. */
export type SnapshotLink = { readonly url: string; readonly snapshotId: SnapshotId };

/** The body is not a delivery that the bot handles. The message holds no text of it. */
export class NotADelivery extends Error {
  constructor(where = 'no kind that the bot handles') {
    super(`refused a delivery that Slack cannot have sent: ${where}`);
  }
}

/** Throws `NotADelivery`, which names the field. Below the first two names a path may hold what somebody wrote. */
export function read<T>(shape: z.ZodType<T>, body: unknown, named: string): T {
  const { data, error } = shape.safeParse(body);
  if (error === undefined) return data;
  throw new NotADelivery(`${named}.${error.issues[0]?.path.slice(0, 2).join('.') ?? ''}`);
}
