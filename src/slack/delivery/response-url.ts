import type { ResponseUrl } from '../../core/destination.ts';

const RESPONSE_URL_MS = 30 * 60_000;
/** Slack takes this many posts through one address. */
const MOST_USES = 5;

/** The address as Slack handed it over at `now`. */
export function responseUrl(url: string, replaces: boolean, now: number): ResponseUrl {
  return { url, replaces, expiresAt: now + RESPONSE_URL_MS };
}

/** The last use belongs to the final answer: whether there is another one for progress. */
export function isUsableForProgress({ uses = 0 }: ResponseUrl): boolean {
  return uses < MOST_USES - 1;
}
