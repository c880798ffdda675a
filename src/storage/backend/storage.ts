import type { Logger } from 'pino';
import type { Store } from '../../core/store.ts';
import type { JobQueue, LookupQueue } from '../../lookups/queue.ts';
import type { Reminder } from '../../lookups/reminder.ts';

/** Where to keep state, and what seals it. `stateKeys` may be empty for the embedded store only. */
export type StorageSettings = {
  readonly redisUrl: string | undefined;
  readonly dataDir: string;
  readonly stateKeys: readonly Uint8Array[];
};

/** What every backend is given. */
export type StorageContext = {
  readonly logger: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Hears of each step of a lookup that is done again. */
  readonly onRetry?: () => void;
  /** Hears of each stored value that can't be opened. */
  readonly onUnreadable?: () => void;
};

/** What every backend provides: the store and the queues on it, made together. */
export type Storage = {
  readonly store: Store;
  readonly queue: LookupQueue;
  /** Apart from the lookups: whoever waits for one of these waits for a day, and is in no trouble. */
  readonly reminders: JobQueue<Reminder>;
};
