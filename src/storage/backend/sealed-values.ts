import { Keyv, type KeyvOptions } from 'keyv';
import { changesOf } from '../../core/changes.ts';
import type { Leases } from '../../core/lease.ts';
import {
  NAMESPACES,
  type Namespace,
  type NamespaceName,
  type NamespaceSpec,
  orStorageFailed,
} from '../../core/store.ts';
import { type AnyJob, JOB_VERSIONS, type JobKind } from '../../lookups/queue.ts';
import { type AllNames, SealBroken, type Sealer } from './sealer.ts';

/**
 * Seals and opens the jobs of one kind, with their version: they hold response URLs. `open` throws `SealBroken` when no
 * present key opens a job, or when it was stored under another name, and an error for one of a version that this release
 * does not know: a replica that does takes it.
 */
export function jobSeal<J extends AnyJob>(kind: JobKind, sealer: Sealer) {
  const version = JOB_VERSIONS[kind];
  const storedNameOf = (id: string) => `${kind}\0${id}`;
  return {
    seal: (job: J): string => sealer.seal(JSON.stringify({ version, job }), storedNameOf(job.id)),
    open: (id: string, sealed: string): J => {
      const stored = JSON.parse(sealer.open(sealed, storedNameOf(id)));
      if (stored.version === version) return stored.job;
      throw new Error(`a job has the state version ${stored.version}, here ${version}`);
    },
  };
}
export type JobSeal<J extends AnyJob> = ReturnType<typeof jobSeal<J>>;

/** What encrypts, names and reports the values of a store. */
export type SealedContext = {
  readonly sealer: Sealer;
  readonly names: () => Promise<AllNames>;
  /** Those of the processes that share the store; none where there is one process. */
  readonly leases?: Leases;
  /** Called with a value that cannot be decrypted: it counts as absent and is not deleted. */
  readonly onUnreadable: (namespace: string, why: Error) => void;
};

/** A store of Keyv's interface, and what it calls this kind of values. */
type NamedStore = Required<Pick<KeyvOptions, 'store' | 'namespace'>>;

/** The kinds of values of a store. Each is made once: on Redis, every one listens to the connection from then on. */
export function kindsOf(context: SealedContext, storeOf: (name: NamespaceName) => NamedStore) {
  const kinds = new Map<NamespaceName, SealedValues<unknown>>();
  return <Value>(name: NamespaceName): Namespace<Value> => {
    const values = kinds.get(name) ?? new SealedValues(name, storeOf(name), context);
    kinds.set(name, values);
    return values as SealedValues<Value>;
  };
}

/** A value with the version of its shape, and with its key, because it is stored under a hash of that key. */
type Envelope = { readonly key: string; readonly version: number; readonly value: unknown };

/**
 * One kind of values on Keyv, which encrypts them, with their version and their key inside, and stores them under
 * hashes of their keys. A value that was copied under another key or into another namespace counts as unreadable.
 */
class SealedValues<Value> implements Namespace<Value> {
  readonly #name: NamespaceName;
  readonly #spec: NamespaceSpec;
  readonly #context: SealedContext;
  readonly #keyv: Keyv<Envelope>;
  readonly change: Namespace<Value>['change'];

  /** `store` throws its errors, and judges by itself whether a value has expired. */
  constructor(name: NamespaceName, { store, namespace }: NamedStore, context: SealedContext) {
    this.#name = name;
    this.#spec = NAMESPACES[name];
    this.#context = context;
    this.change = changesOf<Value>(this, name, this.#spec.mayLose ? undefined : context.leases);
    this.#keyv = new Keyv({
      store,
      namespace,
      useKeyPrefix: false,
      throwOnErrors: true,
      serialize: ({ value }) => context.sealer.seal(JSON.stringify(value), name),
      deserialize: <Stored>(text: string) => ({ value: this.#open(text) as Stored }),
    });
    // Each caller gets the error from its own promise.
    this.#keyv.on('error', () => {});
  }

  get(key: string): Promise<Value | undefined> {
    return orStorageFailed(async () => {
      let found: Envelope | undefined;
      for (const name of await this.#namesOf(key)) found ??= await this.#keyv.get(name);
      if (found !== undefined && found.key !== key) {
        this.#context.onUnreadable(this.#name, new SealBroken('a stored value lies under another key'));
        return undefined;
      }
      const { version, isKept } = this.#spec;
      if (isKept && found !== undefined && found.version > version) throw new OtherVersion(found.version);
      return this.#valueOf(found);
    });
  }

  async set(key: string, value: Value, ttlMs?: number): Promise<void> {
    const envelope: Envelope = { key, version: this.#spec.version, value };
    await orStorageFailed(async () => {
      const [name, ...others] = await this.#namesOf(key);
      await this.#keyv.set(name, envelope, ttlMs);
      for (const other of others) await this.#keyv.delete(other);
    });
  }

  async delete(key: string): Promise<void> {
    await orStorageFailed(async () => {
      for (const name of await this.#namesOf(key)) await this.#keyv.delete(name);
    });
  }

  async *entries(): AsyncGenerator<readonly [string, Value]> {
    const all: AsyncGenerator<[string, Envelope | undefined]> | undefined = this.#keyv.iterator?.(undefined);
    for (;;) {
      const next = await orStorageFailed(async () => all?.next());
      if (next === undefined || next.done === true) return;
      const [, envelope] = next.value;
      if (envelope === undefined) continue;
      const value = this.#valueOf(envelope);
      if (value === undefined) this.#context.onUnreadable(this.#name, new OtherVersion(envelope.version));
      else yield [envelope.key, value];
    }
  }

  async #namesOf(key: string): Promise<readonly [string, ...string[]]> {
    const [first, ...others] = await this.#context.names();
    return [first(this.#name, key), ...others.map((names) => names(this.#name, key))];
  }

  #open(sealed: string): Envelope | undefined {
    try {
      return JSON.parse(this.#context.sealer.open(sealed, this.#name));
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.#context.onUnreadable(this.#name, error);
      return undefined;
    }
  }

  /** The value in the present version; undefined for one of a version that this release does not know. */
  #valueOf(envelope: Envelope | undefined): Value | undefined {
    if (envelope === undefined) return undefined;
    const { version, value } = envelope;
    if (version === this.#spec.version) return value as Value;
    return this.#spec.upgrades[version]?.(value) as Value | undefined;
  }
}

/** A value was stored by a release whose values of this kind can't be read here. */
class OtherVersion extends Error {
  constructor(version: number) {
    super(`the value has version ${version}, which this release can't read`);
  }
}
