import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Stopping } from '../core/errors.ts';
import { type Fault, isFault, retryAtOf } from '../core/faults.ts';
import { type HeldLease, LeaseLost, withLeaseWhenFree } from '../core/lease.ts';
import { type DiagnosticsAnswer, type Question, questionKey } from '../core/lookup.ts';
import type { Namespace, Store } from '../core/store.ts';
import { SingleFlight } from '../core/time.ts';
import { type Ready, type ResultOptions, Results } from './results.ts';

/** When the question may be asked again, in epoch milliseconds. */
type Again = { readonly lookAgainAt: number };
/** The service answered 202 at `at` (epoch milliseconds), with a reason or ''. */
type Accepted = { readonly kind: 'processing'; readonly reason: string; readonly at: number };
/** The request failed with a fault that may be temporary. */
type Trouble = { readonly kind: 'trouble'; readonly fault: Fault };
export type Processing = Accepted & Again;
type Answer = Ready | Processing | (Trouble & Again);

/** Why and until when (monotonic milliseconds) a question must not be asked. `troubles`: the number of faults in a row. */
type Pause = {
  readonly why: Accepted | Trouble;
  readonly until: number;
  readonly troubles: number;
};

type PollOptions = ResultOptions & {
  /** Asks the service; `confirm` is called before each request, and permits it. */
  readonly source: {
    diagnostics(question: Question, confirm?: () => Promise<void>): Promise<DiagnosticsAnswer>;
  };
  readonly store: Pick<Store, 'namespace' | 'leases' | 'isShared'>;
  readonly timing: { readonly intervalMs: number; readonly answerMs: number };
  /** Called with the outcome of each request: ready, processing, or the code of its fault. */
  readonly onOutcome: (outcome: string) => void;
};

/** How long a stored 202 is kept. Milliseconds. */
const PROCESSING_TTL_MS = 15 * 60_000;
/** Clocks count whole milliseconds, so both ends of an interval can be off by one. */
const MARGIN_MS = 20;
/** The longest pause. A longer one in the store came from a wrong clock. Milliseconds. */
const LONGEST_REST_MS = 10 * 60_000 + MARGIN_MS;
const LONGEST_TROUBLE_MS = 60_000;
/** More than the number of questions that can be asked within an interval. */
const MOST_PAUSES = 20_000;

/**
 * Asks the service one request at a time for each question, and never within the interval after a 202 (specification,
 * 4.2). Each 202 is stored. A replica holds the lease `asking` during its request, and keeps it for the interval after
 * a 202.
 */
export class Polls {
  readonly #options: PollOptions;
  /** How long a question is not asked again after a 202. Milliseconds. */
  readonly #intervalMs: number;
  /** How long a question is not asked again after a request with an unknown answer. Milliseconds. */
  readonly #unknownMs: number;
  readonly results: Results;
  /** Separate from the results, so that the earlier result remains while a snapshot is processed again. */
  readonly #processing: Namespace<Processing>;
  readonly #pauses = new LRUCache<string, Pause>({ max: MOST_PAUSES });
  readonly #heldBack = new Map<string, Promise<unknown>>();
  readonly #flights = new SingleFlight<Answer>();

  constructor(options: PollOptions) {
    const { store, timing } = options;
    this.#options = options;
    this.#intervalMs = timing.intervalMs + MARGIN_MS;
    this.#unknownMs = timing.answerMs + this.#intervalMs;
    this.results = new Results(options);
    this.#processing = store.namespace('processing');
  }

  /** Restores the pauses of the 202s that the previous process stored. Replicas instead read them before each request. */
  async resume(): Promise<void> {
    if (this.#options.store.isShared) return;
    for await (const [name, { reason, at, lookAgainAt }] of this.#processing.entries()) {
      const leftMs = lookAgainAt - this.#options.now();
      // A longer remaining time shows that the clock jumped.
      const restMs = leftMs > LONGEST_REST_MS ? this.#intervalMs : leftMs;
      this.#pause(name, { kind: 'processing', reason, at }, performance.now() + restMs);
    }
  }

  /** Delays questions that the previous process may have asked before it died: the answer may have been a 202. */
  holdBack(questions: readonly Question[]): void {
    for (const question of questions)
      this.#heldBack.set(questionKey(question), delay(this.#unknownMs, undefined, { ref: false }));
  }

  /** The answer for a caller that does not wait until a fault is over. Throws every `Fault`. */
  async look(question: Question, notBefore: number): Promise<Ready | Processing> {
    const answer = await this.ask(question, notBefore);
    if (answer.kind === 'trouble') throw answer.fault;
    return answer;
  }

  /**
   * The answer to a question, read at `notBefore` or later. Callers share a running request, even that of another
   * replica. During a pause, returns its cause and its end. Throws every `Fault` that is not temporary.
   */
  async ask(question: Question, notBefore: number): Promise<Answer> {
    const name = questionKey(question);
    for (;;) {
      const pause = this.#pauses.get(name);
      if (pause !== undefined && pause.until > performance.now()) return this.#again(pause.why, pause.until);
      const running = this.#flights.running(name);
      const answer = await (running ?? this.#flights.do(name, () => this.#askAlone(question, notBefore)));
      if (answer.kind !== 'ready') return answer;
      // The result of a running request may be older than this caller allows.
      if (running === undefined || answer.readAt >= notBefore) return this.results.marked(answer);
    }
  }

  async #askAlone(question: Question, notBefore: number): Promise<Answer> {
    const { store } = this.#options;
    // A single process needs no lease.
    if (!store.isShared) return this.#askUnless(question, notBefore);
    const name = questionKey(question);
    const ask = (lease: HeldLease) => this.#askUnless(question, notBefore, lease);
    try {
      // If this process dies, the lease lasts until the interval after a possible 202 is over.
      const terms = { ms: this.#unknownMs };
      return await withLeaseWhenFree(store.leases, `asking:${name}`, terms, ask, () => this.#storedBy(name));
    } catch (error) {
      // This process was suspended, and another replica may have asked meanwhile, so it starts again.
      if (error instanceof LeaseLost) return this.#askAlone(question, notBefore);
      throw error;
    }
  }

  /** The 202 that another replica stored, while its interval lasts. */
  async #storedBy(name: string): Promise<Processing | undefined> {
    const known = await this.#processing.get(name);
    const leftMs = (known?.lookAgainAt ?? 0) - this.#options.now();
    return leftMs > 0 && leftMs <= LONGEST_REST_MS ? known : undefined;
  }

  /** Asks the service, unless an earlier attempt or another replica already got the answer. */
  async #askUnless(question: Question, notBefore: number, lease?: HeldLease): Promise<Answer> {
    const name = questionKey(question);
    const known = await this.results.readSince(name, notBefore);
    if (known !== undefined) return known;
    await this.#heldBack.get(name);
    this.#heldBack.delete(name);
    try {
      const answer = await this.#answerOf(question, lease);
      if (answer.kind === 'processing') return await this.#rest(name, answer, lease);
      this.#pauses.delete(name);
      return await this.results.keep(name, answer.result);
    } catch (error) {
      if (!isFault(error) || error.code === 'storage-failed') throw error;
      // An operator may repair the login while the lookup waits.
      if (!error.isTransient && !isOfLogin(error)) throw error;
      return this.#waitOut(name, error);
    }
  }

  async #answerOf(question: Question, lease: HeldLease | undefined): Promise<DiagnosticsAnswer> {
    const { source, onOutcome } = this.#options;
    try {
      const answer = await source.diagnostics(question, lease && (() => lease.confirm()));
      onOutcome(answer.kind);
      return answer;
    } catch (error) {
      if (!(error instanceof LeaseLost || error instanceof Stopping))
        onOutcome(isFault(error) ? error.code : 'bug');
      throw error;
    }
  }

  /** Pauses the question after a 202: for the interval, or for longer if the service says so. */
  async #rest(
    name: string,
    { reason, pauseMs = 0 }: { readonly reason: string; readonly pauseMs?: number },
    lease?: HeldLease,
  ): Promise<Processing> {
    const until = performance.now() + Math.max(this.#intervalMs, pauseMs + MARGIN_MS);
    // If the 202 can't be stored, the lease still prevents requests of other replicas.
    lease?.keepUntil(until);
    const why = { kind: 'processing', reason, at: this.#options.now() } as const;
    const processing = this.#pause(name, why, until);
    await this.#processing.set(name, processing, PROCESSING_TTL_MS);
    return processing;
  }

  /**
   * Pauses the question after a temporary fault. The pause doubles with each fault in a row, except while the service
   * is unreachable. If the fault names a time, the pause lasts until then. No pause is longer than a minute. A fault of
   * the login causes no pause.
   */
  #waitOut(name: string, fault: Fault): Trouble & Again {
    const { timing, now } = this.#options;
    const troubles = this.#pauses.get(name)?.troubles ?? 0;
    const namedMs = (retryAtOf(fault) ?? 0) - now();
    const doubledMs = timing.intervalMs * 2 ** (fault.code === 'unreachable' ? 0 : troubles);
    const until = performance.now() + Math.min(Math.max(doubledMs, namedMs), LONGEST_TROUBLE_MS);
    const why = { kind: 'trouble', fault } as const;
    return fault.isTransient ? this.#pause(name, why, until, troubles + 1) : this.#again(why, until);
  }

  #pause<Why extends Pause['why']>(name: string, why: Why, until: number, troubles = 0): Why & Again {
    this.#pauses.set(name, { why, until, troubles });
    return this.#again(why, until);
  }

  #again<Why>(why: Why, until: number): Why & Again {
    return { ...why, lookAgainAt: Math.ceil(this.#options.now() + until - performance.now()) };
  }
}

/** Whether a fault concerns the login and not the snapshot. */
export function isOfLogin({ code }: Fault): boolean {
  return code === 'login-refused' || code === 'session-refused' || code === 'cookie-domain';
}
