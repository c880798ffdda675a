import type { Unconfirmed } from './receipts.ts';

/** Where an answer belongs, and how it can get there. Kept with the lookup, so all of it survives a restart. */
export type Place = {
  readonly channel: string;
  readonly user: string;
  readonly threadTs?: string;
  /** The bot's own message there: it is edited. */
  readonly messageTs?: string;
  /** A post of which nobody knows yet whether it arrived. */
  readonly unconfirmed?: Unconfirmed;
  /** The way in where the bot is no member. */
  readonly response?: ResponseUrl;
};

/** Slack's one-off address for a command or a click: 30 minutes, five posts. */
export type ResponseUrl = {
  readonly url: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** A click's address can replace the message that was clicked; a command's can only post. */
  readonly replaces: boolean;
  /** The answer goes on through this address, because the channel refused the bot. */
  readonly isInUse?: boolean;
};

const RESPONSE_URL_MS = 30 * 60_000;

/** The address as Slack handed it over at `now`. */
export function responseUrl(url: string, replaces: boolean, now: number): ResponseUrl {
  return { url, replaces, expiresAt: now + RESPONSE_URL_MS };
}
