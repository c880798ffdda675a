import { Keyv, type KeyvStoreAdapter } from 'keyv';
import { orStorageFailed } from '../core/failure.ts';
import { StorageFailed } from '../core/faults.ts';
import type { Kept } from '../core/store.ts';
import { SealBroken, type Sealer } from './sealing.ts';

/** What a value carries, so that a later version can tell what it reads. */
const STATE_VERSION = 1;

/** One namespace of a Keyv store whose values are sealed and versioned; `onLost` hears of values that can't be opened. */
export class SealedKept<Value> implements Kept<Value> {
  readonly #keyv: Keyv;
  readonly #adapter: KeyvStoreAdapter;
  readonly #onLost: (key: string) => void;

  constructor(adapter: KeyvStoreAdapter, sealer: Sealer, onLost: (key: string) => void) {
    this.#adapter = adapter;
    this.#onLost = onLost;
    this.#keyv = new Keyv({
      store: adapter,
      // Keyv writes this into the adapter, or else the word "keyv", and then all values share one namespace.
      namespace: adapter.namespace ?? '',
      useKeyPrefix: false,
      throwOnErrors: true,
      serialize: (data) => sealer.seal(JSON.stringify({ ...data, state: STATE_VERSION })),
      deserialize: async (text) => JSON.parse(await sealer.open(text)),
    });
    // Every failure is thrown to whoever asked; without a listener Keyv's event would end the process.
    this.#keyv.on('error', () => {});
  }

  async get(key: string): Promise<Value | undefined> {
    try {
      return await this.#keyv.get<Value>(key);
    } catch (error) {
      if (!(error instanceof SealBroken)) throw new StorageFailed({ cause: error });
      this.#onLost(key);
      await this.delete(key);
      return undefined;
    }
  }

  async set(key: string, value: Value, ttlMs?: number): Promise<void> {
    await orStorageFailed(() => this.#keyv.set(key, value, ttlMs));
  }

  async delete(key: string): Promise<void> {
    await orStorageFailed(() => this.#keyv.delete(key));
  }

  async *entries(): AsyncGenerator<readonly [string, Value]> {
    for (const key of await orStorageFailed(() => this.#keys())) {
      const value = await this.get(key);
      if (value !== undefined) yield [key, value];
    }
  }

  async #keys(): Promise<string[]> {
    const keys: string[] = [];
    for await (const [key] of this.#adapter.iterator?.(this.#adapter.namespace) ?? []) keys.push(String(key));
    return keys;
  }
}
