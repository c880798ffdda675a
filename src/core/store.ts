import { isDeepStrictEqual } from 'node:util';
import { RESULT_VERSION } from './diagnostics.ts';
import { fault, isFault } from './faults.ts';
import { type HeldLease, LeaseLost, type Leases, withLeaseWhenFree } from './lease.ts';

/**
 * Every kind of stored value with the version of its format. The version is a part of the stored key: raise it when the
 * format changes, and old values are ignored. Open lookups and follows are jobs, and are stored by the queues
 * (`JOB_KINDS` in `lookups/queue.ts`).
 */
export const NAMESPACES = {
  /** Results of the service; only a cache. The key is the question. */
  answers: RESULT_VERSION,
  /** Requests to cancel a lookup. The key is the lookup's id. */
  cancelled: 1,
  /** Of a device: its latest results, accepted hits, owner, and follows that wait for a newer snapshot. */
  devices: 4,
  /** The snapshots that a person follows. The key is the person. */
  follows: 2,
  /** A person's last lookups and devices. The key is the person. */
  people: 3,
  /** When and why the service last answered 202; only a cache. The key is the question. */
  processing: 3,
  /** What replicas share about the service: the session, refused logins, and how long requests are paused. */
  service: 1,
  /** Who is notified when a lookup ends. The key is the lookup's id. */
  subscriptions: 2,
  /** Lookups that wait for a result. The key is the conversation and the request. */
  'waiting-messages': 2,
} as const;

export type NamespaceName = keyof typeof NAMESPACES;

/** How long data from the service is kept. Milliseconds. */
export type Retention = {
  /** How long results are kept, so that clicks on their message need no request to the service. */
  readonly resultMs: number;
  /** How long a device's hits are kept for comparison, and how long a person's lookups and devices are kept. */
  readonly historyMs: number;
};

/** A change of a stored value: returns the new value. */
type Change<Value> = (before: Value | undefined) => Value | undefined | Promise<Value | undefined>;
type Changed<Value> = readonly [before: Value | undefined, after: Value | undefined];

/** Encrypted values of one kind. Every method throws `storage-failed` if the store does not answer. */
export interface Namespace<Value> {
  /**
   * Undefined also if no current key decrypts the value, which then stays in the store. Callers share the returned
   * object: never change it in place.
   */
  get(key: string): Promise<Value | undefined>;
  /** Keeps the value for `ttlMs`, or until it is deleted. */
  set(key: string, value: Value, ttlMs?: number): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Changes a value. Changes run one after the other, even in several processes. An undefined value or an empty
   * list is deleted. Throws the errors of `change`, too.
   */
  change(key: string, change: Change<Value>, ttlMs: (after: Value) => number): Promise<Changed<Value>>;
  /** Reads every value. Slow: only for rare work such as erasure. */
  entries(): AsyncIterable<readonly [key: string, value: Value]>;
}

/** The store of everything that must survive a restart. */
export interface Store {
  /** The values of one kind; the kinds and their versions are those of `NAMESPACES`. */
  namespace<Value>(name: NamespaceName): Namespace<Value>;
  readonly leases: Leases;
  /** Whether other processes may use the same store. */
  readonly isShared: boolean;
  /** Writes a value and deletes it again. Throws `storage-failed` if the store cannot be written to. */
  check(): Promise<void>;
  /** Deletes all stored data, including open lookups and values that can't be decrypted. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Runs `work` on the storage, and turns each of its errors into `storage-failed`. */
export function orStorageFailed<T>(work: () => T | Promise<T>): Promise<T> {
  return Promise.try(work).catch((error) => {
    throw isFault(error, 'storage-failed') ? error : fault('storage-failed', {}, { cause: error });
  });
}

/** How long a lease lasts. If its holder dies, another process can change the value after this time. Milliseconds. */
const LEASE_MS = 5_000;

type Values<Value> = Pick<Namespace<Value>, 'get' | 'set' | 'delete'>;
type Waiting<Value> = PromiseWithResolvers<Changed<Value>> & {
  readonly change: Change<Value>;
  readonly ttlMs: (after: Value) => number;
};

/**
 * Runs the changes of each stored value one after the other, among all processes that share `leases`; without leases,
 * within this process alone. Changes that wait at the same time share one read and one write.
 */
export function changesOf<Value>(
  values: Values<Value>,
  name: string,
  leases: Leases | undefined,
): Namespace<Value>['change'] {
  const queues = new Map<string, Waiting<Value>[]>();
  const make = (key: string, queue: Waiting<Value>[]) => {
    const work = (lease?: HeldLease) => makeTogether(values, key, queue, lease);
    return leases === undefined ? work() : withLeaseWhenFree(leases, `turn:${name}:${key}`, LEASE_MS, work);
  };
  const makeAll = async (key: string, queue: Waiting<Value>[]) => {
    while (queue.length > 0) {
      try {
        await make(key, queue);
      } catch (error) {
        // After a lost lease another process may have written, so all queued changes run again on a fresh value.
        if (!(error instanceof LeaseLost)) for (const { reject } of queue.splice(0)) reject(error);
      }
    }
    queues.delete(key);
  };
  return (key, change, ttlMs) => {
    const waiting = { ...Promise.withResolvers<Changed<Value>>(), change, ttlMs };
    const queue = queues.get(key) ?? [];
    queue.push(waiting);
    if (!queues.has(key)) {
      queues.set(key, queue);
      void makeAll(key, queue);
    }
    return waiting.promise;
  };
}

/** Reads the value, runs all changes queued by then, writes once, and settles the changes after the write. */
async function makeTogether<Value>(
  values: Values<Value>,
  key: string,
  queue: Waiting<Value>[],
  lease: HeldLease | undefined,
): Promise<void> {
  const stored = await values.get(key);
  const taken = [...queue];
  const settle: (() => void)[] = [];
  let present = stored;
  for (const { change, resolve } of taken) {
    const changed = [present, await change(present)] as const;
    settle.push(() => resolve(changed));
    present = changed[1];
  }
  if (!isDeepStrictEqual(stored, present)) {
    await lease?.confirm();
    if (present === undefined || (Array.isArray(present) && present.length === 0)) await values.delete(key);
    else await values.set(key, present, taken.at(-1)?.ttlMs(present));
  }
  queue.splice(0, taken.length);
  for (const each of settle) each();
}

/** An entry of a stored list. `until`: when it expires, in epoch milliseconds. */
type Entry = { readonly kind: string; readonly until: number };

/** Stored lists whose entries expire one by one. Every method throws `storage-failed`. */
export class Entries<E extends Entry> {
  readonly #namespace: Namespace<readonly E[]>;
  readonly #now: () => number;

  constructor(namespace: Namespace<readonly E[]>, now: () => number) {
    this.#namespace = namespace;
    this.#now = now;
  }

  /** The entries that have not expired. */
  async at(key: string): Promise<readonly E[]> {
    return this.#live(await this.#namespace.get(key));
  }

  /** Changes a list, after its expired entries were dropped. */
  async change(
    key: string,
    make: (live: readonly E[]) => readonly E[],
  ): Promise<{ readonly before: readonly E[]; readonly after: readonly E[] }> {
    const change = (stored?: readonly E[]) => make(this.#live(stored));
    const keptMs = (after: readonly E[]) => Math.max(...after.map(({ until }) => until)) - this.#now();
    const [before, after = []] = await this.#namespace.change(key, change, keptMs);
    return { before: this.#live(before), after };
  }

  #live(stored: readonly E[] = []): readonly E[] {
    return stored.filter(({ until }) => until > this.#now());
  }
}

/** The entries of one kind. */
export function ofKind<E extends Entry, Kind extends E['kind']>(entries: readonly E[], kind: Kind) {
  return entries.filter((each): each is Extract<E, { readonly kind: Kind }> => each.kind === kind);
}
