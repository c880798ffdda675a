import type { Leases } from '../../src/core/lease.ts';
import { Mutex } from '../../src/core/mutex.ts';
import type { NamespaceName } from '../../src/core/namespaces.ts';
import type { Namespace, Store } from '../../src/core/store.ts';
import { MemoryLeases } from './memory-leases.ts';

/** A store that keeps everything in this process; values and leases end by the given clock. */
export class MemoryStore implements Store {
  readonly #values = new Map<string, { readonly value: unknown; readonly until: number }>();
  readonly #now: () => number;
  readonly leases: Leases;
  readonly mutex = new Mutex();

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.leases = new MemoryLeases(now);
  }

  namespace<Value>(name: NamespaceName): Namespace<Value> {
    const keyOf = (key: string) => `${name}:${key}`;
    const values = this.#values;
    const read = (name: string) => {
      const { value, until = 0 } = values.get(name) ?? {};
      return until > this.#now() ? (structuredClone(value) as Value) : undefined;
    };
    return {
      get: async (key) => read(keyOf(key)),
      set: async (key, value, ttlMs = Number.POSITIVE_INFINITY) =>
        void values.set(keyOf(key), { value: structuredClone(value), until: this.#now() + ttlMs }),
      delete: async (key) => void values.delete(keyOf(key)),
      async *entries() {
        for (const key of values.keys()) {
          const value = read(key);
          if (value !== undefined && key.startsWith(keyOf(''))) yield [key.slice(keyOf('').length), value];
        }
      },
    };
  }

  async clear(): Promise<void> {
    this.#values.clear();
  }

  async check(): Promise<void> {}
  async close(): Promise<void> {}
}
