import { StorageFailed } from './faults.ts';
import type { Leases } from './lease.ts';
import type { Mutex } from './mutex.ts';
import type { NamespaceName } from './namespaces.ts';
import { inTime, LATE } from './time.ts';

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
   * Reads every value: slow, for rare work such as erasure. Keys are stored as hashes, so that values cannot be listed
   * by key.
   */
  entries(): AsyncIterable<readonly [key: string, value: Value]>;
}

/** The store of everything that must survive a restart. */
export interface Store {
  /** The values of one kind; the kinds and their versions are declared in `core/namespaces.ts`. */
  namespace<Value>(name: NamespaceName): Namespace<Value>;
  readonly leases: Leases;
  /** A mutex among all processes that share the store. */
  readonly mutex: Mutex;
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
