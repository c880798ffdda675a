import { RESULT_VERSION } from './diagnostics.ts';
import { fault, isFault } from './faults.ts';
import type { Leases } from './lease.ts';

/**
 * Every kind of stored value, with the version of its shape. The version is a part of the name that values are stored
 * under: raise it when the shape changes, and values of other releases are left alone and count as absent.
 * Open lookups and follows are jobs: the queues store those (`JOB_KINDS` in `lookups/queue.ts`).
 */
export const NAMESPACES = {
  /** Results of the service, by question. A cache. */
  answers: RESULT_VERSION,
  /** Lookups that were cancelled, by lookup. */
  cancelled: 1,
  /** Which results of a device were read, with their hits; accepted hits; owners; who waits. By workspace and device. */
  devices: 3,
  /** Which snapshots a person follows, by person. */
  follows: 2,
  /** What a person looked up: the last lookups, and each device, also those taken over. By person. */
  people: 2,
  /** The latest 202 for a question: when and why the service processed the snapshot. A cache. */
  processing: 3,
  /** What replicas share about the service: the session, refused logins, and when not to ask. */
  service: 1,
  /** Who asked to be notified when a lookup ends, by lookup. */
  subscriptions: 2,
  /** Lookups whose message shows a wait, by conversation and by what was asked. */
  'waiting-messages': 2,
} as const;

export type NamespaceName = keyof typeof NAMESPACES;

/** How long data from the service is kept. Milliseconds. */
export type Retention = {
  /** Results: for as long as a click on their message finds them without a request. */
  readonly resultMs: number;
  /** What was read of a device, which later results are compared with, and what a person looked up. */
  readonly historyMs: number;
};

/** Gives the new value for the stored one. */
export type Change<Value> = (before: Value | undefined) => Value | undefined | Promise<Value | undefined>;
export type Changed<Value> = readonly [before: Value | undefined, after: Value | undefined];

/** Stored values of one kind, encrypted. Every method throws `storage-failed` if the store does not answer. */
export interface Namespace<Value> {
  /**
   * Undefined also for a value that no present key opens; that value is not deleted. Values are shared between callers:
   * never change one in place.
   */
  get(key: string): Promise<Value | undefined>;
  /** `ttlMs` is how long the value is kept; without it, until it is deleted. */
  set(key: string, value: Value, ttlMs?: number): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Changes a value, one change after the other among all processes. A value that becomes undefined or an empty list is
   * deleted. Throws what `change` throws, too.
   */
  change(key: string, change: Change<Value>, ttlMs: (after: Value) => number): Promise<Changed<Value>>;
  /** Reads every value: slow, for rare work such as erasure. */
  entries(): AsyncIterable<readonly [key: string, value: Value]>;
}

/** The store of everything that must survive a restart. */
export interface Store {
  /** The values of one kind; the kinds and their versions are those of `NAMESPACES`. */
  namespace<Value>(name: NamespaceName): Namespace<Value>;
  readonly leases: Leases;
  /** Whether other processes may use it, too. */
  readonly isShared: boolean;
  /** Writes a value and deletes it again. Throws `storage-failed` if the store cannot be written to. */
  check(): Promise<void>;
  /** Deletes everything that the bot has stored, open lookups and unreadable values included. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Does a piece of storage work; whatever goes wrong in it becomes `storage-failed`. */
export function orStorageFailed<T>(work: () => T | Promise<T>): Promise<T> {
  return Promise.try(work).catch((error) => {
    throw isFault(error, 'storage-failed') ? error : fault('storage-failed', {}, { cause: error });
  });
}
