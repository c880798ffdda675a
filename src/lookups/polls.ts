import { Stopping } from '../core/errors.ts';
import { type Fault, fault, isFault, retryAtOf } from '../core/faults.ts';
import { type HeldLease, LeaseLost, withLeaseWhenFree } from '../core/lease.ts';
import { type DiagnosticsAnswer, type Question, questionKey } from '../core/lookup.ts';
import type { Namespace, Retention, Store } from '../core/store.ts';
import { SingleFlight } from '../core/time.ts';
import type { Read } from './lookup-status.ts';

export type Ready = Read & { readonly kind: 'ready' };
/** The service answered 202: its reason or '', since when, and when it may be asked again. Epoch milliseconds. */
export type Processing = {
  readonly kind: 'processing';
  readonly reason: string;
  readonly since: number;
  readonly lookAgainAt: number;
};
/** A fault that may pass, and when it is worth asking again. Epoch milliseconds. */
export type Trouble = { readonly kind: 'trouble'; readonly fault: Fault; readonly lookAgainAt: number };
type Answer = Ready | Processing | Trouble;

type PollOptions = {
  /** Asks the service. `lease` permits that: it is confirmed before each request, and verified when that is written. */
  readonly source: {
    diagnostics(question: Question, lease: Pick<HeldLease, 'confirm' | 'verify'>): Promise<DiagnosticsAnswer>;
  };
  readonly store: Pick<Store, 'namespace' | 'leases'>;
  readonly retention: Retention;
  readonly timing: { readonly intervalMs: number; readonly answerMs: number };
  /** Epoch milliseconds of the clock that replicas share. */
  readonly now: () => number;
  /** Called with the outcome of each request: ready, processing, or the code of a fault. */
  readonly onOutcome: (outcome: string) => void;
};

/** How long a stored 202 is of use. */
const PROCESSING_TTL_MS = 15 * 60_000;
/** Clocks count whole milliseconds, so that each end of an interval may be off by one. */
const MARGIN_MS = 20;
/** By how much the clocks of replicas may differ. Milliseconds. */
const CLOCKS_DIFFER_MS = 60_000;
/** No pause is longer; a stored one that seems to be is of a clock that was wrong. */
const LONGEST_REST_MS = 10 * 60_000 + MARGIN_MS;
const LONGEST_TROUBLE_MS = 60_000;

/** A pause of a question in this process. `until`: monotonic milliseconds. `troubles`: faults in a row. */
type Pause = {
  readonly answer: Omit<Processing, 'lookAgainAt'> | Omit<Trouble, 'lookAgainAt'>;
  readonly until: number;
  readonly troubles: number;
};

/**
 * Asks the service, at most once at a time for each question, and never within the interval after a 202 (specification,
 * 4.2). The process that asks holds the lease `asking`, and keeps it for the interval after a 202, which is stored.
 */
export class Polls {
  readonly #options: PollOptions;
  readonly #intervalMs: number;
  readonly #results: Namespace<Ready>;
  /** Stored apart from the results, so that a snapshot that is processed again keeps its earlier result. */
  readonly #processing: Namespace<Processing>;
  readonly #pauses = new Map<string, Pause>();
  readonly #flights = new SingleFlight<Answer>();

  constructor(options: PollOptions) {
    this.#options = options;
    this.#intervalMs = options.timing.intervalMs + MARGIN_MS;
    this.#results = options.store.namespace('answers');
    this.#processing = options.store.namespace('processing');
  }

  /** The answer to a question for a caller that does not wait out faults: throws every `Fault`. */
  async look(question: Question, notBefore: number): Promise<Ready | Processing> {
    const answer = await this.ask(question, notBefore);
    if (answer.kind === 'trouble') throw answer.fault;
    return answer;
  }

  /**
   * The answer to a question, read at `notBefore` or later. Callers share a running request, also one of another replica.
   * During a pause gives what led to it, and when to come back, unless the snapshot had been read before it is processed
   * anew. Throws each `Fault` that does not pass.
   */
  async ask(question: Question, notBefore: number): Promise<Answer> {
    const name = questionKey(question);
    for (;;) {
      const running = this.#flights.running(name);
      const answer = await (running ?? this.#flights.do(name, () => this.#askAlone(question, notBefore)));
      if (answer.kind === 'processing' && answer.since > notBefore)
        return (await this.cached(question, notBefore)) ?? answer;
      // A result that others asked for may have been read too early for this caller.
      if (answer.kind !== 'ready' || running === undefined || answer.readAt >= notBefore) return answer;
    }
  }

  /** The cached result that was read at `notBefore` or later, if there is one. A whole analysis answers every question. */
  async cached(question: Question, notBefore = 0): Promise<Ready | undefined> {
    const known = await this.#results.get(questionKey(question));
    if (known !== undefined && this.#isOfNow(known, notBefore)) return known;
    return question.set === 'all' ? undefined : this.cached({ ...question, set: 'all' }, notBefore);
  }

  /** A result that was read later than now is of a clock that was wrong. */
  #isOfNow({ readAt }: Ready, notBefore: number): boolean {
    return readAt >= notBefore && readAt <= this.#options.now() + CLOCKS_DIFFER_MS;
  }

  async #askAlone(question: Question, notBefore: number): Promise<Answer> {
    const { store, timing } = this.#options;
    const name = questionKey(question);
    const pause = this.#pauses.get(name);
    if (pause !== undefined && pause.until > performance.now()) return this.#resting(pause);
    // Nobody else asks until an answer that this process may be unable to read, and the interval after it, are over.
    const terms = { ms: timing.answerMs + this.#intervalMs };
    const work = (lease: HeldLease) => this.#askUnless(question, notBefore, lease);
    try {
      return await withLeaseWhenFree<Answer>(store.leases, `asking:${name}`, terms, work, () =>
        this.#stored(name),
      );
    } catch (error) {
      // This process stood still, and meanwhile another one may have asked: it looks again.
      if (error instanceof LeaseLost) return this.#askAlone(question, notBefore);
      throw error;
    }
  }

  #resting({ answer, until }: Pause): Answer {
    return { ...answer, lookAgainAt: this.#at(until) };
  }

  /** A monotonic time as epoch milliseconds. */
  #at(until: number): number {
    return Math.ceil(this.#options.now() + until - performance.now());
  }

  /** The 202 of another replica, or of this process before its restart, if its interval is not over. */
  async #stored(name: string): Promise<Processing | undefined> {
    const known = await this.#processing.get(name);
    const leftMs = (known?.lookAgainAt ?? 0) - this.#options.now();
    return leftMs > 0 && leftMs <= LONGEST_REST_MS ? known : undefined;
  }

  /** While this replica waited for the lease, another one may have got the answer. */
  async #askUnless(question: Question, notBefore: number, lease: HeldLease): Promise<Answer> {
    const name = questionKey(question);
    const known = await this.#results.get(name);
    if (known !== undefined && this.#isOfNow(known, notBefore)) return known;
    try {
      const answer = await this.#answerOf(question, lease);
      if (answer.kind === 'processing') return await this.#rest(name, answer, lease, known?.readAt);
      // The clocks of replicas differ by milliseconds, and what was asked for now is not older than its request.
      const readAt = Math.max(
        this.#options.now(),
        Math.min(notBefore, this.#options.now() + CLOCKS_DIFFER_MS),
      );
      const ready: Ready = { kind: 'ready', result: answer.result, readAt };
      this.#pauses.delete(name);
      await this.#results.set(name, ready, this.#options.retention.resultMs);
      return ready;
    } catch (error) {
      if (isFault(error, 'snapshot-not-found')) throw await this.#lastSeen(name, known, error);
      if (!isFault(error) || error.code === 'storage-failed') throw error;
      return this.#trouble(name, error);
    }
  }

  async #answerOf(question: Question, lease: HeldLease): Promise<DiagnosticsAnswer> {
    const { source, onOutcome } = this.#options;
    try {
      const answer = await source.diagnostics(question, lease);
      onOutcome(answer.kind);
      return answer;
    } catch (error) {
      if (!(error instanceof LeaseLost || error instanceof Stopping))
        onOutcome(isFault(error) ? error.code : 'bug');
      throw error;
    }
  }

  /** Says when the service had a snapshot that it does not know any more. */
  async #lastSeen(name: string, known: Ready | undefined, cause: Fault): Promise<Fault> {
    const processing = await this.#processing.get(name).catch(() => undefined);
    const times = [processing?.since, known?.readAt].filter((at) => at !== undefined);
    return fault(
      'snapshot-not-found',
      { hadAt: times.length === 0 ? undefined : Math.max(...times) },
      { cause },
    );
  }

  /** After a 202 at least the interval passes, and more where the service asks for more. */
  async #rest(
    name: string,
    { reason, pauseMs = 0 }: { readonly reason: string; readonly pauseMs?: number },
    lease: HeldLease,
    readAt = Number.NEGATIVE_INFINITY,
  ): Promise<Processing> {
    const restMs = Math.max(this.#intervalMs, pauseMs + MARGIN_MS);
    const until = performance.now() + restMs;
    // If the 202 can't be stored, the lease keeps everybody from asking again at once.
    lease.keepUntil(until);
    this.#pause(name, {
      answer: { kind: 'processing', reason, since: this.#options.now() },
      until,
      troubles: 0,
    });
    const known = await this.#processing.get(name);
    const present = this.#options.now();
    // A wait that a result has ended since is over.
    const since = known === undefined || known.since <= readAt ? present : Math.min(known.since, present);
    this.#pause(name, { answer: { kind: 'processing', reason, since }, until, troubles: 0 });
    const processing: Processing = { kind: 'processing', reason, since, lookAgainAt: this.#at(until) };
    await this.#processing.set(name, processing, PROCESSING_TTL_MS);
    return processing;
  }

  /**
   * A fault that may pass is waited out: the pause doubles with each one in a row, up to a minute; a time that the fault names
   * is heeded by all questions, and looked at again each minute. A service that can't be reached is back at once. A fault that
   * does not pass is thrown, unless it is one of the login, which an operator may repair during a wait.
   */
  #trouble(name: string, fault: Fault): Trouble {
    if (!fault.isTransient && !isOfLogin(fault)) throw fault;
    const before = this.#pauses.get(name)?.troubles ?? 0;
    const namedMs = (retryAtOf(fault) ?? 0) - this.#options.now();
    const doubled = fault.code === 'unreachable' ? 0 : before;
    const pauseMs = Math.max(this.#options.timing.intervalMs * 2 ** doubled, namedMs);
    const until = performance.now() + Math.min(pauseMs, LONGEST_TROUBLE_MS);
    const troubles = namedMs > LONGEST_TROUBLE_MS ? before : before + 1;
    const pause: Pause = { answer: { kind: 'trouble', fault }, until, troubles };
    if (fault.isTransient) this.#pause(name, pause);
    return { kind: 'trouble', fault, lookAgainAt: this.#at(until) };
  }

  /** Pauses that are over for long are forgotten; the oldest come first. */
  #pause(name: string, pause: Pause): void {
    this.#pauses.delete(name);
    this.#pauses.set(name, pause);
    for (const [other, { until }] of this.#pauses) {
      if (until > performance.now() - LONGEST_TROUBLE_MS) break;
      this.#pauses.delete(other);
    }
  }
}

/** Whether it is a fault of the login, which is not the snapshot's. */
export function isOfLogin({ code }: Fault): boolean {
  return code === 'login-refused' || code === 'session-refused' || code === 'cookie-domain';
}
