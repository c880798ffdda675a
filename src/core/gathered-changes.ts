import type { Mutex } from './mutex.ts';
import type { Namespace } from './store.ts';

/** Computes the new value from the stored one; gives the same value back where nothing changes. */
type Change<Value> = (before: Value | undefined) => Value;

/** Changes of one value that are made together, and when they are stored. */
type Gathering<Value> = { readonly changes: Change<Value>[]; stored: Promise<void> };

type GatheredChangesOptions<Value> = {
  /** The beginning of the name of a value's mutex; the key of the value follows. */
  readonly name: string;
  readonly namespace: Namespace<Value>;
  readonly mutex: Mutex;
  /** How long a value is kept after its last change. Milliseconds. */
  readonly ttlMs: number;
};

/**
 * Changes values of a namespace. Changes of a value that arrive while it is being changed are made together afterwards,
 * with one read and one write, because many requests at once may concern the same device or person.
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

  /** Changes of the same value that arrive before these begin are added to them. */
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
    // If the mutex's lease cannot be had, the work above never runs: then this closes the gathering.
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
