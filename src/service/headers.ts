import type { HttpResponse } from './transport.ts';

/** The first value of a header, or undefined. */
export function header(answer: HttpResponse, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The target of a redirect, resolved against the request's URL; undefined if it cannot be read. */
export function locationOf(answer: HttpResponse, asked: URL): URL | undefined {
  const location = header(answer, 'location');
  return location !== undefined && URL.canParse(location, asked) ? new URL(location, asked) : undefined;
}

const SECONDS = /^\d{1,9}(?:\.\d{1,9})?$/;
/** `Date.parse` also accepts texts such as `-5`, which are no HTTP dates. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? /;
/** A 429 without a readable `Retry-After` counts as this. */
const DEFAULT_RETRY_AFTER_MS = 5_000;
/** A longer wait is cut to this: the service may be back earlier, and only a request can tell. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** A time that is further away than a day is a mistake, and counts as unreadable. */
const ABSURD_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * The epoch milliseconds that a `Retry-After` names, as seconds or as a date (RFC 9110, 10.2.3), at most an hour from
 * `now`; undefined if it is absent or unreadable.
 */
export function retryAfter(answer: HttpResponse, now: number): number | undefined {
  const ms = statedMs(header(answer, 'retry-after')?.trim() ?? '', now);
  if (Number.isNaN(ms) || ms > ABSURD_RETRY_AFTER_MS) return undefined;
  return now + Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}

/** The same with a default, for an answer that always asks to wait. */
export function retryAt(answer: HttpResponse, now: number): number {
  return retryAfter(answer, now) ?? now + DEFAULT_RETRY_AFTER_MS;
}

function statedMs(value: string, now: number): number {
  if (SECONDS.test(value)) return Number(value) * 1_000;
  return HTTP_DATE.test(value) ? Date.parse(value) - now : Number.NaN;
}
