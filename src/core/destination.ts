/** A message that the bot tried to post at `at` (epoch ms) without learning whether it arrived. */
export type Unconfirmed = { readonly at: number };

/**
 * Where an answer belongs, and how it can get there. It is stored with the lookup, so that it survives a restart.
 * Only `slack/` reads or writes its fields.
 */
export type Destination = {
  readonly channel: string;
  readonly user: string;
  readonly threadTs?: string;
  /** That thread has replies already. Slack may not show an ephemeral message in one that would begin with it. */
  readonly hasThread?: boolean;
  /** The bot's own message there: it is edited. */
  readonly messageTs?: string;
  /** A post that may or may not have arrived. */
  readonly unconfirmed?: Unconfirmed;
  /** The way to answer where the bot isn't a member. */
  readonly response?: ResponseUrl;
};

/** Slack's one-off address for a command or a click: 30 minutes, five posts. */
export type ResponseUrl = {
  readonly url: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** A click's address can replace the message that was clicked; a command's can only post. */
  readonly replaces: boolean;
  /** How often it was posted through. */
  readonly uses?: number;
  /** The answer goes on through this address, because the channel refused the bot. */
  readonly isInUse?: boolean;
};

/** Whether what is shown there is for one person's eyes, in a conversation with others. */
export function isPrivately({ response }: Destination): boolean {
  return response?.isInUse === true || response?.replaces === true;
}
