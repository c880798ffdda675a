import { MemoryLeases } from '../../src/core/memory-leases.ts';
import { Mutex } from '../../src/core/mutex.ts';
import type { NamespaceName } from '../../src/core/namespaces.ts';
import type { Leases, Namespace, Store } from '../../src/core/store.ts';

/** A store that keeps everything in this process; leases end by the given clock. */
export class MemoryStore implements Store {
  readonly #values = new Map<string, unknown>();
  readonly leases: Leases;
  readonly mutex = new Mutex();

  constructor(now: () => number = Date.now) {
    this.leases = new MemoryLeases(now);
  }

  namespace<Value>(name: NamespaceName): Namespace<Value> {
    const keyOf = (key: string) => `${name}:${key}`;
    const values = this.#values as Map<string, Value>;
    return {
      get: async (key) => structuredClone(values.get(keyOf(key))),
      set: async (key, value) => void values.set(keyOf(key), structuredClone(value)),
      delete: async (key) => void values.delete(keyOf(key)),
      async *entries() {
        for (const [key, value] of values) {
          if (key.startsWith(keyOf(''))) yield [key.slice(keyOf('').length), value];
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
