import { AbortError } from 'p-retry';
import { type Fault, fault, isFault, type NotADocumentReason } from '../core/faults.ts';
import type { HeldLease } from '../core/lease.ts';
import type { DiagnosticsAnswer, Question } from '../core/lookup.ts';
import type { ServiceParts, ServiceSettings } from './login.ts';
import { decodeBody, readBody } from './reading.ts';
import { retryAfter, retryAt, withRetries } from './retries.ts';
import type { SessionCookie, SharedSession } from './session.ts';
import type { HttpResponse } from './transport.ts';

/** The longest wait after a 202, even if the service asks for a longer one: people wait for the result. Milliseconds. */
const LONGEST_PAUSE_MS = 10 * 60_000;
const upstream = 'diagnostics service';

type Permission = Pick<HeldLease, 'confirm' | 'verify'>;
/** For a caller who is alone. */
const ALWAYS: Permission = { confirm: async () => {}, verify: () => {} };

type Session = Pick<SharedSession, 'authenticate' | 'refused' | 'mayAsk' | 'heedingPauses'>;
/**
 * The answer to an operation, or that the session has ended or may have: then the fault to throw if a new session gets the
 * same answer.
 */
type Outcome<T> = { readonly value: T } | { readonly ended: Fault };

/** What one operation adds to what all have in common. */
type Operation<T> = {
  readonly url: URL;
  /** The last part of the media type that is asked for: `diagnostics` in `application/vnd.acme.diagnostics.api`. */
  readonly mediaType: string;
  /** What permits the requests. */
  readonly lease: Permission;
  /** Reads a 200 or a 202, or throws `not-a-document`. */
  readonly read: (answer: HttpResponse) => Promise<T>;
};

export type DiagnosticsClient = ReturnType<typeof diagnosticsClient>;

/** The service's operations, one function each, with the retries, the session and the pauses that all share. */
export function diagnosticsClient(parts: ServiceParts, session: Session) {
  const { settings, retry, transport, now } = parts;
  const perform = <T>(operation: Operation<T>) =>
    withRetries({ retry, now, stopping: transport.stopping }, () => ask(parts, session, operation));
  return {
    /**
     * The diagnostics of a snapshot (specification, 4.2). Transient faults have been retried before they are thrown;
     * after `processing` the caller waits the ten seconds. `lease` permits the question: it is confirmed before each
     * request, and verified when that is written. Throws every `Fault` of the service and of a login, and `LeaseLost`.
     */
    diagnostics: ({ snapshotId, set }: Question, lease = ALWAYS): Promise<DiagnosticsAnswer> => {
      const url = new URL(`${settings.baseUrl}/snapshot-analyzer/api/snapshots/${snapshotId}/diagnostics`);
      if (set !== 'all') url.searchParams.set('set', set);
      const read = async (answer: HttpResponse): Promise<DiagnosticsAnswer> =>
        answer.status === 202
          ? readProcessing(answer, now())
          : { kind: 'ready', result: await readBody(answer.body, charsetOf(answer)) };
      return perform({ url, mediaType: 'diagnostics', lease, read });
    },
  };
}

/** One request, repeated once with a new session if the first one had ended, or may have (specification, 5.4). */
async function ask<T>(parts: ServiceParts, session: Session, operation: Operation<T>): Promise<T> {
  for (let isRepeated = false; ; isRepeated = true) {
    // Not inside the retries of a request: a login has retries of its own, and the two would multiply.
    const cookie = await session.authenticate(operation.url).catch((error: unknown) => {
      throw error instanceof Error ? new AbortError(error) : error;
    });
    const outcome = await send(parts, session, operation, cookie);
    if ('value' in outcome) return outcome.value;
    if (isRepeated || !(await session.refused(cookie))) throw outcome.ended;
  }
}

function send<T>(
  { transport, settings, now }: ServiceParts,
  session: Session,
  { url, mediaType, lease, read }: Operation<T>,
  { cookie }: SessionCookie,
): Promise<Outcome<T>> {
  const request = {
    upstream,
    method: 'GET',
    url,
    headers: {
      accept: `application/vnd.${settings.vendor}.${mediaType}.api`,
      'accept-encoding': 'identity',
      'user-agent': settings.userAgent,
      cookie,
    },
    mayStart: async () => {
      // While this request was queued, another one may have been told to slow down.
      await session.mayAsk(upstream);
      // Last: a store that stands still would take its time from that of the lease.
      await lease.confirm();
    },
    mayBeWritten: () => lease.verify(),
  } as const;
  // A pause is stored in the turn of its request, before the next one starts.
  return transport.send(request, (answer) =>
    session.heedingPauses(upstream, outcomeOf(answer, read, { asked: url, settings, now: now() })),
  );
}

/** What an answer means, by its status (specification, 4.2, 5.4 and 7). Throws the faults of the service. */
async function outcomeOf<T>(
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
      return { ended: fault('session-refused', {}) };
    case 403:
      throw fault('forbidden', {});
    case 404:
      throw fault('snapshot-not-found', {});
    case 406:
      throw fault('not-acceptable', {});
    case 429:
      throw fault('rate-limited', { retryAt: retryAt(answer, now) });
  }
  if (status >= 500) throw fault('service-failed', { upstream, status, retryAt: retryAfter(answer, now) });
  const location = header(answer, 'location');
  const target = status >= 300 && status < 400 && location ? URL.parse(location, asked.href) : null;
  const unexpected = fault('unexpected-answer', { upstream, status, redirectedTo: target?.host });
  if (target === null) throw unexpected;
  // With expired cookies the service redirects to the login servers, or to another host of its sign-in pages.
  return { ended: isOfLogin(target, asked, settings) ? fault('session-refused', {}) : unexpected };
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

/**
 * The fault of an answer that is a web page: a proxy that follows the redirect of an ended session answers 200 with a
 * sign-in page. Throws any other error.
 */
function pageIn(answer: HttpResponse, error: unknown): Fault {
  if (isFault(error, 'not-a-document')) {
    if (error.reason === 'html') return error;
    const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(header(answer, 'content-type') ?? '');
    if (MAY_BE_PAGE.has(error.reason) && isHtml)
      return fault('not-a-document', { reason: 'html' }, { cause: error });
  }
  throw error;
}

/** A reason is one sentence: decoding more of a body would delay others. */
const REASON_BYTES = 64 * 1024;

/** Reads a 202 (specification, 4.2). `now` is epoch milliseconds. */
async function readProcessing(answer: HttpResponse, now: number): Promise<DiagnosticsAnswer> {
  // Loaded at the first 202, because the table of HTML's named characters comes with it.
  const { processingReason } = await import('./text.ts');
  const reason = processingReason(decodeBody(answer.body.subarray(0, REASON_BYTES), charsetOf(answer)));
  const stated = retryAfter(answer, now);
  const pause = stated === undefined ? {} : { pauseMs: Math.min(stated - now, LONGEST_PAUSE_MS) };
  return { kind: 'processing', reason, ...pause };
}

/** The encoding that the answer's header names, if it names one. */
function charsetOf(answer: HttpResponse): string | undefined {
  return /charset\s?=\s?["']?([\w:.-]+)/i.exec(header(answer, 'content-type') ?? '')?.[1];
}

/** The first value of a header, or undefined. */
function header({ headers }: HttpResponse, name: string): string | undefined {
  return [headers[name] ?? []].flat()[0];
}
