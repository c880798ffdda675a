import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { DiagnosticsResult } from '../core/diagnostics.ts';
import { type Fault, isFault, retryAtOf, Stopping } from '../core/faults.ts';
import { type HeldLease, LeaseLost, withLeaseWhenFree } from '../core/lease.ts';
import { type DiagnosticsAnswer, type Question, questionKey } from '../core/lookup.ts';
import type { Namespace, Retention, Store } from '../core/store.ts';
import { SingleFlight } from '../core/time.ts';
import type { Exploited } from './exploited.ts';
import type { Read } from './lookup-status.ts';

/** The service answered 202 with a reason or ''. `lookAgainAt`: when it is asked again, in epoch milliseconds. */
export type Processing = {
  readonly kind: 'processing';
  readonly reason: string;
  readonly lookAgainAt: number;
};

/** A 202 or a temporary fault, and until when (monotonic milliseconds) the question must not be asked. */
type Pause = { readonly why: Omit<Processing, 'lookAgainAt'> | Fault; readonly until: number };

type PollOptions = ResultOptions & {
  /** Asks the service, after `confirm` for each request. If `confirm` throws, nothing is sent. */
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
/** Added to intervals: clocks count whole milliseconds, so both ends can be off by one. */
const MARGIN_MS = 20;
/** The longest pause. A longer pause in the store came from a wrong clock. Milliseconds. */
const LONGEST_REST_MS = 10 * 60_000 + MARGIN_MS;
/** The longest pause after a fault. Milliseconds. */
const LONGEST_TROUBLE_MS = 60_000;
/** How many pauses are kept: enough for all questions within an interval. */
const MOST_PAUSES = 20_000;

/**
 * Asks the service one request at a time for each question, and never within the interval after a 202 (specification,
 * 4.2). Each 202 is stored. A replica holds the lease `asking` during its request, and keeps it for the interval after
 * a 202.
 */
export class Polls {
  readonly #options: PollOptions;
  /** How long to wait after a 202 before asking the same again. Milliseconds. */
  readonly #intervalMs: number;
  /** How long to wait after a request with an unknown answer. Milliseconds. */
  readonly #unknownMs: number;
  readonly results: Results;
  /** Separate from the results, so that the earlier result remains while a snapshot is processed again. */
  readonly #processing: Namespace<Processing>;
  /** Bounded by size, because with `max` the cache allocates all its entries at the start of the bot. */
  readonly #pauses = new LRUCache<string, Pause>({ maxSize: MOST_PAUSES, sizeCalculation: () => 1 });
  readonly #heldBack = new Map<string, Promise<unknown>>();
  readonly #flights = new SingleFlight<Ready | Processing>();

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
    for await (const [name, { reason, lookAgainAt }] of this.#processing.entries()) {
      const leftMs = lookAgainAt - this.#options.now();
      // More time left than any pause shows a jump of the clock.
      const restMs = leftMs > LONGEST_REST_MS ? this.#intervalMs : leftMs;
      this.#pause(name, { kind: 'processing', reason }, restMs);
    }
  }

  /** Delays questions that the previous process may have asked before it died: the answer may have been a 202. */
  holdBack(questions: readonly Question[]): void {
    for (const question of questions)
      this.#heldBack.set(questionKey(question), delay(this.#unknownMs, undefined, { ref: false }));
  }

  /** When to ask a question again: after its pause, else after the interval. Epoch milliseconds. */
  lookAgainAt(question: Question): number {
    const leftMs = (this.#pauses.get(questionKey(question))?.until ?? 0) - performance.now();
    return Math.ceil(this.#options.now() + (leftMs > 0 ? leftMs : this.#intervalMs));
  }

  /**
   * The answer to a question, read at `notBefore` or later. Callers share a running request, even that of another
   * replica. During a pause, returns the 202 or throws the fault that caused it. Throws every `Fault`.
   */
  async ask(question: Question, notBefore: number): Promise<Ready | Processing> {
    const name = questionKey(question);
    for (;;) {
      const { why, until = 0 } = this.#pauses.get(name) ?? {};
      if (why !== undefined && until > performance.now()) {
        if (isFault(why)) throw why;
        return { ...why, lookAgainAt: this.lookAgainAt(question) };
      }
      const running = this.#flights.running(name);
      const answer = await (running ?? this.#flights.do(name, () => this.#askAlone(question, notBefore)));
      if (answer.kind === 'processing') return answer;
      // The result of a running request may be older than this caller allows.
      if (running === undefined || answer.readAt >= notBefore) return this.results.marked(answer);
    }
  }

  async #askAlone(question: Question, notBefore: number): Promise<Ready | Processing> {
    const { store } = this.#options;
    // A single process needs no lease.
    if (!store.isShared) return this.#askUnless(question, notBefore);
    const name = questionKey(question);
    const ask = (lease: HeldLease) => this.#askUnless(question, notBefore, lease);
    try {
      // Even if this process dies, the lease outlasts the interval after a possible 202.
      const stored = () => this.#storedBy(name);
      return await withLeaseWhenFree(store.leases, `asking:${name}`, this.#unknownMs, ask, stored);
    } catch (error) {
      // This process was suspended, and another replica may have asked meanwhile; start again.
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
  async #askUnless(question: Question, notBefore: number, lease?: HeldLease): Promise<Ready | Processing> {
    const { source, onOutcome } = this.#options;
    const name = questionKey(question);
    const known = await this.results.readSince(name, notBefore);
    if (known !== undefined) return known;
    await this.#heldBack.get(name);
    this.#heldBack.delete(name);
    const asked = source.diagnostics(question, lease && (() => lease.confirm()));
    const answer = await asked.catch((error: unknown) => this.#failed(name, error));
    onOutcome(answer.kind);
    if (answer.kind === 'ready') {
      this.#pauses.delete(name);
      return this.results.keep(name, answer.result);
    }
    const { reason, pauseMs = 0 } = answer;
    // The pause is the interval, or longer if the service says so.
    const restMs = Math.max(this.#intervalMs, pauseMs + MARGIN_MS);
    // If the 202 can't be stored, the lease still prevents requests of other replicas.
    lease?.keepFor(restMs);
    const why = { kind: 'processing', reason } as const;
    this.#pause(name, why, restMs);
    const processing = { ...why, lookAgainAt: this.lookAgainAt(question) };
    await this.#processing.set(name, processing, PROCESSING_TTL_MS);
    return processing;
  }

  /**
   * Pauses the question after a temporary fault: for the interval, or until the time that the fault names, but at most a
   * minute. Throws the error.
   */
  #failed(name: string, error: unknown): never {
    if (error instanceof LeaseLost || error instanceof Stopping) throw error;
    const { onOutcome, timing, now } = this.#options;
    onOutcome(isFault(error) ? error.code : 'bug');
    if (isFault(error) && error.isTransient && error.code !== 'storage-failed') {
      const namedMs = (retryAtOf(error) ?? 0) - now();
      this.#pause(name, error, Math.min(Math.max(timing.intervalMs, namedMs), LONGEST_TROUBLE_MS));
    }
    throw error;
  }

  #pause(name: string, why: Pause['why'], ms: number): void {
    this.#pauses.set(name, { why, until: performance.now() + ms });
  }
}

export type Ready = Read & { readonly kind: 'ready' };

export type ResultOptions = {
  readonly store: Pick<Store, 'namespace' | 'isShared'>;
  readonly retention: Retention;
  /** Marks exploited hits each time a result is used. Cached results have no marks, because the catalogue changes. */
  readonly exploited: Pick<Exploited, 'mark'>;
  /** The clock that replicas share, in epoch milliseconds. */
  readonly now: () => number;
};

/** The latest result that this process stored for a question. */
type Last = { readonly result: WeakRef<DiagnosticsResult>; readonly storedAt: number };

/** A result that was stored within this time is not stored again: many people look up one snapshot. Milliseconds. */
const STORED_AGAIN_AFTER_MS = 60_000;

/** A cache of results, by question. Its methods throw `storage-failed`. */
export class Results {
  readonly #options: ResultOptions;
  readonly #kept: Namespace<Ready>;
  readonly #last = new LRUCache<string, Last>({ max: 500 });

  constructor(options: ResultOptions) {
    this.#options = options;
    this.#kept = options.store.namespace('answers');
  }

  /** The cached result. A complete analysis answers every question about its snapshot. */
  async cached(question: Question): Promise<Ready | undefined> {
    const known = await this.#kept.get(questionKey(question));
    if (known !== undefined) return this.marked(known);
    return question.set === 'all' ? undefined : this.cached({ ...question, set: 'all' });
  }

  /** The cached result if it was read at `notBefore` or later. */
  async readSince(name: string, notBefore: number): Promise<Ready | undefined> {
    // Saves a read, because a single process knows what it stored. After a restart, it requests each result again.
    if (!this.#options.store.isShared && notBefore > (this.#last.get(name)?.storedAt ?? 0)) return undefined;
    const kept = await this.#kept.get(name);
    return kept && kept.readAt >= notBefore ? kept : undefined;
  }

  /** The answer with its exploited hits marked. */
  marked(answer: Ready): Ready {
    return { ...answer, result: this.#options.exploited.mark(answer.result) };
  }

  /** Caches a result that was just read. */
  async keep(name: string, result: DiagnosticsResult): Promise<Ready> {
    const { store, retention } = this.#options;
    const readAt = this.#options.now();
    const ready: Ready = { kind: 'ready', result, readAt };
    const last = store.isShared ? undefined : this.#last.get(name);
    // Reading the same document returns the same object (`service/reading.ts`).
    if (last?.result.deref() === result && readAt - last.storedAt < STORED_AGAIN_AFTER_MS) return ready;
    await this.#kept.set(name, ready, retention.resultMs);
    this.#last.set(name, { result: new WeakRef(result), storedAt: readAt });
    return ready;
  }
}
