import type { Logger } from 'pino';
import type { Store } from '../../core/store.ts';
import type { JobQueue, LookupQueue } from '../../lookups/queue.ts';
import type { Reminder } from '../../lookups/reminder.ts';

/**
 * Where to store state, one variant for each backend, and the keys to encrypt it with: the first one encrypts, all
 * decrypt. Without keys the embedded store makes one in its folder.
 */
export type StorageSettings =
  | { readonly kind: 'sqlite'; readonly dataDir: string; readonly stateKeys: readonly Uint8Array[] }
  | {
      readonly kind: 'redis';
      readonly url: string;
      readonly stateKeys: readonly [Uint8Array, ...Uint8Array[]];
    };

/** The options of every backend. */
export type StorageContext = {
  readonly logger: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Called with each step of a lookup that is retried. */
  readonly onRetry?: () => void;
  /** Called with each stored value that cannot be decrypted. */
  readonly onUnreadable?: () => void;
};

/** What every backend provides: a store, and two queues in it. */
export type Storage = {
  readonly store: Store;
  readonly queue: LookupQueue;
  /** Apart from the queue of lookups, because a reminder waits for days, which for a lookup would be an alarm. */
  readonly reminders: JobQueue<Reminder>;
  /** How many stored values no present key opens, as counted at the start; a shared store is not counted. */
  readonly unopened: number;
};
