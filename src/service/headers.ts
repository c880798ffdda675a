import type { HttpAnswer } from './transport.ts';

/** The first value of a header, or undefined. */
export function header(answer: HttpAnswer, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Where a redirect leads, resolved against what was asked; undefined when it says nothing readable. */
export function locationOf(answer: HttpAnswer, asked: URL): URL | undefined {
  const location = header(answer, 'location');
  return location !== undefined && URL.canParse(location, asked) ? new URL(location, asked) : undefined;
}

const SECONDS = /^\d{1,9}(?:\.\d{1,9})?$/;
/** Anything else that `Date.parse` accepts, such as `-5`, is no date that a server meant. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? /;
/** What an unreadable or absent `Retry-After` counts as. */
const DEFAULT_RETRY_AFTER_MS = 5_000;
/** Longer than this is not believed. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** The epoch milliseconds that a `Retry-After` names, as seconds or as a date (RFC 9110, 10.2.3). */
export function retryAt(answer: HttpAnswer, now: number): number {
  const value = header(answer, 'retry-after')?.trim() ?? '';
  const stated = SECONDS.test(value)
    ? Number(value) * 1_000
    : HTTP_DATE.test(value)
      ? Date.parse(value) - now
      : Number.NaN;
  const ms = Number.isNaN(stated) ? DEFAULT_RETRY_AFTER_MS : stated;
  return now + Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}
