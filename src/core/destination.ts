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
  /** Whether the thread has replies already. Slack may not show an ephemeral message that would be the first reply. */
  readonly hasThread?: boolean;
  /** The bot's own message there, which later updates edit. */
  readonly messageTs?: string;
  /** A post of which nobody knows whether it arrived. */
  readonly unconfirmed?: Unconfirmed;
  /** The response URL, for conversations that the bot is not a member of. */
  readonly response?: ResponseUrl;
  /** The link that the user pasted: what it leads to is shown under it, and nothing is posted. */
  readonly link?: PastedLink;
};

/** A link in somebody's message, and how Slack finds it there. */
export type PastedLink = {
  readonly url: string;
  /** The message that holds it, and the thread which that is in. */
  readonly messageTs: string;
  readonly threadTs?: string;
  /** Slack's name for that message, which works also where the bot is no member. */
  readonly unfurlId?: string;
  /** Whether something is shown under it. */
  readonly isUnfurled?: true;
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
  /** Whether the answer uses this URL already, because Slack refused the bot's own post in the channel. */
  readonly isInUse?: boolean;
  /** Whether Slack took the final answer through it: a repeated step does only what follows on the answer. */
  readonly hasAnswer?: boolean;
};

/** Whether what is shown there is for one person's eyes, in a conversation with others. */
export function isPrivately({ response }: Destination): boolean {
  return response?.isInUse === true || response?.replaces === true;
}

/** Whether it is a conversation with one person, by its own id or the person's: nobody else sees what stands there. */
export function isDirect(channel: string): boolean {
  return /^[DUW]/.test(channel);
}
