import { AbortError } from 'p-retry';
import { isFault, SessionRefused } from '../core/faults.ts';
import type { HeldLease } from '../core/lease.ts';
import type { DiagnosticsAnswer, Question } from '../core/lookup.ts';
import { charsetOf, decodeBody, outcomeOf, retryAfter } from './answers.ts';
import type { Authentication, AuthHeaders, ServiceParts } from './authentication.ts';
import { readBody } from './document-reader.ts';
import { withRetries } from './shared-state.ts';
import type { HttpResponse } from './transport.ts';

/**
 * The longest wait after a 202, even if the service asks for a longer one: people wait for the result. Milliseconds.
 */
const LONGEST_PAUSE_MS = 10 * 60_000;

type Permission = Pick<HeldLease, 'confirm' | 'verify'>;
/** For a caller who is alone. */
const ALWAYS: Permission = { confirm: async () => {}, verify: () => {} };

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

/** The service's operations, one method each. */
export class DiagnosticsClient {
  readonly #parts: Omit<ServiceParts, 'store'>;
  readonly #authentication: Authentication;

  constructor(parts: Omit<ServiceParts, 'store'>, authentication: Authentication) {
    this.#parts = parts;
    this.#authentication = authentication;
  }

  /**
   * The diagnostics of a snapshot (specification, 4.2). Transient faults have been retried before they are thrown;
   * after `processing` the caller waits the ten seconds. `lease` permits the question: it is confirmed before each
   * request, and verified when that is written. Throws every `Fault` of the service and of a login, and `LeaseLost`.
   */
  diagnostics({ snapshotId, set }: Question, lease = ALWAYS): Promise<DiagnosticsAnswer> {
    const { settings, now } = this.#parts;
    const url = new URL(`${settings.baseUrl}/snapshot-analyzer/api/snapshots/${snapshotId}/diagnostics`);
    if (set !== 'all') url.searchParams.set('set', set);
    const read = async (answer: HttpResponse): Promise<DiagnosticsAnswer> =>
      answer.status === 202
        ? readProcessing(answer, now())
        : { kind: 'ready', result: await readBody(answer.body, charsetOf(answer)) };
    return this.#perform({ url, mediaType: 'diagnostics', lease, read });
  }

  /** Performs an operation, with the retries, the session and the pauses that all operations share. */
  #perform<T>(operation: Operation<T>): Promise<T> {
    return withRetries(this.#parts, () => this.#ask(operation));
  }

  /** One request, repeated once with a new session when the first one had ended, or may have (specification, 5.4). */
  async #ask<T>(operation: Operation<T>): Promise<T> {
    for (let isRepeated = false; ; isRepeated = true) {
      const session = await this.#authenticate(operation.url);
      const outcome = await this.#send(operation, session).catch(async (error: unknown) => {
        // That there is no such snapshot is an answer, too; a failure may say nothing of the session.
        if (isFault(error) && !error.isTransient) await proved(session);
        throw error;
      });
      if ('value' in outcome) {
        await proved(session);
        return outcome.value;
      }
      const { ended } = outcome;
      const isCertain = ended instanceof SessionRefused;
      const refusal = { path: operation.url.pathname, isCertain, isRepeated };
      if (!(await this.#authentication.refused(session, refusal))) throw ended;
    }
  }

  /** Not inside the retries of a request: a login has retries of its own, and the two would multiply. */
  async #authenticate(url: URL): Promise<AuthHeaders> {
    try {
      return await this.#authentication.authenticate(url);
    } catch (error) {
      throw error instanceof Error ? new AbortError(error) : error;
    }
  }

  #send<T>({ url, mediaType, lease, read }: Operation<T>, { headers }: AuthHeaders) {
    const { transport, settings, state, now } = this.#parts;
    const upstream = 'diagnostics service';
    const request = {
      upstream,
      method: 'GET',
      url,
      headers: {
        accept: `application/vnd.${settings.vendor}.${mediaType}.api`,
        'accept-encoding': 'identity',
        'user-agent': settings.userAgent,
        ...headers,
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
}

/** A reason is one sentence: decoding more of a body would delay others. */
const REASON_BYTES = 64 * 1024;

/** Reads a 202 (specification, 4.2). `now` is epoch milliseconds. */
async function readProcessing(answer: HttpResponse, now: number): Promise<DiagnosticsAnswer> {
  // Loaded at the first 202, because the table of HTML's named characters comes with it.
  const { processingReason } = await import('./text.ts');
  const reason = processingReason(decodeBody(answer.body.subarray(0, REASON_BYTES), charsetOf(answer)));
  const stated = retryAfter(answer, now);
  const retryAt = stated === undefined ? {} : { retryAt: Math.min(stated, now + LONGEST_PAUSE_MS) };
  return { kind: 'processing', reason, ...retryAt };
}

/** The answer counts even if that can't be stored: the next one proves the session as well. */
async function proved({ prove }: AuthHeaders): Promise<void> {
  await prove?.().catch(() => {});
}
