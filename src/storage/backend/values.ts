import { changesOf } from '../../core/changes.ts';
import type { Leases } from '../../core/lease.ts';
import { Remembered } from '../../core/remembered.ts';
import { NAMESPACES, type Namespace, type NamespaceName, orStorageFailed } from '../../core/store.ts';
import { SealBroken, type Sealer } from './sealing.ts';

/** Where the sealed texts of one kind of values are stored. What it throws becomes `storage-failed`. */
export type Texts = {
  get(key: string): Promise<string | undefined>;
  set(key: string, text: string, ttlMs?: number): Promise<unknown>;
  delete(key: string): Promise<unknown>;
  /** Every key, for rare work. */
  keys(): Promise<string[]>;
};

export type ValuesContext = {
  readonly sealer: Sealer;
  /** Those of the processes that share the store; none where there is one process. */
  readonly leases?: Leases;
  /** Called with a value that no present key opens: it counts as absent and is not deleted. */
  readonly onUnreadable: (namespace: string, sealed: string, why: Error) => void;
};

/** Makes each kind of values once: all who use it share what was opened, and change it one after the other. */
export function namespacesOn(context: ValuesContext, textsOf: (storedName: string) => Texts) {
  const kinds = new Map<NamespaceName, Namespace<unknown>>();
  return <Value>(name: NamespaceName): Namespace<Value> => {
    const values = kinds.get(name) ?? sealedValues(name, context, textsOf);
    kinds.set(name, values);
    return values as Namespace<Value>;
  };
}

/** One kind of values: keys in clear, contents sealed, the version in the name that they are stored under. */
function sealedValues(
  name: NamespaceName,
  { sealer, leases, onUnreadable }: ValuesContext,
  textsOf: (storedName: string) => Texts,
): Namespace<unknown> {
  const storedName = `${name}.${NAMESPACES[name]}`;
  const texts = textsOf(storedName);
  /** What stored texts say: to open and parse a result takes a fifth of an answer. */
  const opened = new Remembered<unknown>();
  const open = (sealed: string): unknown => {
    const known = opened.get(sealed);
    if (known !== undefined) return known;
    try {
      const value: unknown = JSON.parse(sealer.open(sealed, storedName));
      opened.set(sealed, value, sealed.length);
      return value;
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      onUnreadable(name, sealed, error);
      return undefined;
    }
  };
  const get = (key: string) =>
    orStorageFailed(async () => {
      const sealed = await texts.get(key);
      return sealed === undefined ? undefined : open(sealed);
    });
  const values = {
    get,
    set: (key: string, value: unknown, ttlMs?: number) =>
      orStorageFailed(async () => {
        const sealed = sealer.seal(JSON.stringify(value), storedName);
        opened.set(sealed, value, sealed.length);
        await texts.set(key, sealed, ttlMs);
      }),
    delete: (key: string) => orStorageFailed(async () => void (await texts.delete(key))),
    entries: async function* () {
      for (const key of await orStorageFailed(() => texts.keys())) {
        const value = await get(key);
        if (value !== undefined) yield [key, value] as const;
      }
    },
  };
  return { ...values, change: changesOf(values, name, leases) };
}
