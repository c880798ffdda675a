/** Direct messages with the bot, by the id of the conversation or of the person. */
export const DIRECT = /^[DUW]/;

/** The kind of a delivery, with what a private answer to it needs. */
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
    }
  | { readonly kind: 'home-click' }
  | { readonly kind: 'modal-click'; readonly viewId: string }
  | { readonly kind: 'submission'; readonly viewId: string }
  | { readonly kind: 'shortcut'; readonly triggerId: string };

/** Who sends a delivery, and from where. */
export type Actor = {
  readonly entryPoint: EntryPoint;
  readonly user: string;
  /** The company that the person belongs to, as far as Slack says. */
  readonly team: string | undefined;
  /** Every conversation that the request reads from or may post to. */
  readonly channels: readonly string[];
  /** The direct message to this person that holds what was used. */
  readonly sentTo?: string;
  /** Whether that conversation is shared with another company, if the delivery says so. */
  readonly isShared?: boolean;
};

/** Whether it is a click on something that the bot has shown. Other requests can be answered anywhere. */
export function isClick({ entryPoint }: Actor): boolean {
  if (entryPoint.kind === 'message-click') return entryPoint.isShortcut !== true;
  return entryPoint.kind === 'modal-click' || entryPoint.kind === 'home-click';
}
