import { Keyv, type KeyvOptions } from 'keyv';
import { LRUCache } from 'lru-cache';
import type { Leases } from '../core/lease.ts';
import { changesOf, NAMESPACES, type Namespace, type NamespaceName } from '../core/store.ts';
import { SealBroken, type Sealer, type StorageReports } from './sealing.ts';

export type ValuesContext = {
  readonly sealer: Sealer;
  /** Sends a request to the backend, with a timeout. Throws `storage-failed`. */
  readonly ask: <T>(work: () => Promise<T>) => Promise<T>;
  /** The leases of the processes that share the store; absent for a single process. */
  readonly leases?: Leases;
  readonly reports: Pick<StorageReports, 'unreadable'>;
};

/** Opens every kind of values once, so that all its users share one cache and one queue of changes. */
export function namespacesOn(context: ValuesContext, storeOf: (storedName: string) => KeyvOptions) {
  const names = Object.keys(NAMESPACES) as NamespaceName[];
  const kinds = new Map(names.map((name) => [name, sealedValues(name, context, storeOf)]));
  return <Value>(name: NamespaceName) => kinds.get(name) as Namespace<Value>;
}

/** Stores one kind of values with Keyv. Keys are plain text, values are encrypted, the name contains the version. */
function sealedValues(
  name: NamespaceName,
  context: ValuesContext,
  storeOf: (storedName: string) => KeyvOptions,
): Namespace<unknown> {
  const { ask, leases } = context;
  const storedName = `${name}.${NAMESPACES[name]}`;
  const options = { useKeyPrefix: false, throwOnErrors: true, ...sealedTexts(name, storedName, context) };
  const keyv = new Keyv<unknown>({ ...storeOf(storedName), ...options });
  // Callers get the error from their own promise; an error event without a listener would end the process.
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

/** Converts values to the encrypted texts that Keyv stores. The backend's clock decides which values have expired. */
function sealedTexts(namespace: NamespaceName, storedName: string, { sealer, reports }: ValuesContext) {
  /** Caches decrypted values: decrypting and parsing a result would take a fifth of the time of an answer. */
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
