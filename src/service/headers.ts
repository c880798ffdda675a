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
/** The oldest of HTTP's three forms of a date names no zone: it is in GMT. */
const ZONE = /(?:[A-Z]{1,4}|[+-]\d{4})$/;
/** A 429 without a readable `Retry-After` counts as this. */
const DEFAULT_RETRY_AFTER_MS = 5_000;
/** A longer wait is cut to this: the service may be back earlier, and only a request can tell. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** A time that is further away than a day is a mistake, and counts as unreadable. */
const ABSURD_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * The epoch milliseconds that a `Retry-After` names, as seconds or as a date (RFC 9110, 10.2.3), at most an hour from
 * `now`; of several the latest. Undefined if it is absent or unreadable.
 */
export function retryAfter(answer: HttpResponse, now: number): number | undefined {
  const clock = clockOf(answer, now);
  const stated = [answer.headers['retry-after'] ?? []].flat().map((value) => statedMs(value.trim(), clock));
  const readable = stated.filter((ms) => ms <= ABSURD_RETRY_AFTER_MS);
  if (readable.length === 0) return undefined;
  return now + Math.min(Math.max(...readable, 0), LONGEST_RETRY_AFTER_MS);
}

/** The same with a default, for an answer that always asks to wait. */
export function retryAt(answer: HttpResponse, now: number): number {
  return retryAfter(answer, now) ?? now + DEFAULT_RETRY_AFTER_MS;
}

/** The time of who answers, because a date that it names is one of its clock: this one may be ahead or behind. */
function clockOf(answer: HttpResponse, now: number): number {
  const theirs = Date.parse(header(answer, 'date') ?? '');
  return Math.abs(theirs - now) <= ABSURD_RETRY_AFTER_MS ? theirs : now;
}

/** `NaN` for what is neither seconds nor a date. */
function statedMs(value: string, now: number): number {
  if (HTTP_DATE.test(value)) return Date.parse(ZONE.test(value) ? value : `${value} GMT`) - now;
  const seconds = value.split(',').map((each) => each.trim());
  return seconds.every((each) => SECONDS.test(each)) ? Math.max(...seconds.map(Number)) * 1_000 : Number.NaN;
}
