import type { Mutex } from './mutex.ts';
import type { Namespace } from './store.ts';

/** What becomes of a stored value; the same value where nothing changes. */
type Change<Value> = (before: Value | undefined) => Value;

/** Changes of one value that are made together, and when they are stored. */
type Gathering<Value> = { readonly changes: Change<Value>[]; stored: Promise<void> };

type GatheredChangesOptions<Value> = {
  /** What the mutex of a value is called, before its key. */
  readonly name: string;
  readonly namespace: Namespace<Value>;
  readonly mutex: Mutex;
  /** How long a value is kept after its last change. Milliseconds. */
  readonly ttlMs: number;
};

/**
 * Changes values of a namespace. Those that come for one value while it is being changed are made together afterwards,
 * with one read and one write, because many ask for the same device or in the same name at once.
 */
export class GatheredChanges<Value> {
  readonly #options: GatheredChangesOptions<Value>;
  readonly #gatherings = new Map<string, Gathering<Value>>();

  constructor(options: GatheredChangesOptions<Value>) {
    this.#options = options;
  }

  /** Settles once the change is stored. Throws `StorageFailed`. */
  make(key: string, change: Change<Value>): Promise<void> {
    const open = this.#gatherings.get(key);
    open?.changes.push(change);
    return open === undefined
      ? this.#begin(key, { changes: [change], stored: Promise.resolve() })
      : open.stored;
  }

  /** Whoever comes before these changes are begun joins them. */
  #begin(key: string, gathering: Gathering<Value>): Promise<void> {
    const { name, mutex } = this.#options;
    const close = () => {
      if (this.#gatherings.get(key) === gathering) this.#gatherings.delete(key);
    };
    this.#gatherings.set(key, gathering);
    const stored = mutex.run(`${name}:${key}`, () => {
      close();
      return this.#makeAll(key, gathering.changes);
    });
    // Without the lease of the mutex they are never begun.
    gathering.stored = stored.finally(close);
    return gathering.stored;
  }

  async #makeAll(key: string, changes: readonly Change<Value>[]): Promise<void> {
    const { namespace, ttlMs } = this.#options;
    const before = await namespace.get(key);
    const after = changes.reduce<Value | undefined>((value, change) => change(value), before);
    if (after !== undefined && after !== before) await namespace.set(key, after, ttlMs);
  }
}
