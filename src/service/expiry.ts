/** No session is trusted for longer, whatever `expires` says: refusals, not the clock, settle it. */
export const LONGEST_TRUST_MS = 4 * 3_600_000;
/** An `expires` beyond this is not a date that anybody meant. */
const ABSURD_MS = 366 * 24 * 3_600_000;
/** Epoch values from here on are milliseconds: as seconds they would be the year 5138. */
const MILLISECONDS_FROM = 1e11;

/**
 * Until when, in epoch milliseconds, a session is used without doubt. `expires` is the login's own word
 * (specification, 2.1), in seconds or milliseconds; an absent, past or absurd one counts as unknown.
 */
export function trustedUntil(expires: unknown, now: number): number {
  const stated = Number(expires ?? Number.NaN);
  const ms = stated >= MILLISECONDS_FROM ? stated : stated * 1_000;
  const isKnown = ms > now && ms < now + ABSURD_MS;
  return Math.min(isKnown ? Math.floor(ms) : Number.POSITIVE_INFINITY, now + LONGEST_TRUST_MS);
}
