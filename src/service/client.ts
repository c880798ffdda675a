import { AbortError } from 'p-retry';
import { isFault, SessionRefused } from '../core/faults.ts';
import type { HeldLease } from '../core/lease.ts';
import type { DiagnosticsAnswer, Question } from '../core/lookup.ts';
import { charsetOf, outcomeOf, retryAfter } from './answers.ts';
import { decodeBody, readBody } from './reading.ts';
import type { SessionCookie, SharedSession } from './session.ts';
import { type ServiceParts, withRetries } from './shared-state.ts';
import type { HttpResponse } from './transport.ts';

/**
 * The longest wait after a 202, even if the service asks for a longer one: people wait for the result. Milliseconds.
 */
const LONGEST_PAUSE_MS = 10 * 60_000;

type Permission = Pick<HeldLease, 'confirm' | 'verify'>;
/** For a caller who is alone. */
const ALWAYS: Permission = { confirm: async () => {}, verify: () => {} };

type Parts = Omit<ServiceParts, 'store' | 'coolDownMs'>;
type Session = Pick<SharedSession, 'authenticate' | 'refused'>;

/** What one operation adds to what all have in common. */
type Operation<T> = {
  readonly url: URL;
  /** The last part of the media type that is asked for: `diagnostics` in `application/vnd.acme.diagnostics.api`. */
  readonly mediaType: string;
  /** What permits the requests. */
  readonly lease: Permission;
  /** Reads a 200 or a 202, or throws `NotADocument`. */
  readonly read: (answer: HttpResponse) => Promise<T>;
};

export type DiagnosticsClient = ReturnType<typeof diagnosticsClient>;

/** The service's operations, one function each, with the retries, the session and the pauses that all share. */
export function diagnosticsClient(parts: Parts, session: Session) {
  const { settings, now } = parts;
  const perform = <T>(operation: Operation<T>) => withRetries(parts, () => ask(parts, session, operation));
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

/** One request, repeated once with a new session when the first one had ended, or may have (specification, 5.4). */
async function ask<T>(parts: Parts, session: Session, operation: Operation<T>): Promise<T> {
  for (let isRepeated = false; ; isRepeated = true) {
    // Not inside the retries of a request: a login has retries of its own, and the two would multiply.
    const cookie = await session.authenticate(operation.url).catch((error: unknown) => {
      throw error instanceof Error ? new AbortError(error) : error;
    });
    const outcome = await send(parts, operation, cookie).catch(async (error: unknown) => {
      // That there is no such snapshot is an answer, too; a failure may say nothing of the session.
      if (isFault(error) && !error.isTransient) await proved(cookie);
      throw error;
    });
    if ('value' in outcome) {
      await proved(cookie);
      return outcome.value;
    }
    const { ended } = outcome;
    const isCertain = ended instanceof SessionRefused;
    const refusal = { path: operation.url.pathname, isCertain, isRepeated };
    if (!(await session.refused(cookie, refusal))) throw ended;
  }
}

function send<T>(parts: Parts, { url, mediaType, lease, read }: Operation<T>, { cookie }: SessionCookie) {
  const { transport, settings, state, now } = parts;
  const upstream = 'diagnostics service';
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
      await state.checkPause(upstream);
      // Last: a store that stands still would take its time from that of the lease.
      await lease.confirm();
    },
    mayBeWritten: () => lease.verify(),
  } as const;
  return transport.send(request, (answer) =>
    state.heedingPauses(upstream, () => outcomeOf(answer, read, { asked: url, settings, now: now() })),
  );
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

/** The answer counts even if that can't be stored: the next one proves the session as well. */
async function proved({ prove }: SessionCookie): Promise<void> {
  await prove?.().catch(() => {});
}
