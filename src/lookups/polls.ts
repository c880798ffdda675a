import { setTimeout as delay } from 'node:timers/promises';
import { Stopping } from '../core/errors.ts';
import { type Fault, fault, isFault } from '../core/faults.ts';
import { type HeldLease, LeaseLost, withLeaseWhenFree } from '../core/lease.ts';
import { type DiagnosticsAnswer, type Question, questionKey } from '../core/lookup.ts';
import type { Namespace, Store } from '../core/store.ts';
import { SingleFlight } from '../core/time.ts';
import { Pauses, type Processing, type Trouble } from './pauses.ts';
import { type Ready, type ResultOptions, Results } from './results.ts';

type Answer = Ready | Processing | Trouble;

type Lease = Pick<HeldLease, 'confirm' | 'verify' | 'keepUntil'>;

type PollOptions = ResultOptions & {
  /** Asks the service. `lease` permits that: it is confirmed before each request, and verified when that is written. */
  readonly source: { diagnostics(question: Question, lease?: Lease): Promise<DiagnosticsAnswer> };
  readonly store: Pick<Store, 'namespace' | 'leases' | 'isShared'>;
  readonly timing: { readonly intervalMs: number; readonly answerMs: number };
  /** Called with the outcome of each request: ready, processing, or the code of a fault. */
  readonly onOutcome: (outcome: string) => void;
};

/** How long a stored 202 is of use. */
const PROCESSING_TTL_MS = 15 * 60_000;
/** Clocks count whole milliseconds, so that each end of an interval may be off by one. */
const MARGIN_MS = 20;
/** No pause is longer; a stored one that seems to be is of a clock that was wrong. */
const LONGEST_REST_MS = 10 * 60_000 + MARGIN_MS;

/**
 * Asks the service, at most once at a time for each question, and never within the interval after a 202 (specification,
 * 4.2). Each 202 is stored. Among replicas, the one that asks holds the lease `asking`, and keeps it for the interval.
 */
export class Polls {
  readonly #options: PollOptions;
  /** How long a question rests after a 202. */
  readonly #intervalMs: number;
  /** How long it rests after a request whose answer is not known. */
  readonly #unknownMs: number;
  readonly results: Results;
  /** Stored apart from the results, so that a snapshot that is processed again keeps its earlier result. */
  readonly #processing: Namespace<Processing>;
  readonly #pauses: Pauses;
  readonly #heldBack = new Map<string, Promise<unknown>>();
  readonly #flights = new SingleFlight<Answer>();

  constructor(options: PollOptions) {
    const { store, timing, now } = options;
    this.#options = options;
    this.#intervalMs = timing.intervalMs + MARGIN_MS;
    this.#unknownMs = timing.answerMs + this.#intervalMs;
    this.#pauses = new Pauses({ now, intervalMs: timing.intervalMs });
    this.results = new Results(options);
    this.#processing = store.namespace('processing');
  }

  /** Reads the 202s of the process before, in whose place this one is. Replicas look for each other's instead. */
  async resume(): Promise<void> {
    const { store, now } = this.#options;
    if (store.isShared) return;
    for await (const [name, processing] of this.#processing.entries()) {
      const leftMs = processing.lookAgainAt - now();
      // A longer one was set by a clock that stepped since.
      const restMs = leftMs > LONGEST_REST_MS ? this.#intervalMs : leftMs;
      this.#pauses.rest(name, processing, performance.now() + restMs);
    }
  }

  /** Holds questions back which the process before may have asked when it died: their answer may have been a 202. */
  holdBack(questions: readonly Question[]): void {
    for (const question of questions)
      this.#heldBack.set(questionKey(question), delay(this.#unknownMs, undefined, { ref: false }));
  }

  /** The answer to a question for a caller that does not wait out faults: throws every `Fault`. */
  async look(question: Question, notBefore: number): Promise<Ready | Processing> {
    const answer = await this.ask(question, notBefore);
    if (answer.kind === 'trouble') throw answer.fault;
    return answer;
  }

  /**
   * The answer to a question, read at `notBefore` or later. Callers share a running request, also one of another replica.
   * During a pause gives what led to it, and when to come back, or the kept result if the snapshot is processed
   * anew. Throws each `Fault` that does not pass.
   */
  async ask(question: Question, notBefore: number): Promise<Answer> {
    const answer = await this.#answer(question, notBefore);
    return answer.kind === 'ready' ? this.results.marked(answer) : answer;
  }

  async #answer(question: Question, notBefore: number): Promise<Answer> {
    const name = questionKey(question);
    for (;;) {
      const pause = this.#pauses.of(name);
      if (pause !== undefined) return this.#orKept(pause, question, notBefore);
      const running = this.#flights.running(name);
      if (running === undefined) return this.#flights.do(name, () => this.#askAlone(question, notBefore));
      const answer = await running;
      if (answer.kind !== 'ready') return this.#orKept(answer, question, notBefore);
      // A result that others asked for may have been read too early for this caller.
      if (answer.readAt >= notBefore) return answer;
    }
  }

  async #orKept(answer: Processing | Trouble, question: Question, notBefore: number): Promise<Answer> {
    const isAnew = answer.kind === 'processing' && answer.since > notBefore;
    return (isAnew ? await this.results.cached(question, notBefore) : undefined) ?? answer;
  }

  async #askAlone(question: Question, notBefore: number): Promise<Answer> {
    const { store } = this.#options;
    // One process asks alone.
    if (!store.isShared) return this.#askUnless(question, notBefore);
    const name = `asking:${questionKey(question)}`;
    const ask = (lease: HeldLease) => this.#askUnless(question, notBefore, lease);
    const instead = () => this.#storedBy(question, notBefore);
    try {
      // No other replica asks until an answer that this process may be unable to read, and the interval after it, are over.
      return await withLeaseWhenFree(store.leases, name, { ms: this.#unknownMs }, ask, instead);
    } catch (error) {
      // This process stood still, and meanwhile another one may have asked: it looks again.
      if (error instanceof LeaseLost) return this.#askAlone(question, notBefore);
      throw error;
    }
  }

  /** The 202 of another replica, or of this one before its restart, if its interval is not over. */
  async #storedBy(question: Question, notBefore: number): Promise<Answer | undefined> {
    const known = await this.#processing.get(questionKey(question));
    const leftMs = (known?.lookAgainAt ?? 0) - this.#options.now();
    if (known === undefined || leftMs <= 0 || leftMs > LONGEST_REST_MS) return undefined;
    return this.#orKept(known, question, notBefore);
  }

  /** An earlier try of the same step, or another replica, may have got the answer. */
  async #askUnless(question: Question, notBefore: number, lease?: HeldLease): Promise<Answer> {
    const name = questionKey(question);
    // Where this process alone asks, nothing was stored since its last 202.
    const isWait = lease === undefined && this.#pauses.sinceOf(name) !== undefined;
    const known = isWait ? undefined : await this.results.latest(name);
    if (known !== undefined && this.results.isOfNow(known, notBefore)) return known;
    await this.#heldBack.get(name);
    this.#heldBack.delete(name);
    try {
      const answer = await this.#answerOf(question, lease);
      if (answer.kind === 'processing') return await this.#rest(name, answer, known?.readAt, lease);
      this.#pauses.end(name);
      return await this.results.keep(name, answer.result, notBefore, known);
    } catch (error) {
      if (isFault(error, 'snapshot-not-found')) throw await this.#lastSeen(name, known, error);
      if (!isFault(error) || error.code === 'storage-failed') throw error;
      // An operator may repair the login during a wait.
      if (!error.isTransient && !isOfLogin(error)) throw error;
      return this.#pauses.trouble(name, error);
    }
  }

  async #answerOf(question: Question, lease: HeldLease | undefined): Promise<DiagnosticsAnswer> {
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
    const hadAt = times.length === 0 ? undefined : Math.max(...times);
    return fault('snapshot-not-found', { hadAt }, { cause });
  }

  /** After a 202 at least the interval passes, and more where the service asks for more. */
  async #rest(
    name: string,
    { reason, pauseMs = 0 }: { readonly reason: string; readonly pauseMs?: number },
    readAt = Number.NEGATIVE_INFINITY,
    lease?: HeldLease,
  ): Promise<Processing> {
    const until = performance.now() + Math.max(this.#intervalMs, pauseMs + MARGIN_MS);
    // If the 202 can't be stored, the lease keeps everybody from asking again at once.
    lease?.keepUntil(until);
    const present = this.#options.now();
    const known = this.#pauses.sinceOf(name);
    this.#pauses.rest(name, { reason, since: present }, until);
    const since = known ?? (lease && (await this.#processing.get(name)))?.since;
    // A wait that a result has ended since is over.
    const isOver = since === undefined || since <= readAt;
    const wait = { reason, since: isOver ? present : Math.min(since, present) };
    const processing = this.#pauses.rest(name, wait, until);
    await this.#processing.set(name, processing, PROCESSING_TTL_MS);
    return processing;
  }
}

/** Whether it is a fault of the login, which is not the snapshot's. */
export function isOfLogin({ code }: Fault): boolean {
  return code === 'login-refused' || code === 'session-refused' || code === 'cookie-domain';
}
