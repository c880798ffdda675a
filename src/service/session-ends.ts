import { type Fault, NotADocument, type NotADocumentReason, SessionRefused } from '../core/faults.ts';
import type { Leases } from '../core/lease.ts';
import { header } from './headers.ts';
import type { ServiceSettings } from './service-settings.ts';
import type { HttpResponse } from './transport.ts';

/** An answer that means, or may mean, that the session has ended. */
export type SessionEnd = {
  /** Whether the answer can have no other meaning (specification, 5.4). */
  readonly isCertain: boolean;
  /** Identifies the kind of answer: two answers with the same sign are treated alike. */
  readonly sign: string;
  /** The fault to throw if a new session gets the same answer. */
  readonly otherwise: Fault;
};

/**
 * Tells the end of a session from answers that look like one. A redirect to another host than the login servers, or a
 * web page, may mean either: it is worth one login, and none more for some time where that login changed nothing.
 */
export class SessionEnds {
  readonly #loginHosts: ReadonlySet<string>;
  readonly #leases: Leases;
  readonly #coolDownMs: number;

  constructor({ authUrl, loginUrl }: ServiceSettings, leases: Leases, coolDownMs: number) {
    this.#loginHosts = new Set([authUrl, loginUrl].map((url) => new URL(url).host));
    this.#leases = leases;
    this.#coolDownMs = coolDownMs;
  }

  /** With expired cookies the service redirects to the login servers, or to another host of its sign-in pages. */
  ofRedirect({ host }: URL, otherwise: Fault): SessionEnd {
    const isCertain = this.#loginHosts.has(host);
    const fault = isCertain ? new SessionRefused() : otherwise;
    return { isCertain, sign: `redirect:${host}`, otherwise: fault };
  }

  /** Whether a login may change the answer. Throws `StorageFailed`. */
  async isWorthLogin(end: SessionEnd): Promise<boolean> {
    return end.isCertain || (await this.#leases.ttl(leaseOf(end))) <= 0;
  }

  /** A new session got the same answer, so the answer does not mean that a session has ended. Throws `StorageFailed`. */
  async wasNone(end: SessionEnd): Promise<void> {
    await this.#leases.hold(leaseOf(end), this.#coolDownMs);
  }
}

function leaseOf({ sign }: SessionEnd): string {
  return `no-session-end:${sign}`;
}

/** A proxy that follows the redirect of an ended session answers 200 with a sign-in page, which no operation can read. */
export function endOfPage(error: unknown, answer: HttpResponse): SessionEnd | undefined {
  if (!(error instanceof NotADocument)) return undefined;
  if (error.reason === 'html') return { isCertain: false, sign: 'page', otherwise: error };
  if (!MAY_BE_PAGE.has(error.reason) || !PAGE.test(header(answer, 'content-type') ?? '')) return undefined;
  const otherwise = new NotADocument('html', { cause: error });
  return { isCertain: false, sign: 'page', otherwise };
}

/** What a page can look like that does not begin as most do. */
const MAY_BE_PAGE: ReadonlySet<NotADocumentReason> = new Set(['broken', 'wrong-root', 'not-xml']);
const PAGE = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i;
