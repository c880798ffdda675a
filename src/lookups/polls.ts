import type { DiagnosticsResult } from '../core/diagnostics.ts';
import { type Question, questionKey } from '../core/lookup.ts';
import { SingleFlight } from '../core/single-flight.ts';
import type { Claims, Kept, Store } from '../core/store.ts';

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

/** How long a result serves clicks on its message before it is read again. */
const KEPT_MS = 15 * 60_000;
/** A clock that counts whole milliseconds may be early by one at each end. */
const MARGIN_MS = 20;
/** While a request runs, its claim is renewed; a process that dies in it frees the question by this. */
const RENEW_MS = 5_000;
/** How soon to look again when another replica is asking right now. */
const LOOK_AGAIN_MS = 250;

/** Asks the service, at most once at a time for each question and never within the interval after a 202. */
export class Polls {
  readonly #source: DiagnosticsSource;
  readonly #answers: Kept<KeptAnswer>;
  readonly #claims: Claims;
  readonly #intervalMs: number;
  readonly #now: () => number;
  readonly #flights = new SingleFlight<Ready | Processing>();

  constructor(options: PollOptions) {
    this.#source = options.source;
    this.#answers = options.store.kept('answers');
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

  async #read(question: Question, notBefore: number): Promise<Ready | undefined> {
    const kept = await this.#answers.get(questionKey(question));
    return kept?.kind === 'ready' && kept.at >= notBefore ? kept : undefined;
  }

  async #askInTurn(question: Question, notBefore: number): Promise<Ready | Processing> {
    const slot = `poll:${questionKey(question)}`;
    const heldMs = this.#intervalMs + RENEW_MS;
    if (!(await this.#claims.take(slot, heldMs))) return this.#notNow(question, slot);
    // Between the look and the claim another one may have finished.
    const finished = await this.#read(question, notBefore);
    if (finished !== undefined) {
      await this.#claims.release(slot);
      return finished;
    }
    const renewal = setInterval(() => this.#claims.hold(slot, heldMs).catch(() => {}), RENEW_MS);
    try {
      const answer = await this.#source.diagnostics(question);
      clearInterval(renewal);
      return answer.kind === 'ready'
        ? await this.#finish(question, slot, answer.result)
        : await this.#wait(question, slot, answer.reason);
    } catch (error) {
      clearInterval(renewal);
      await this.#claims.release(slot);
      throw error;
    }
  }

  async #finish(question: Question, slot: string, result: DiagnosticsResult): Promise<Ready> {
    const ready: Ready = { kind: 'ready', result, at: this.#now() };
    await this.#answers.set(questionKey(question), ready, KEPT_MS);
    await this.#claims.release(slot);
    return ready;
  }

  async #wait(question: Question, slot: string, reason: string): Promise<Processing> {
    await this.#claims.hold(slot, this.#intervalMs);
    const lookAgainAt = this.#now() + this.#intervalMs;
    const before = await this.#answers.get(questionKey(question));
    const since = before?.kind === 'processing' ? before.since : this.#now();
    const processing: KeptProcessing = { kind: 'processing', reason, since };
    await this.#answers.set(questionKey(question), processing, KEPT_MS);
    return { ...processing, lookAgainAt };
  }

  async #notNow(question: Question, slot: string): Promise<Processing> {
    const kept = await this.#answers.get(questionKey(question));
    const now = this.#now();
    if (kept?.kind !== 'processing') {
      return { kind: 'processing', reason: '', since: now, lookAgainAt: now + LOOK_AGAIN_MS };
    }
    return { ...kept, lookAgainAt: now + (await this.#claims.remaining(slot)) };
  }
}
