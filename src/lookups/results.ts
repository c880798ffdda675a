import { type Question, questionKey } from '../core/lookup.ts';
import { Remembered } from '../core/remembered.ts';
import type { Namespace, Retention, Store } from '../core/store.ts';
import type { Exploited } from './exploited.ts';
import type { Read } from './lookup-status.ts';

export type Ready = Read & { readonly kind: 'ready' };
/** `storedAt`: when the stored one was read; perhaps the same was read again since. */
type Latest = Ready & { readonly storedAt: number };

export type ResultOptions = {
  readonly store: Pick<Store, 'namespace' | 'isShared'>;
  readonly retention: Retention;
  /** Marks hits of what is given out. What is kept has no marks: they change with the catalogue. */
  readonly exploited: Pick<Exploited, 'mark'>;
  /** Epoch milliseconds of the clock that replicas share. */
  readonly now: () => number;
};

/** By how much the clocks of replicas may differ. Milliseconds. */
const CLOCKS_DIFFER_MS = 60_000;
/** A result that was stored this short a time ago is not stored again: many people look one snapshot up. Milliseconds. */
const STORED_AGAIN_AFTER_MS = 60_000;

/** The results that are kept, by question: a cache. Its methods throw `storage-failed`. */
export class Results {
  readonly #options: ResultOptions;
  readonly #kept: Namespace<Ready>;
  /** When a stored result was read again without being stored again, by question. */
  readonly #readAgain = new Remembered<number>();

  constructor(options: ResultOptions) {
    this.#options = options;
    this.#kept = options.store.namespace('answers');
  }

  /** The result that was read at `notBefore` or later, if it is kept. A whole analysis answers every question. */
  async cached(question: Question, notBefore = 0): Promise<Ready | undefined> {
    const known = await this.latest(questionKey(question));
    if (known !== undefined && this.isOfNow(known, notBefore)) return this.marked(known);
    return question.set === 'all' ? undefined : this.cached({ ...question, set: 'all' }, notBefore);
  }

  /** What is kept, whenever it was read. */
  async latest(name: string): Promise<Latest | undefined> {
    const known = await this.#kept.get(name);
    const readAgainAt = this.#readAgain.get(name) ?? 0;
    return known && { ...known, storedAt: known.readAt, readAt: Math.max(known.readAt, readAgainAt) };
  }

  /** A result that was read later than now is of a clock that was wrong. */
  isOfNow({ readAt }: Ready, notBefore: number): boolean {
    return readAt >= notBefore && readAt <= this.#options.now() + CLOCKS_DIFFER_MS;
  }

  /** With the hits marked that are known to be exploited. */
  marked(answer: Ready): Ready {
    return { ...answer, result: this.#options.exploited.mark(answer.result) };
  }

  /** Keeps what was read now, after a request at `notBefore`; `known` is what was kept before. */
  async keep(
    name: string,
    result: Read['result'],
    notBefore: number,
    known: Latest | undefined,
  ): Promise<Ready> {
    const { store, retention } = this.#options;
    const now = this.#options.now();
    // The clocks of replicas differ by milliseconds, and what was asked for now is not older than its request.
    const readAt = Math.max(now, Math.min(notBefore, now + CLOCKS_DIFFER_MS));
    const ready: Ready = { kind: 'ready', result, readAt };
    // The same document gives the same result.
    const isSame = !store.isShared && known?.result === result;
    if (isSame && readAt - known.storedAt < STORED_AGAIN_AFTER_MS) this.#readAgain.set(name, readAt, 0);
    else await this.#kept.set(name, ready, retention.resultMs);
    return ready;
  }
}
