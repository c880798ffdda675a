import { Keyv, type KeyvOptions } from 'keyv';
import { changesOf } from '../../core/changes.ts';
import type { Leases } from '../../core/lease.ts';
import { Remembered } from '../../core/remembered.ts';
import { NAMESPACES, type Namespace, type NamespaceName, orStorageFailed } from '../../core/store.ts';
import { SealBroken, type Sealer } from './sealer.ts';

export type ValuesContext = {
  readonly sealer: Sealer;
  /** Those of the processes that share the store; none where there is one process. */
  readonly leases?: Leases;
  /** Called with a value that no present key opens: it counts as absent and is not deleted. */
  readonly onUnreadable: (namespace: string, sealed: string, why: Error) => void;
  /** Does a piece of work, within the time that the store has to answer. */
  readonly within?: <T>(work: () => Promise<T>) => Promise<T>;
};

/** Makes each kind of values once: on Redis, every one listens to the connection from then on. */
export function namespacesOn(context: ValuesContext, storeOf: (namespace: string) => KeyvOptions) {
  const kinds = new Map<NamespaceName, SealedValues<unknown>>();
  return <Value>(name: NamespaceName): Namespace<Value> => {
    const values = kinds.get(name) ?? new SealedValues(name, context, storeOf);
    kinds.set(name, values);
    return values as SealedValues<Value>;
  };
}

/** One kind of values on Keyv: keys in clear, contents sealed, the version in the name of the namespace. */
class SealedValues<Value> implements Namespace<Value> {
  readonly #name: NamespaceName;
  /** What values are stored under, and what their seal is bound to. */
  readonly #storedName: string;
  readonly #context: ValuesContext;
  readonly #keyv: Keyv<Value>;
  /** What stored texts say: to open and parse a result takes a fifth of an answer. */
  readonly #opened = new Remembered<unknown>();
  readonly change: Namespace<Value>['change'];

  constructor(name: NamespaceName, context: ValuesContext, storeOf: (namespace: string) => KeyvOptions) {
    this.#name = name;
    this.#storedName = `${name}.${NAMESPACES[name]}`;
    this.#context = context;
    this.change = changesOf<Value>(this, name, context.leases);
    this.#keyv = new Keyv({
      ...storeOf(this.#storedName),
      useKeyPrefix: false,
      throwOnErrors: true,
      // The store judges by its own clock whether a value has expired.
      serialize: ({ value }) => {
        const sealed = context.sealer.seal(JSON.stringify(value), this.#storedName);
        this.#opened.set(sealed, value, sealed.length);
        return sealed;
      },
      deserialize: <Stored>(text: string) => ({ value: this.#open(text) as Stored }),
    });
    // Each caller gets the error from its own promise.
    this.#keyv.on('error', () => {});
  }

  get(key: string): Promise<Value | undefined> {
    return this.#work(() => this.#keyv.get<Value>(key));
  }

  async set(key: string, value: Value, ttlMs?: number): Promise<void> {
    await this.#work(() => this.#keyv.set(key, value, ttlMs));
  }

  async delete(key: string): Promise<void> {
    await this.#work(() => this.#keyv.delete(key));
  }

  async *entries(): AsyncGenerator<readonly [string, Value]> {
    const all: AsyncGenerator<[string, Value | undefined]> | undefined = this.#keyv.iterator?.(undefined);
    for (;;) {
      const next = await this.#work(async () => all?.next());
      if (next === undefined || next.done === true) return;
      const [key, value] = next.value;
      if (value !== undefined) yield [key, value];
    }
  }

  #work<T>(work: () => Promise<T>): Promise<T> {
    const { within } = this.#context;
    return orStorageFailed(() => (within === undefined ? work() : within(work)));
  }

  #open(sealed: string): Value | undefined {
    const known = this.#opened.get(sealed);
    if (known !== undefined) return known as Value;
    try {
      const value: Value = JSON.parse(this.#context.sealer.open(sealed, this.#storedName));
      this.#opened.set(sealed, value, sealed.length);
      return value;
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.#context.onUnreadable(this.#name, sealed, error);
      return undefined;
    }
  }
}
