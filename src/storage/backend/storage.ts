import type { Logger } from 'pino';
import type { Store } from '../../core/store.ts';
import type { JobQueue, LookupQueue } from '../../lookups/queue.ts';
import type { Reminder } from '../../lookups/reminder.ts';

/** Where to store state, and the keys to encrypt it with. `stateKeys` may be empty for the embedded store only. */
export type StorageSettings = {
  readonly redisUrl: string | undefined;
  readonly dataDir: string;
  readonly stateKeys: readonly Uint8Array[];
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

/** What every backend provides: a store, and a queue in it. */
export type Storage = {
  readonly store: Store;
  readonly queue: LookupQueue;
  /** Apart from the lookups: whoever waits for one of these waits for a day, and is in no trouble. */
  readonly reminders: JobQueue<Reminder>;
};
