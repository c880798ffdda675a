import { LRUCache } from 'lru-cache';
import type { DiagnosticsResult } from '../core/diagnostics.ts';
import { type Question, questionKey } from '../core/lookup.ts';
import type { Namespace, Retention, Store } from '../core/store.ts';
import type { Exploited } from './exploited.ts';
import type { Read } from './lookup-status.ts';

export type Ready = Read & { readonly kind: 'ready' };

export type ResultOptions = {
  readonly store: Pick<Store, 'namespace' | 'isShared'>;
  readonly retention: Retention;
  /** Marks hits when a result is given out. Kept results have no marks, because the catalogue changes. */
  readonly exploited: Pick<Exploited, 'mark'>;
  /** Epoch milliseconds of the clock that replicas share. */
  readonly now: () => number;
};

/** The result that was read last, perhaps again since it was stored. */
type Last = {
  readonly result: WeakRef<DiagnosticsResult>;
  readonly readAt: number;
  readonly storedAt: number;
};

/** By how much the clocks of replicas may differ. Milliseconds. */
const CLOCKS_DIFFER_MS = 60_000;
/** A result that was stored less than this long ago is not stored again: many people look one snapshot up. Milliseconds. */
const STORED_AGAIN_AFTER_MS = 60_000;

/** The results that are kept, by question: a cache. Its methods throw `storage-failed`. */
export class Results {
  readonly #options: ResultOptions;
  readonly #kept: Namespace<Ready>;
  /** What this process has read of each question last. */
  readonly #last = new LRUCache<string, Last>({ max: 500 });

  constructor(options: ResultOptions) {
    this.#options = options;
    this.#kept = options.store.namespace('answers');
  }

  /** The kept result. A whole analysis answers every question. */
  async cached(question: Question): Promise<Ready | undefined> {
    const known = await this.#since(questionKey(question), 0);
    if (known !== undefined) return this.marked(known);
    return question.set === 'all' ? undefined : this.cached({ ...question, set: 'all' });
  }

  /** A kept result that was read at `notBefore` or later. */
  async readSince(name: string, notBefore: number): Promise<Ready | undefined> {
    const isAlone = !this.#options.store.isShared;
    // A single process knows what it read since its start; what it read before is asked for once more.
    if (isAlone && notBefore > (this.#last.get(name)?.readAt ?? 0)) return undefined;
    return this.#since(name, notBefore);
  }

  /** The answer with its exploited hits marked. */
  marked(answer: Ready): Ready {
    return { ...answer, result: this.#options.exploited.mark(answer.result) };
  }

  /** Keeps what was read now. */
  async keep(name: string, result: DiagnosticsResult): Promise<Ready> {
    const { store, retention } = this.#options;
    const readAt = this.#options.now();
    const ready: Ready = { kind: 'ready', result, readAt };
    const last = store.isShared ? undefined : this.#last.get(name);
    // The same document gives the same object (`service/reading.ts`).
    const isStored = last?.result.deref() === result && readAt - last.storedAt < STORED_AGAIN_AFTER_MS;
    if (!isStored) await this.#kept.set(name, ready, retention.resultMs);
    const storedAt = isStored ? last.storedAt : readAt;
    this.#last.set(name, { result: new WeakRef(result), readAt, storedAt });
    return ready;
  }

  async #since(name: string, notBefore: number): Promise<Ready | undefined> {
    const kept = await this.#kept.get(name);
    if (kept === undefined) return undefined;
    const readAt = Math.max(kept.readAt, this.#last.get(name)?.readAt ?? 0);
    // A time in the future was set by a wrong clock.
    const isOfNow = readAt >= notBefore && readAt <= this.#options.now() + CLOCKS_DIFFER_MS;
    return isOfNow ? { ...kept, readAt } : undefined;
  }
}
