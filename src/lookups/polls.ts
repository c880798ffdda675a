import type { DiagnosticsResult } from '../core/diagnostics.ts';
import { RateLimited } from '../core/faults.ts';
import { whileHolding } from '../core/lease.ts';
import { type Question, questionKey } from '../core/lookup.ts';
import { SingleFlight } from '../core/single-flight.ts';
import type { Claims, Kept, Store } from '../core/store.ts';
import { type Digest, Digests } from './digests.ts';

/** An analysis, and when it was read. Epoch milliseconds. */
export type Ready = { readonly kind: 'ready'; readonly result: DiagnosticsResult; readonly at: number };
/** Not there yet: since when that is known, the service's reason or '', and when to look again. Epoch milliseconds. */
export type Processing = {
  readonly kind: 'processing';
  readonly reason: string;
  readonly since: number;
  readonly lookAgainAt: number;
};
type KeptProcessing = Omit<Processing, 'lookAgainAt'>;
type KeptAnswer = Ready | KeptProcessing;

/** The one thing that polls need of the service. */
export interface DiagnosticsSource {
  diagnostics(
    question: Question,
  ): Promise<{ kind: 'ready'; result: DiagnosticsResult } | { kind: 'processing'; reason: string }>;
}

export type PollOptions = {
  readonly source: DiagnosticsSource;
  readonly store: Store;
  /** The least time between a 202 and the next request for the same question (specification, 4.2). Milliseconds. */
  readonly intervalMs: number;
  readonly now: () => number;
};

/** How long a result serves clicks on its message before it is read again. Whoever changes it, changes the README. */
const KEPT_MS = 15 * 60_000;
/** A clock that counts whole milliseconds may be early by one at each end. */
const MARGIN_MS = 20;
/** Held while the service has asked to slow down (429): it counts the requests of everybody together. */
const SLOW_DOWN = 'slow-down';
/** How soon to look again when another replica is asking right now. */
const LOOK_AGAIN_MS = 250;

/** Asks the service, at most once at a time for each question and never within the interval after a 202. */
export class Polls {
  readonly #source: DiagnosticsSource;
  readonly #answers: Kept<KeptAnswer>;
  readonly #digests: Digests;
  readonly #claims: Claims;
  readonly #intervalMs: number;
  readonly #now: () => number;
  readonly #flights = new SingleFlight<Ready | Processing>();

  constructor(options: PollOptions) {
    this.#source = options.source;
    this.#answers = options.store.kept('answers');
    this.#digests = new Digests(options.store.kept('digests'));
    this.#claims = options.store.claims;
    this.#intervalMs = options.intervalMs + MARGIN_MS;
    this.#now = options.now;
  }

  /**
   * The answer to a question, no older than `notBefore`. Everyone who asks while a request runs shares it.
   * Within the interval after a 202 it tells what is known and when to come back. Throws every `Fault`.
   */
  async look(question: Question, notBefore: number): Promise<Ready | Processing> {
    return (
      (await this.#read(question, notBefore)) ??
      this.#flights.do(questionKey(question), () => this.#askInTurn(question, notBefore))
    );
  }

  /** The result as it was read last, if it is still kept. */
  kept(question: Question): Promise<Ready | undefined> {
    return this.#read(question, 0);
  }

  /** What a result that was read at that time (epoch ms) held, in short; undefined when it is not kept any more. */
  digest(question: Question, readAt: number): Promise<Digest | undefined> {
    return this.#digests.find(question, readAt);
  }

  async #read(question: Question, notBefore: number): Promise<Ready | undefined> {
    const kept = await this.#answers.get(questionKey(question));
    return kept?.kind === 'ready' && kept.at >= notBefore ? kept : undefined;
  }

  async #askInTurn(question: Question, notBefore: number): Promise<Ready | Processing> {
    const asking = `asking:${questionKey(question)}`;
    // Renewed after a third of its time: whatever a dead process was told at its end, two thirds remain for the rest.
    const heldMs = (this.#intervalMs * 3) / 2;
    const answer = await whileHolding(this.#claims, asking, heldMs, async () => {
      // Before the claim was free, another one may have finished, or have been told to wait.
      const finished = await this.#read(question, notBefore);
      return finished ?? (await this.#resting(question)) ?? this.#ask(question);
    });
    return answer ?? this.#told(question, this.#now() + LOOK_AGAIN_MS);
  }

  async #ask(question: Question): Promise<Ready | Processing> {
    const answer = await this.#unlessSlowedDown(question);
    if (answer.kind === 'processing') return this.#rest(question, answer.reason);
    const ready: Ready = { kind: 'ready', result: answer.result, at: this.#now() };
    await this.#digests.keep(question, ready.result, ready.at);
    await this.#answers.set(questionKey(question), ready, KEPT_MS);
    return ready;
  }

  /** A time that the service named holds for every question, through restarts, and at the end of a wait too. */
  async #unlessSlowedDown(question: Question) {
    const ms = await this.#claims.remaining(SLOW_DOWN);
    if (ms > 0) throw new RateLimited(this.#now() + ms);
    try {
      return await this.#source.diagnostics(question);
    } catch (error) {
      const wait = error instanceof RateLimited ? error.retryAt - this.#now() : 0;
      if (wait > 0) await this.#claims.hold(SLOW_DOWN, wait);
      throw error;
    }
  }

  async #rest(question: Question, reason: string): Promise<Processing> {
    await this.#claims.hold(restOf(question), this.#intervalMs);
    const lookAgainAt = this.#now() + this.#intervalMs;
    const before = await this.#answers.get(questionKey(question));
    const since = before?.kind === 'processing' ? before.since : this.#now();
    const processing: KeptProcessing = { kind: 'processing', reason, since };
    await this.#answers.set(questionKey(question), processing, KEPT_MS);
    return { ...processing, lookAgainAt };
  }

  async #resting(question: Question): Promise<Processing | undefined> {
    const ms = await this.#claims.remaining(restOf(question));
    return ms > 0 ? this.#told(question, this.#now() + ms) : undefined;
  }

  /** What is known while the service can't be asked. */
  async #told(question: Question, lookAgainAt: number): Promise<Processing> {
    const kept = await this.#answers.get(questionKey(question));
    const known = kept?.kind === 'processing' ? kept : { reason: '', since: this.#now() };
    return { kind: 'processing', reason: known.reason, since: known.since, lookAgainAt };
  }
}

/** Held from a 202 until the service may be asked the same again. */
function restOf(question: Question): string {
  return `rest:${questionKey(question)}`;
}
