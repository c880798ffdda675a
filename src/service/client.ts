import { AbortError } from 'p-retry';
import type { DiagnosticsResult } from '../core/diagnostics.ts';
import {
  Forbidden,
  NotAcceptable,
  RateLimited,
  ServiceFailed,
  SessionRefused,
  SnapshotNotFound,
  UnexpectedAnswer,
} from '../core/faults.ts';
import type { HeldLease, Leases } from '../core/lease.ts';
import type { Question } from '../core/lookup.ts';
import type { Authentication, AuthHeaders } from './authentication.ts';
import { readBody } from './document-reader.ts';
import { charsetOf } from './encoding.ts';
import { locationOf, retryAfter, retryAt } from './headers.ts';
import { Pause } from './pause.ts';
import { type ProcessingAnswer, readProcessing } from './processing-answer.ts';
import { type RetryPolicy, withRetries } from './retry.ts';
import type { ServiceSettings } from './service-settings.ts';
import { endOfPage, type SessionEnd, SessionEnds } from './session-ends.ts';
import type { HttpResponse, Transport } from './transport.ts';

/** The service's answer: the analysis, or that the snapshot is still processed. */
type DiagnosticsAnswer = { readonly kind: 'ready'; readonly result: DiagnosticsResult } | ProcessingAnswer;

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
  /** Reads a 200 or a 202, or throws `NotADocument`; every other status means the same for each operation. */
  readonly read: (answer: HttpResponse) => Promise<T>;
};

/** The answer to an operation, or the sign that the session has ended. */
type Outcome<T> = { readonly value: T } | { readonly ended: SessionEnd };

type ClientOptions = {
  readonly transport: Transport;
  readonly authentication: Authentication;
  readonly leases: Leases;
  readonly settings: ServiceSettings;
  readonly retry: RetryPolicy;
  /** For how long an answer that a new login did not change is not taken for the end of a session. Milliseconds. */
  readonly coolDownMs: number;
  readonly now: () => number;
};

/** The service's operations, one method each. */
export class DiagnosticsClient {
  readonly #options: ClientOptions;
  readonly #sessionEnds: SessionEnds;
  readonly #pause: Pause;

  constructor(options: ClientOptions) {
    const { settings, leases, coolDownMs, now } = options;
    this.#options = options;
    this.#sessionEnds = new SessionEnds(settings, leases, coolDownMs);
    this.#pause = new Pause('diagnostics service', leases, now);
  }

  /**
   * The diagnostics of a snapshot (specification, 4.2). Transient faults have been retried before they are thrown;
   * after `processing` the caller waits the ten seconds. `lease` permits each request. Throws every `Fault` of the
   * service and of a login, and `LeaseLost`.
   */
  diagnostics(question: Question, lease: Permission = ALWAYS): Promise<DiagnosticsAnswer> {
    const { now } = this.#options;
    return this.#perform({
      url: this.#urlOf(question),
      mediaType: 'diagnostics',
      lease,
      read: async (answer) =>
        answer.status === 202 ? readProcessing(answer, now()) : this.#document(answer),
    });
  }

  /** Performs an operation, with the retries, the session and the pauses that all operations share. */
  #perform<T>(operation: Operation<T>): Promise<T> {
    const { retry, now, transport } = this.#options;
    return withRetries(retry, () => this.#ask(operation), now, transport.stopping);
  }

  /** One request, repeated once with a new session when the first one had ended (specification, 5.4). */
  async #ask<T>(operation: Operation<T>): Promise<T> {
    const { authentication } = this.#options;
    const first = await this.#authenticate(operation.url);
    const outcome = await this.#send(operation, first);
    if ('value' in outcome) return outcome.value;
    if (!(await this.#sessionEnds.isWorthLogin(outcome.ended))) throw outcome.ended.otherwise;
    await authentication.refused(first);
    const second = await this.#authenticate(operation.url);
    const repeated = await this.#send(operation, second);
    if ('value' in repeated) return repeated.value;
    if (repeated.ended.isCertain) throw await authentication.refusedAgain(second);
    await this.#sessionEnds.wasNone(repeated.ended);
    throw repeated.ended.otherwise;
  }

  /** Not inside the retries of a request: a login has retries of its own, and the two would multiply. */
  async #authenticate(url: URL): Promise<AuthHeaders> {
    try {
      return await this.#options.authentication.authenticate(url);
    } catch (error) {
      throw error instanceof Error ? new AbortError(error) : error;
    }
  }

  #urlOf({ snapshotId, set }: Question): URL {
    const url = new URL(
      `${this.#options.settings.baseUrl}/snapshot-analyzer/api/snapshots/${snapshotId}/diagnostics`,
    );
    if (set !== 'all') url.searchParams.set('set', set);
    return url;
  }

  #send<T>(operation: Operation<T>, { headers }: AuthHeaders): Promise<Outcome<T>> {
    const { transport, settings } = this.#options;
    const request = {
      upstream: 'diagnostics service' as const,
      method: 'GET' as const,
      url: operation.url,
      headers: {
        accept: `application/vnd.${settings.vendor}.${operation.mediaType}.api`,
        'accept-encoding': 'identity',
        'user-agent': settings.userAgent,
        ...headers,
      },
      // While this request was queued, another one may have been told to slow down.
      mayStart: async () => void (await Promise.all([this.#pause.check(), operation.lease.confirm()])),
      mayBeWritten: () => operation.lease.verify(),
    };
    return transport.send(request, (answer) => this.#pause.heeding(() => this.#read(answer, operation)));
  }

  async #read<T>(answer: HttpResponse, { url, read }: Operation<T>): Promise<Outcome<T>> {
    switch (answer.status) {
      case 200:
      case 202:
        return this.#valueOf(read(answer), answer);
      case 401:
        return {
          ended: { isCertain: true, sign: '401', otherwise: new SessionRefused() },
        };
      case 403:
        throw new Forbidden();
      case 404:
        throw new SnapshotNotFound();
      case 406:
        throw new NotAcceptable();
      case 429:
        throw new RateLimited(retryAt(answer, this.#options.now()));
      default:
        return { ended: this.#unspecified(answer, url) };
    }
  }

  async #valueOf<T>(reading: Promise<T>, answer: HttpResponse): Promise<Outcome<T>> {
    try {
      return { value: await reading };
    } catch (error) {
      const ended = endOfPage(error, answer);
      if (ended === undefined) throw error;
      return { ended };
    }
  }

  async #document(answer: HttpResponse): Promise<DiagnosticsAnswer> {
    return { kind: 'ready', result: await readBody(answer.body, charsetOf(answer)) };
  }

  #unspecified(answer: HttpResponse, asked: URL): SessionEnd {
    const { status } = answer;
    if (status >= 500) {
      throw new ServiceFailed('diagnostics service', status, retryAfter(answer, this.#options.now()));
    }
    const location = status >= 300 && status < 400 ? locationOf(answer, asked) : undefined;
    const otherwise = new UnexpectedAnswer('diagnostics service', status, location?.host);
    if (location === undefined) throw otherwise;
    return this.#sessionEnds.ofRedirect(location, otherwise);
  }
}
