import { Keyv, type KeyvStoreAdapter } from 'keyv';
import { orStorageFailed } from '../core/failure.ts';
import { StorageFailed } from '../core/faults.ts';
import type { Kept } from '../core/store.ts';
import { SealBroken, type Sealer } from './sealing.ts';

/** Hears which value was dropped because it could not be read, and why. */
export type OnLost = (key: string, why: Error) => void;

/** What a value carries, so that another version can tell what it reads. */
const STATE_VERSION = 1;

/** A kept value that another version of the bot wrote: what it means is not known here. */
class OtherVersion extends Error {
  constructor(version: unknown) {
    super(`the state version of a kept value is ${String(version)}, not ${STATE_VERSION}`);
  }
}

/** One namespace of a Keyv store whose values are sealed and versioned; `onLost` hears of values that can't be read. */
export class SealedKept<Value> implements Kept<Value> {
  readonly #keyv: Keyv;
  readonly #adapter: KeyvStoreAdapter;
  readonly #onLost: OnLost;

  constructor(adapter: KeyvStoreAdapter, sealer: Sealer, onLost: OnLost) {
    this.#adapter = adapter;
    this.#onLost = onLost;
    this.#keyv = new Keyv({
      store: adapter,
      // Keyv writes this into the adapter, or else the word "keyv", and then all values share one namespace.
      namespace: adapter.namespace ?? '',
      useKeyPrefix: false,
      throwOnErrors: true,
      serialize: (data) => sealer.seal(JSON.stringify({ ...data, state: STATE_VERSION })),
      deserialize: async (text) => ofThisVersion(JSON.parse(await sealer.open(text))),
    });
    // Every failure is thrown to whoever asked; without a listener Keyv's event would end the process.
    this.#keyv.on('error', () => {});
  }

  async get(key: string): Promise<Value | undefined> {
    try {
      return await orStorageFailed(() => this.#keyv.get<Value>(key));
    } catch (failure) {
      const error = failure instanceof StorageFailed ? failure.cause : failure;
      if (!(error instanceof SealBroken || error instanceof OtherVersion)) {
        throw failure;
      }
      this.#onLost(key, error);
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

function ofThisVersion<Data extends { readonly state?: unknown }>(data: Data): Data {
  if (data.state !== STATE_VERSION) throw new OtherVersion(data.state);
  return data;
}
