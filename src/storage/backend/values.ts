import { Keyv, type KeyvOptions } from 'keyv';
import { LRUCache } from 'lru-cache';
import { changesOf } from '../../core/changes.ts';
import type { Leases } from '../../core/lease.ts';
import { NAMESPACES, type Namespace, type NamespaceName } from '../../core/store.ts';
import { SealBroken, type Sealer } from './sealing.ts';
import type { StorageReports } from './storage.ts';

export type ValuesContext = {
  readonly sealer: Sealer;
  /** Sends a request to the backend, with a time limit. Throws `storage-failed`. */
  readonly ask: <T>(work: () => Promise<T>) => Promise<T>;
  /** Leases among the processes that share the store; absent where there is one process. */
  readonly leases?: Leases;
  readonly reports: Pick<StorageReports, 'unreadable'>;
};

/** Makes each kind of values once, so that its users share the opened values and the queues of changes. */
export function namespacesOn(context: ValuesContext, storeOf: (storedName: string) => KeyvOptions) {
  const kinds = new Map<NamespaceName, Namespace<unknown>>();
  return <Value>(name: NamespaceName): Namespace<Value> => {
    const values = kinds.get(name) ?? sealedValues(name, context, storeOf);
    kinds.set(name, values);
    return values as Namespace<Value>;
  };
}

/** One kind of values on Keyv: keys in clear, contents sealed, the version in the name that they are stored under. */
function sealedValues(
  name: NamespaceName,
  context: ValuesContext,
  storeOf: (storedName: string) => KeyvOptions,
): Namespace<unknown> {
  const { ask, leases } = context;
  const storedName = `${name}.${NAMESPACES[name]}`;
  const options = { useKeyPrefix: false, throwOnErrors: true, ...sealedTexts(name, storedName, context) };
  const keyv = new Keyv<unknown>({ ...storeOf(storedName), ...options });
  // Each caller gets the error from its own promise.
  keyv.on('error', () => {});
  const values = {
    get: (key: string) => ask(() => keyv.get<unknown>(key)),
    set: (key: string, value: unknown, ttlMs?: number) =>
      ask(async () => void (await keyv.set(key, value, ttlMs))),
    delete: (key: string) => ask(async () => void (await keyv.delete(key))),
    entries: async function* () {
      const all: AsyncGenerator<readonly [string, unknown]> | undefined = keyv.iterator?.(undefined);
      for (;;) {
        const next = await ask(async () => all?.next());
        if (next === undefined || next.done === true) return;
        if (next.value[1] !== undefined) yield next.value;
      }
    },
  };
  return { ...values, change: changesOf(values, name, leases) };
}

/** What Keyv stores: sealed texts. The store judges by its own clock whether one has expired. */
function sealedTexts(namespace: NamespaceName, storedName: string, { sealer, reports }: ValuesContext) {
  /** The values of sealed texts: opening and parsing a result takes a fifth of the time of an answer. */
  const opened = new LRUCache<string, { readonly value: unknown }>({ max: 500, maxSize: 16_000_000 });
  const remember = (sealed: string, value: unknown) => {
    opened.set(sealed, { value }, { size: sealed.length });
    return { value };
  };
  return {
    serialize: ({ value }: { value?: unknown }) => {
      const sealed = sealer.seal(JSON.stringify(value), storedName);
      remember(sealed, value);
      return sealed;
    },
    deserialize: <Stored>(sealed: string) => {
      try {
        const { value } = opened.get(sealed) ?? remember(sealed, JSON.parse(sealer.open(sealed, storedName)));
        return { value: value as Stored };
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        reports.unreadable({ namespace }, error);
        return { value: undefined as Stored };
      }
    },
  };
}
