import type { DiagnosticsResult } from '../core/diagnostics.ts';
import { isFault } from '../core/faults.ts';
import { type HeldLease, LeaseLost, type Leases, withLeaseWhenFree } from '../core/lease.ts';
import { type Question, questionKey } from '../core/lookup.ts';
import type { Retention } from '../core/retention.ts';
import { SingleFlight } from '../core/single-flight.ts';
import { Stopping } from '../core/stopping.ts';
import type { Namespace, Store } from '../core/store.ts';
import { HitSummaries, type HitSummary } from './hit-summaries.ts';

/** An analysis, and when it was read. Epoch milliseconds. */
export type Ready = { readonly kind: 'ready'; readonly result: DiagnosticsResult; readonly at: number };
/** The service answered 202: since when, its reason or '', and when it may be asked again. Epoch milliseconds. */
export type Processing = {
  readonly kind: 'processing';
  readonly reason: string;
  readonly since: number;
  readonly lookAgainAt: number;
};
type CachedProcessing = Omit<Processing, 'lookAgainAt'>;

/** What polls need of the service. */
export interface DiagnosticsSource {
  /** `lease` permits the question: it is confirmed before each request, and verified when that is written. */
  diagnostics(
    question: Question,
    lease: Pick<HeldLease, 'confirm' | 'verify'>,
  ): Promise<
    | { kind: 'ready'; result: DiagnosticsResult }
    /** `retryAt`: the epoch milliseconds before which the service asks not to be asked again, if it names a time. */
    | { kind: 'processing'; reason: string; retryAt?: number }
  >;
}

type PollOptions = {
  readonly source: DiagnosticsSource;
  readonly store: Store;
  readonly retention: Retention;
  /** The least time between a 202 and the next request for the same question (specification, 4.2). Milliseconds. */
  readonly intervalMs: number;
  /** Within this time after a question its answer is expected, should nobody be left to read it. Milliseconds. */
  readonly answerMs: number;
  readonly now: () => number;
  /** Milliseconds of a clock that nobody sets; that of the process unless given. */
  readonly elapsed?: () => number;
  /** Called with the outcome of each request: ready, processing, or the code of a fault. */
  readonly onOutcome?: (outcome: string) => void;
};

/** How long a stored 202 is of use. */
const PROCESSING_TTL_MS = 15 * 60_000;
/** Clocks count whole milliseconds, so that each end of an interval may be off by one. */
const MARGIN_MS = 20;
/** By how much the clocks of replicas may differ. Milliseconds. */
const CLOCKS_DIFFER_MS = 60_000;

/** Asks the service, at most once at a time for each question and never within the interval after a 202. */
export class Polls {
  readonly #source: DiagnosticsSource;
  readonly #results: Namespace<Ready>;
  /** Stored apart from the results, so that a snapshot that is processed again keeps its earlier result. */
  readonly #processing: Namespace<CachedProcessing>;
  readonly #hitSummaries: HitSummaries;
  readonly #retention: Retention;
  readonly #leases: Leases;
  readonly #intervalMs: number;
  readonly #answerMs: number;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  readonly #onOutcome: (outcome: string) => void;
  /** Until when this process may not ask a question again, on the clock that nobody sets: by another one a rest may seem over. */
  readonly #restUntil = new Map<string, number>();
  readonly #flights = new SingleFlight<Ready | Processing>();

  constructor(options: PollOptions) {
    this.#source = options.source;
    this.#results = options.store.namespace('answers');
    this.#processing = options.store.namespace('processing');
    this.#hitSummaries = new HitSummaries(
      options.store.namespace('hit-summaries'),
      options.retention.historyMs,
    );
    this.#retention = options.retention;
    this.#leases = options.store.leases;
    this.#intervalMs = options.intervalMs + MARGIN_MS;
    this.#answerMs = options.answerMs;
    this.#now = options.now;
    this.#elapsed = options.elapsed ?? (() => performance.now());
    this.#onOutcome = options.onOutcome ?? (() => {});
  }

  /**
   * The answer to a question, read at `notBefore` or later. Callers share a running request, also one of another
   * replica. Within the interval after a 202 gives what that 202 said, and when to come back. Throws every `Fault`.
   */
  async look(question: Question, notBefore: number): Promise<Ready | Processing> {
    const name = questionKey(question);
    return (
      this.#flights.running(name) ??
      (await this.#read(question, notBefore)) ??
      this.#flights.do(name, () => this.#askUnderLease(question, notBefore))
    );
  }

  /** The cached result, if there is one. */
  cached(question: Question): Promise<Ready | undefined> {
    return this.#read(question, 0);
  }

  /** The hit summary of a result that was read at that time (epoch ms); undefined if it has expired. */
  hitSummary(question: Question, readAt: number): Promise<HitSummary | undefined> {
    return this.#hitSummaries.find(question, readAt);
  }

  async #read(question: Question, notBefore: number): Promise<Ready | undefined> {
    const cached = await this.#results.get(questionKey(question));
    // Nothing was read later than now: the clock of whoever read it has gone back since, or was wrong.
    const isOfNow =
      cached !== undefined && cached.at >= notBefore && cached.at <= this.#now() + CLOCKS_DIFFER_MS;
    return isOfNow ? cached : undefined;
  }

  async #askUnderLease(question: Question, notBefore: number): Promise<Ready | Processing> {
    for (;;) {
      try {
        return await this.#askOnce(question, notBefore);
      } catch (error) {
        // This process stood still, and meanwhile another one may have asked: it looks again.
        if (!(error instanceof LeaseLost)) throw error;
      }
    }
  }

  #askOnce(question: Question, notBefore: number): Promise<Ready | Processing> {
    const asking = `asking:${questionKey(question)}`;
    // Nobody else asks until an answer that this process may be unable to read, and the interval after it, are over.
    const ms = this.#answerMs + this.#intervalMs;
    return withLeaseWhenFree(this.#leases, asking, { ms }, async (lease) => {
      // While this replica waited for the lease, another one may have got the answer, or a 202.
      const finished = await this.#read(question, notBefore);
      return finished ?? (await this.#resting(question)) ?? this.#ask(question, lease);
    });
  }

  async #ask(question: Question, lease: HeldLease): Promise<Ready | Processing> {
    const answer = await this.#answerOf(question, lease);
    if (answer.kind === 'processing') return this.#rest(question, answer, lease);
    const ready: Ready = { kind: 'ready', result: answer.result, at: this.#now() };
    await Promise.all([
      this.#hitSummaries.keep(question, ready.result, ready.at),
      this.#results.set(questionKey(question), ready, this.#retention.resultMs),
      this.#processing.delete(questionKey(question)),
    ]);
    return ready;
  }

  async #answerOf(question: Question, lease: HeldLease) {
    try {
      const answer = await this.#source.diagnostics(question, lease);
      this.#onOutcome(answer.kind);
      return answer;
    } catch (error) {
      if (!(error instanceof LeaseLost || error instanceof Stopping))
        this.#onOutcome(isFault(error) ? error.code : 'bug');
      throw error;
    }
  }

  /** After a 202 at least the interval passes, and more where the service asks for more. */
  async #rest(
    question: Question,
    { reason, retryAt = 0 }: { readonly reason: string; readonly retryAt?: number },
    lease: HeldLease,
  ): Promise<Processing> {
    const restMs = Math.max(this.#intervalMs, retryAt - this.#now() + MARGIN_MS);
    this.#noteRest(questionKey(question), restMs);
    // If the 202 cannot be stored, the lease keeps everybody from asking again at once.
    await lease.keptUnlessDone(() => this.#leases.hold(restOf(question), restMs));
    const lookAgainAt = this.#now() + restMs;
    const known = await this.#processing.get(questionKey(question));
    const processing: CachedProcessing = { kind: 'processing', reason, since: this.#sinceOf(known) };
    await this.#processing.set(questionKey(question), processing, PROCESSING_TTL_MS);
    return { ...processing, lookAgainAt };
  }

  /** The last 202, as long as the service may not be asked again. */
  async #resting(question: Question): Promise<Processing | undefined> {
    const ownMs = (this.#restUntil.get(questionKey(question)) ?? 0) - this.#elapsed();
    const ms = Math.max(ownMs, await this.#leases.ttl(restOf(question)));
    if (ms <= 0) return undefined;
    const known = await this.#processing.get(questionKey(question));
    const lookAgainAt = this.#now() + ms;
    return { kind: 'processing', reason: known?.reason ?? '', since: this.#sinceOf(known), lookAgainAt };
  }

  #noteRest(name: string, restMs: number): void {
    const present = this.#elapsed();
    // The oldest come first.
    for (const [other, until] of this.#restUntil) {
      if (until > present) break;
      this.#restUntil.delete(other);
    }
    this.#restUntil.delete(name);
    this.#restUntil.set(name, present + restMs);
  }

  #sinceOf(known: CachedProcessing | undefined): number {
    return Math.min(known?.since ?? Number.POSITIVE_INFINITY, this.#now());
  }
}

/** The name of the lease that is held from a 202 until the service may be asked the same again. */
function restOf(question: Question): string {
  return `rest:${questionKey(question)}`;
}
