import {
  type Fault,
  Forbidden,
  NotAcceptable,
  NotADocument,
  type NotADocumentReason,
  RateLimited,
  ServiceFailed,
  SessionRefused,
  SnapshotNotFound,
  UnexpectedAnswer,
} from '../core/faults.ts';
import type { ServiceSettings } from './shared-state.ts';
import type { HttpResponse } from './transport.ts';

/**
 * The answer to an operation, or that the session has ended or may have: then the fault to throw if a new session gets
 * the same answer. It is a `SessionRefused` where the answer can have no other meaning (specification, 5.4).
 */
type Outcome<T> = { readonly value: T } | { readonly ended: Fault };

/**
 * What an answer means, by its status (specification, 4.2, 5.4 and 7). `read` reads a 200 or a 202, or throws
 * `NotADocument`; every other status means the same for each operation. Throws the faults of the service.
 */
export async function outcomeOf<T>(
  answer: HttpResponse,
  read: (answer: HttpResponse) => Promise<T>,
  { asked, settings, now }: { readonly asked: URL; readonly settings: ServiceSettings; readonly now: number },
): Promise<Outcome<T>> {
  const { status } = answer;
  switch (status) {
    case 200:
    case 202:
      return read(answer).then(
        (value) => ({ value }),
        (error: unknown) => ({ ended: pageIn(answer, error) }),
      );
    case 401:
      return { ended: new SessionRefused() };
    case 403:
      throw new Forbidden();
    case 404:
      throw new SnapshotNotFound();
    case 406:
      throw new NotAcceptable();
    case 429:
      throw new RateLimited(retryAt(answer, now));
  }
  if (status >= 500) throw new ServiceFailed('diagnostics service', status, retryAfter(answer, now));
  const location = status >= 300 && status < 400 ? locationOf(answer, asked) : undefined;
  const unexpected = new UnexpectedAnswer('diagnostics service', status, location?.host);
  if (location === undefined) throw unexpected;
  // With expired cookies the service redirects to the login servers, or to another host of its sign-in pages.
  return { ended: isOfLogin(location, asked, settings) ? new SessionRefused() : unexpected };
}

/** The paths of a login and of the interactive login page (specification, 4.1). */
const LOGIN_PATHS = /\/(?:auth\/pub\/sso|resource)\/login/;

/** Whether a redirect leads to a login. On the host that was asked it may lead anywhere, unless the path says so. */
function isOfLogin({ host, pathname }: URL, asked: URL, { authUrl, loginUrl }: ServiceSettings): boolean {
  const isHost = [authUrl, loginUrl].some((url) => new URL(url).host === host);
  return isHost && (host !== asked.host || LOGIN_PATHS.test(pathname));
}

/** What a page can look like that does not begin as most do. */
const MAY_BE_PAGE: ReadonlySet<NotADocumentReason> = new Set(['broken', 'wrong-root', 'not-xml']);
const PAGE = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i;

/**
 * The fault of an answer that can't be read for being a page of HTML: a proxy that follows the redirect of an ended
 * session answers 200 with a sign-in page. Throws any other error.
 */
function pageIn(answer: HttpResponse, error: unknown): NotADocument {
  if (error instanceof NotADocument) {
    if (error.reason === 'html') return error;
    const isHtml = PAGE.test(header(answer, 'content-type') ?? '');
    if (MAY_BE_PAGE.has(error.reason) && isHtml) return new NotADocument('html', { cause: error });
  }
  throw error;
}

/** The first value of a header, or undefined. */
export function header(answer: HttpResponse, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const CHARSET = /charset\s?=\s?["']?([\w:.-]+)/i;

/** The encoding that the answer's header names, if it names one. */
export function charsetOf(answer: HttpResponse): string | undefined {
  return CHARSET.exec(header(answer, 'content-type') ?? '')?.[1];
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
