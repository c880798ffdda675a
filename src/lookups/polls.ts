import { Stopping } from '../core/errors.ts';
import { isFault, SnapshotNotFound } from '../core/faults.ts';
import { type HeldLease, LeaseLost, withLeaseWhenFree } from '../core/lease.ts';
import { type DiagnosticsAnswer, type Question, questionKey } from '../core/lookup.ts';
import type { Namespace, Retention, Store } from '../core/store.ts';
import { SingleFlight } from '../core/time.ts';
import type { Read } from './lookup-status.ts';

export type Ready = Read & { readonly kind: 'ready' };
/** The service answered 202: its reason or '', since when (epoch milliseconds), and when it may be asked again. */
export type Processing = {
  readonly kind: 'processing';
  readonly reason: string;
  readonly since: number;
  /** On the clock that nobody sets: the other one may be set before anybody goes by it. Milliseconds. */
  readonly lookAgainAt: number;
};

type PollOptions = {
  /** Asks the service. `lease` permits that: it is confirmed before each request, and verified when that is written. */
  readonly source: {
    diagnostics(question: Question, lease: Pick<HeldLease, 'confirm' | 'verify'>): Promise<DiagnosticsAnswer>;
  };
  readonly store: Store;
  readonly retention: Retention;
  readonly timing: { readonly intervalMs: number; readonly answerMs: number };
  readonly now: () => number;
  /** Milliseconds of a clock that nobody sets; that of the process unless given. */
  readonly elapsed?: () => number;
  /** Called with the outcome of each request: ready, processing, or the code of a fault. */
  readonly onOutcome: (outcome: string) => void;
};

/** How long a stored 202 is of use. */
const PROCESSING_TTL_MS = 15 * 60_000;
/** Clocks count whole milliseconds, so that each end of an interval may be off by one. */
const MARGIN_MS = 20;
/** By how much the clocks of replicas may differ. Milliseconds. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * Asks the service, at most once at a time for each question and never within the interval after a 202. Whoever asks
 * holds the lease `asking`; after a 202 it stays held for the interval, and the lease `rest` tells that from an answer
 * that is under way.
 */
export class Polls {
  readonly #options: PollOptions;
  readonly #intervalMs: number;
  readonly #elapsed: () => number;
  readonly #results: Namespace<Ready>;
  /** Stored apart from the results, so that a snapshot that is processed again keeps its earlier result. */
  readonly #processing: Namespace<Omit<Processing, 'lookAgainAt'>>;
  /** Until when this process may not ask a question again, on the clock that nobody sets: by another one a rest may seem over. */
  readonly #restUntil = new Map<string, number>();
  readonly #flights = new SingleFlight<Ready | Processing>();

  constructor(options: PollOptions) {
    const { store } = options;
    this.#options = options;
    this.#intervalMs = options.timing.intervalMs + MARGIN_MS;
    this.#elapsed = options.elapsed ?? (() => performance.now());
    this.#results = store.namespace('answers');
    this.#processing = store.namespace('processing');
  }

  /**
   * The answer to a question, read at `notBefore` or later. Callers share a running request, also one of another
   * replica. Within the interval after a 202 gives what that 202 said, and when to come back, unless the snapshot had been
   * read before it is processed anew. Throws every `Fault`.
   */
  async look(question: Question, notBefore: number): Promise<Ready | Processing> {
    const name = questionKey(question);
    for (;;) {
      const running = this.#flights.running(name);
      const answer = await (running ?? this.#flights.do(name, () => this.#lookAlone(question, notBefore)));
      if (answer.kind === 'processing') {
        const earlier = answer.since > notBefore ? await this.cached(question, notBefore) : undefined;
        return earlier ?? answer;
      }
      // It may be a cached result that was new enough for others.
      if (running === undefined || answer.readAt >= notBefore) return answer;
    }
  }

  /** The cached result, if there is one that was read at `notBefore` or later. */
  async cached(question: Question, notBefore = 0): Promise<Ready | undefined> {
    const known = await this.#results.get(questionKey(question));
    return known !== undefined && this.#isOfNow(known, notBefore) ? known : undefined;
  }

  /** Nothing was read later than now: the clock of whoever read it has gone back since, or was wrong. */
  #isOfNow({ readAt }: Ready, notBefore: number): boolean {
    return readAt >= notBefore && readAt <= this.#options.now() + CLOCKS_DIFFER_MS;
  }

  async #lookAlone(question: Question, notBefore: number): Promise<Ready | Processing> {
    const { store, timing } = this.#options;
    const name = questionKey(question);
    const ownMs = (this.#restUntil.get(name) ?? 0) - this.#elapsed();
    // Nobody else asks until an answer that this process may be unable to read, and the interval after it, are over.
    const terms = { ms: timing.answerMs + this.#intervalMs };
    const instead = async () => this.#resting(name, await store.leases.ttl(`rest:${name}`));
    try {
      return (
        (await this.#resting(name, ownMs)) ??
        (await withLeaseWhenFree(
          store.leases,
          `asking:${name}`,
          terms,
          (lease) => this.#askUnless(question, notBefore, lease),
          instead,
        ))
      );
    } catch (error) {
      // This process stood still, and meanwhile another one may have asked: it looks again.
      if (error instanceof LeaseLost) return this.#lookAlone(question, notBefore);
      throw error;
    }
  }

  /** While this replica waited for the lease, another one may have got the answer. */
  async #askUnless(question: Question, notBefore: number, lease: HeldLease): Promise<Ready | Processing> {
    const name = questionKey(question);
    const known = await this.#results.get(name);
    if (known !== undefined && this.#isOfNow(known, notBefore)) return known;
    const answer = await this.#answerOf(question, lease).catch(async (error: unknown) => {
      if (!(error instanceof SnapshotNotFound)) throw error;
      const processing = await this.#processing.get(name).catch(() => undefined);
      const times = [processing?.since, known?.readAt].filter((at) => at !== undefined);
      throw new SnapshotNotFound(times.length === 0 ? undefined : Math.max(...times), { cause: error });
    });
    if (answer.kind === 'processing') return this.#rest(name, answer, lease, known?.readAt);
    const { now, retention } = this.#options;
    const ready: Ready = { kind: 'ready', result: answer.result, readAt: now() };
    await this.#results.set(name, ready, retention.resultMs);
    return ready;
  }

  async #answerOf(question: Question, lease: HeldLease) {
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

  /** After a 202 at least the interval passes, and more where the service asks for more. */
  async #rest(
    name: string,
    { reason, pauseMs = 0 }: { readonly reason: string; readonly pauseMs?: number },
    lease: HeldLease,
    readAt = Number.NEGATIVE_INFINITY,
  ): Promise<Processing> {
    const { store, now } = this.#options;
    const restMs = Math.max(this.#intervalMs, pauseMs + MARGIN_MS);
    const until = this.#noteRest(name, restMs);
    // If the 202 cannot be stored, the lease keeps everybody from asking again at once.
    lease.keep();
    await store.leases.hold(`rest:${name}`, restMs);
    const lookAgainAt = this.#elapsed() + restMs;
    lease.keep(() => until - this.#elapsed());
    const known = await this.#processing.get(name);
    // A wait that a result has ended since is over.
    const since = known === undefined || known.since <= readAt ? now() : Math.min(known.since, now());
    await this.#processing.set(name, { kind: 'processing', reason, since }, PROCESSING_TTL_MS);
    return { kind: 'processing', reason, since, lookAgainAt };
  }

  /** What the last 202 said, if the service may not be asked again for `ms`. */
  async #resting(name: string, ms: number): Promise<Processing | undefined> {
    if (ms <= 0) return undefined;
    const known = await this.#processing.get(name);
    const present = this.#options.now();
    const since = Math.min(known?.since ?? present, present);
    return { kind: 'processing', reason: known?.reason ?? '', since, lookAgainAt: this.#elapsed() + ms };
  }

  /** Gives until when the rest lasts, on the clock that nobody sets. */
  #noteRest(name: string, restMs: number): number {
    const present = this.#elapsed();
    // The oldest come first.
    for (const [other, until] of this.#restUntil) {
      if (until > present) break;
      this.#restUntil.delete(other);
    }
    this.#restUntil.delete(name);
    this.#restUntil.set(name, present + restMs);
    return present + restMs;
  }
}
