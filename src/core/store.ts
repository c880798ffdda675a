import { RESULT_VERSION } from './diagnostics.ts';
import { StorageFailed } from './faults.ts';
import type { Leases } from './lease.ts';
import { inTime, LATE } from './time.ts';

/** How one kind of stored value is versioned. */
export type NamespaceSpec = {
  /** Goes up when the shape of the values changes. */
  readonly version: number;
  /**
   * How values of earlier versions become values of this one. A version that is not listed is treated as absent and
   * left as it is: right for a cache, which is read again.
   */
  readonly upgrades: Readonly<Record<number, (value: unknown) => unknown>>;
  /**
   * Whether nothing else says what a value says. One that a newer release wrote is then no absent one, which the next change
   * would replace: it can't be read, as when the store is away, and who tries again reaches a replica of that release.
   */
  readonly isKept?: true;
  /** Of two changes that replicas make in the same moment, one may be lost: no answer waits for another replica. */
  readonly mayLose?: true;
};

/**
 * Every kind of value that is stored, by its name: add a line to add one. To change the shape of one, raise its
 * version and say how the version before becomes this one; drop the line only if the value is a cache.
 * Open lookups and follows are jobs too: the queues store those (`JOB_VERSIONS` in `lookups/queue.ts`).
 */
export const NAMESPACES = {
  /** Hits that were accepted for a device, with who, why and until when, by device. */
  accepted: { version: 1, upgrades: {}, isKept: true },
  /** Results of the service, by question. A cache. */
  answers: { version: RESULT_VERSION, upgrades: {} },
  /** Lookups that were cancelled, by lookup. */
  cancelled: { version: 1, upgrades: {} },
  /** Which results of a device were read, and the names and importances of their hits, by workspace and serial number. */
  'device-reads': { version: 1, upgrades: {}, mayLose: true },
  /** Which snapshots a person follows, by person. */
  follows: { version: 1, upgrades: {}, isKept: true },
  /** How a message reads while somebody decides who takes it over, by message. */
  'hand-overs': { version: 1, upgrades: {} },
  /** Who is on it, by the message of a result. */
  owners: { version: 1, upgrades: {} },
  /** The latest 202 for a question: since when and why the service processes the snapshot. A cache. */
  processing: { version: 2, upgrades: {} },
  /** The latest lookups of a person, by person. */
  recents: { version: 1, upgrades: {} },
  /** What replicas share about the service: the session, refused logins, and when not to ask. */
  service: { version: 1, upgrades: {} },
  /** Who asked to be notified when a lookup ends, by lookup. */
  subscriptions: { version: 1, upgrades: {} },
  /** Who waits for a newer snapshot of a device, by device. */
  'waiting-for-newer': { version: 1, upgrades: {}, isKept: true },
  /** Messages that show a wait, by conversation and by what was asked. */
  'waiting-messages': { version: 1, upgrades: {} },
} as const satisfies Readonly<Record<string, NamespaceSpec>>;

export type NamespaceName = keyof typeof NAMESPACES;

/** How long data from the service is kept. Milliseconds. */
export type Retention = {
  /** Results: for as long as a click on their message finds them without a request. */
  readonly resultMs: number;
  /** What was read of a device, which later results are compared with, and the recent lookups of a person. */
  readonly historyMs: number;
};

/** What a value becomes. */
export type Change<Value> = (before: Value | undefined) => Value | undefined | Promise<Value | undefined>;
export type Changed<Value> = readonly [before: Value | undefined, after: Value | undefined];

/** Stored values of one kind, encrypted. Every method throws `StorageFailed` if the store does not answer. */
export interface Namespace<Value> {
  /**
   * Gives undefined also for a value that cannot be decrypted or has an unknown version; that value is not deleted. Throws
   * `StorageFailed` too for one of a newer release where the kind says so (`isKept`).
   */
  get(key: string): Promise<Value | undefined>;
  /** `ttlMs` is how long the value is kept; without it, until it is deleted. */
  set(key: string, value: Value, ttlMs?: number): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Changes a value, one change after the other among all processes, unless the kind says otherwise (`mayLose`). Of what
   * becomes undefined, or an empty list, nothing is kept. Throws what `change` throws, too.
   */
  change(key: string, change: Change<Value>, ttlMs: (after: Value) => number): Promise<Changed<Value>>;
  /**
   * Reads every value: slow, for rare work such as erasure. Keys are stored as hashes, so that values cannot be listed
   * by key.
   */
  entries(): AsyncIterable<readonly [key: string, value: Value]>;
}

/** The store of everything that must survive a restart. */
export interface Store {
  /** The values of one kind; the kinds and their versions are those of `NAMESPACES`. */
  namespace<Value>(name: NamespaceName): Namespace<Value>;
  readonly leases: Leases;
  /** Whether other processes may use it, too. */
  readonly isShared: boolean;
  /** Writes a value and deletes it again. Throws `StorageFailed` if the store cannot be written to. */
  check(): Promise<void>;
  /** Deletes everything that the bot has stored, open lookups and unreadable values included. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Slack gives three seconds for an answer, and a store that hangs must not use them up. */
const ANSWERS_WITHIN_MS = 2_000;

/** Does a piece of storage work; whatever goes wrong in it, or takes too long, becomes `StorageFailed`. */
export async function orStorageFailed<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    const outcome = await inTime(ANSWERS_WITHIN_MS, Promise.try(work));
    if (outcome === LATE) throw new Error(`no answer within ${ANSWERS_WITHIN_MS} ms`);
    return outcome;
  } catch (error) {
    throw error instanceof StorageFailed ? error : new StorageFailed({ cause: error });
  }
}
