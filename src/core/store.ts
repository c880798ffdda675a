import type { Leases } from './lease.ts';
import type { Mutex } from './mutex.ts';
import type { NamespaceName } from './namespaces.ts';

/** Values of one kind, kept sealed through restarts. Every method throws `StorageFailed` when it can't be done. */
export interface Namespace<Value> {
  /** Undefined also for a value that can't be opened or is of another version: that one is left as it is. */
  get(key: string): Promise<Value | undefined>;
  /** `ttlMs` is how long the value is kept; without it, until it is deleted. */
  set(key: string, value: Value, ttlMs?: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Reads every value, for rare work such as erasure: keys are stored as hashes, so that nothing but this finds them. */
  entries(): AsyncIterable<readonly [key: string, value: Value]>;
}

/** Where everything that outlives a process is kept. */
export interface Store {
  /** The values of one kind; the kinds and their versions are declared in `core/namespaces.ts`. */
  namespace<Value>(name: NamespaceName): Namespace<Value>;
  readonly leases: Leases;
  /** Work by name, one piece after the other, across everything that shares the store. */
  readonly mutex: Mutex;
  /** Writes something and takes it back. Throws `StorageFailed` when nothing can be written now. */
  check(): Promise<void>;
  /** Deletes everything that this bot has ever stored there, what it can't open too: open lookups as well. */
  clear(): Promise<void>;
  close(): Promise<void>;
}
