import { type Fault, fault, isFault } from '../core/faults.ts';
import type { DiagnosticsAnswer, Question } from '../core/lookup.ts';
import type { ServiceParts } from './login.ts';
import { decodeBody, readBody } from './reading.ts';
import { retryAfter, retryAt, withRetries } from './retries.ts';
import type { SharedSession } from './session.ts';
import { type HttpResponse, header } from './transport.ts';

/** The longest wait after a 202, even if the service asks for more, because people wait for the result. Milliseconds. */
const LONGEST_PAUSE_MS = 10 * 60_000;
const upstream = 'diagnostics service';

/** Permits a request; throws if another process may be sending it, too. */
type Confirm = () => Promise<void>;
type Session = Pick<SharedSession, 'authenticate' | 'refused' | 'send'>;
/** The outcome of a request. `ended`: the session may have expired. If a new session does not help, the fault is thrown. */
type Outcome = { readonly answer: DiagnosticsAnswer } | { readonly ended: Fault };

export type DiagnosticsClient = ReturnType<typeof diagnosticsClient>;

/** The client of the diagnostics API. All requests share the session, and the pauses that it stores. */
export function diagnosticsClient(parts: ServiceParts, session: Session) {
  const { settings, now } = parts;
  const send = (url: URL, confirm: Confirm, cookie: string): Promise<Outcome> => {
    const request = {
      upstream,
      method: 'GET',
      url,
      headers: {
        accept: `application/vnd.${settings.vendor}.diagnostics.api`,
        'accept-encoding': 'identity',
        'user-agent': settings.userAgent,
        cookie,
      },
      mayStart: confirm,
    } as const;
    return session.send(request, (response) => outcomeOf(response, url, now()));
  };
  /** Sends a question, and repeats it with a new session if the session may have expired (specification, 5.4). */
  const ask = async (url: URL, confirm: Confirm): Promise<DiagnosticsAnswer> => {
    for (let isRepeated = false; ; isRepeated = true) {
      const sent = await session.authenticate(url);
      const outcome = await withRetries(parts, () => send(url, confirm, sent.cookie));
      if ('answer' in outcome) return outcome.answer;
      if (isRepeated || !(await session.refused(sent))) throw outcome.ended;
    }
  };
  return {
    /**
     * The diagnostics of a snapshot (specification, 4.2). Retries temporary faults before it throws them. After
     * `processing` the caller must wait ten seconds. Calls `confirm` before each request. Throws every `Fault` of the
     * service and of a login, and the errors of `confirm`.
     */
    diagnostics: (
      { snapshotId, set }: Question,
      confirm: Confirm = async () => {},
    ): Promise<DiagnosticsAnswer> => {
      const url = new URL(`${settings.baseUrl}/snapshot-analyzer/api/snapshots/${snapshotId}/diagnostics`);
      if (set !== 'all') url.searchParams.set('set', set);
      return ask(url, confirm);
    },
  };
}

/** What a response from the URL `asked` means, by its status (specification, 4.2, 5.4 and 7). Throws the service's faults. */
async function outcomeOf(response: HttpResponse, asked: URL, now: number): Promise<Outcome> {
  const { status } = response;
  switch (status) {
    case 200:
      return readReady(response);
    case 202:
      return { answer: await readProcessing(response, now) };
    case 401:
      return { ended: fault('session-refused', {}) };
    case 403:
      throw fault('forbidden', {});
    case 404:
      throw fault('snapshot-not-found', {});
    case 406:
      throw fault('not-acceptable', {});
    case 429:
      throw fault('rate-limited', { retryAt: retryAt(response, now) });
  }
  if (status >= 500) throw fault('service-failed', { upstream, status, retryAt: retryAfter(response, now) });
  const location = header(response, 'location');
  const target = status >= 300 && status < 400 && location ? URL.parse(location, asked.href) : null;
  const unexpected = fault('unexpected-answer', { upstream, status, redirectedTo: target?.host });
  if (target === null) throw unexpected;
  // With expired cookies, the service redirects to a login page.
  return { ended: LOGIN_PATHS.test(target.pathname) ? fault('session-refused', {}) : unexpected };
}

/** The paths of a login and of the login page (specification, 4.1). */
const LOGIN_PATHS = /\/(?:auth\/pub\/sso|resource)\/login/;

/** Reads a 200. HTML means an expired session: a proxy may have followed the redirect to the sign-in page. */
async function readReady(response: HttpResponse): Promise<Outcome> {
  try {
    return { answer: { kind: 'ready', result: await readBody(response.body) } };
  } catch (error) {
    if (isFault(error, 'not-a-document') && error.reason === 'html') return { ended: error };
    throw error;
  }
}

/** How much of a 202 is decoded: its reason is one sentence, and decoding takes time. */
const REASON_BYTES = 64 * 1024;

/** Reads a 202 (specification, 4.2). `now`: epoch milliseconds. */
async function readProcessing(answer: HttpResponse, now: number): Promise<DiagnosticsAnswer> {
  // Loaded at the first 202, because it brings a large table of HTML entities.
  const { processingReason } = await import('./text.ts');
  const reason = processingReason(decodeBody(answer.body.subarray(0, REASON_BYTES)));
  const stated = retryAfter(answer, now);
  const pause = stated === undefined ? {} : { pauseMs: Math.min(stated - now, LONGEST_PAUSE_MS) };
  return { kind: 'processing', reason, ...pause };
}
