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
import { header, locationOf, retryAfter, retryAt } from './headers.ts';
import type { ServiceSettings } from './service-parts.ts';
import type { HttpResponse } from './transport.ts';

/** An answer that means, or may mean, that the session has ended. */
type SessionEnd = {
  /** Whether the answer can have no other meaning (specification, 5.4). */
  readonly isCertain: boolean;
  /** Identifies the kind of answer: two answers with the same sign are treated alike. */
  readonly sign: string;
  /** The fault to throw if a new session gets the same answer. */
  readonly otherwise: Fault;
};

/** The answer to an operation, or the sign that the session has ended. */
export type Outcome<T> = { readonly value: T } | { readonly ended: SessionEnd };

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
      return valueIn(answer, read);
    case 401:
      return { ended: { isCertain: true, sign: '401', otherwise: new SessionRefused() } };
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
  const otherwise = new UnexpectedAnswer('diagnostics service', status, location?.host);
  if (location === undefined) throw otherwise;
  return { ended: endOfRedirect(location, settings, otherwise) };
}

async function valueIn<T>(
  answer: HttpResponse,
  read: (answer: HttpResponse) => Promise<T>,
): Promise<Outcome<T>> {
  try {
    return { value: await read(answer) };
  } catch (error) {
    if (!(error instanceof NotADocument) || !isPage(error.reason, answer)) throw error;
    const otherwise = error.reason === 'html' ? error : new NotADocument('html', { cause: error });
    return { ended: { isCertain: false, sign: 'page', otherwise } };
  }
}

/** With expired cookies the service redirects to the login servers, or to another host of its sign-in pages. */
function endOfRedirect(
  { host }: URL,
  { authUrl, loginUrl }: ServiceSettings,
  otherwise: UnexpectedAnswer,
): SessionEnd {
  const isCertain = [authUrl, loginUrl].some((url) => new URL(url).host === host);
  return { isCertain, sign: `redirect:${host}`, otherwise: isCertain ? new SessionRefused() : otherwise };
}

/** What a page can look like that does not begin as most do. */
const MAY_BE_PAGE: ReadonlySet<NotADocumentReason> = new Set(['broken', 'wrong-root', 'not-xml']);
const PAGE = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i;

/** A proxy that follows the redirect of an ended session answers 200 with a sign-in page, which no operation can read. */
function isPage(reason: NotADocumentReason, answer: HttpResponse): boolean {
  return reason === 'html' || (MAY_BE_PAGE.has(reason) && PAGE.test(header(answer, 'content-type') ?? ''));
}
