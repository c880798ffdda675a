import type { ResponseUrl } from '../../core/destination.ts';

export const RESPONSE_URL_MS = 30 * 60_000;
/** The most posts through one response URL. */
export const MOST_USES = 5;

/** The response URL of a delivery that came at `now`. */
export function responseUrl(url: string, replaces: boolean, now: number): ResponseUrl {
  return { url, replaces, expiresAt: now + RESPONSE_URL_MS };
}

/** Whether progress may use the URL: its last use belongs to the final answer. */
export function isUsableForProgress({ uses = 0 }: ResponseUrl): boolean {
  return uses < MOST_USES - 1;
}
