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
    // Saves a read: a single process knows what it stored. Results from before its start are requested again.
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
