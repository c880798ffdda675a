import { z } from 'zod';
import type { SnapshotId } from '../../core/diagnostics.ts';

/**
 * Every kind of delivery that the bot handles, by its `type`, which a command lacks. It shows nothing from which Bolt's
 * other kinds could come (options, dialogs, legacy messages, steps, windows that tell of their end): they are refused.
 */
export const KINDS = [
  'command',
  'event_callback',
  'block_actions',
  'view_submission',
  'shortcut',
  'message_action',
] as const;
export type DeliveryKind = (typeof KINDS)[number];

/** A delivery of Slack, as it was read once. */
export type Delivery = {
  readonly kind: DeliveryKind;
  /** Who sends it, and from where; undefined for an event that no person causes. */
  readonly actor: Actor | undefined;
  /** What was used or happened: a command, the type of an event, an action id, a callback id. */
  readonly name: string;
  /** The same for each time that Slack delivers it; '' for an event. */
  readonly triggerId: string;
  /** The window that it comes from: of which kind it is, if that is a form, and what it carries. */
  readonly window?: { readonly callback_id: string; readonly private_metadata: string } | undefined;
  /** Whether the message or the view that Slack sends with it holds what was used; undefined where it sends none. */
  readonly isShown?: boolean | undefined;
};

/** Who sends a delivery, and from where. */
export type Actor = {
  readonly entryPoint: EntryPoint;
  readonly user: string;
  /** The company that the person belongs to, as far as Slack says. */
  readonly team: string | undefined;
  /** Every conversation that the request reads from or may post to. */
  readonly channels: readonly string[];
  /**
   * The conversation whose message holds what was used, or in which the window was opened that does: of a window Slack
   * doesn't say whether the person is still in it.
   */
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
      /**
       * Whether it is a shortcut, which can be used on any message and asks like a command; else it is a click on the
       * bot's own message.
       */
      readonly isShortcut?: boolean;
      /** Whether it is a click on a preview under a link. Slack sends no message with it, so it changes none. */
      readonly isPreview?: boolean;
    }
  | { readonly kind: 'home-click' }
  | { readonly kind: 'modal-click'; readonly viewId: string }
  | { readonly kind: 'submission'; readonly viewId: string }
  | { readonly kind: 'shortcut'; readonly triggerId: string }
  /** Somebody pasted links of snapshots into a message: nobody asked, so that nothing is told. */
  | { readonly kind: 'link'; readonly links: readonly SnapshotLink[] };

/** A pasted link, and the snapshot that it leads to. */
export type SnapshotLink = { readonly url: string; readonly snapshotId: SnapshotId };

/** The body is not a delivery that Slack sends. The message says where it is none, and holds no text of it. */
export class NotADelivery extends Error {
  constructor(where = 'no kind that the bot handles') {
    super(`refused a delivery that Slack cannot have sent: ${where}`);
  }
}

/** A name that Slack gives, of whatever form. */
export const id = z.string().min(1).max(255);
/**
 * Ids of teams, people and conversations. Bolt looks a team up as the key of an object, which has other keys, such as
 * `constructor`, too.
 */
export const slackId = z
  .string()
  .regex(/^[A-Z0-9]+$/)
  .max(255);
/** The company that a delivery is sent from. */
export const teams = { team_id: slackId.optional(), enterprise_id: slackId.optional() };

/** Throws `NotADelivery`, which names the field. Below the first two names a path may hold what somebody wrote. */
export function read<T>(shape: z.ZodType<T>, body: unknown, named: string): T {
  const { data, error } = shape.safeParse(body);
  if (error === undefined) return data;
  throw new NotADelivery(`${named}.${error.issues[0]?.path.slice(0, 2).join('.') ?? ''}`);
}
