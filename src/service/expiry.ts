/**
 * The longest that a session is used without doubt, whatever `expires` says: the service refuses an ended session
 * anyway.
 */
export const LONGEST_TRUST_MS = 4 * 3_600_000;
/** Epoch values from here on are milliseconds: as seconds they would be the year 5138. */
const MILLISECONDS_FROM = 1e11;

/**
 * Until when, in epoch milliseconds, a session is used without doubt. `expires` comes with the login (specification,
 * 2.1), in seconds or milliseconds; an absent, past or absurd one counts as unknown.
 */
export function trustedUntil(expires: unknown, now: number): number {
  const stated = Number(expires ?? Number.NaN);
  const ms = stated >= MILLISECONDS_FROM ? stated : stated * 1_000;
  return Math.min(ms > now ? Math.floor(ms) : Number.POSITIVE_INFINITY, now + LONGEST_TRUST_MS);
}
