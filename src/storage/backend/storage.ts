import type { Logger } from 'pino';
import { Stopping } from '../../core/errors.ts';
import type { Store } from '../../core/store.ts';
import type { Follow, JobQueue, LookupQueue } from '../../lookups/queue.ts';
import { SealBroken } from './sealing.ts';

type Keys = readonly [Uint8Array, ...Uint8Array[]];
export type RedisSettings = { readonly kind: 'redis'; readonly url: string; readonly stateKeys: Keys };
export type SqliteSettings = {
  readonly kind: 'sqlite';
  readonly dataDir: string;
  readonly stateKeys: readonly Uint8Array[];
};
/**
 * The backend that stores state, and its encryption keys: the first key encrypts, every key can decrypt. Without a key,
 * the SQLite backend creates one in its folder.
 */
export type StorageSettings = SqliteSettings | RedisSettings;

/** What every backend needs. */
export type StorageContext = {
  readonly logger: Logger;
  /** The current time in epoch milliseconds. */
  readonly now: () => number;
  /** Called when a step failed and will be retried. */
  readonly onRetry?: () => void;
  /** Called for each stored value that no current key decrypts. */
  readonly onUnreadable?: () => void;
};

/** An open backend: its store and its queues. */
export type Storage = {
  readonly store: Store;
  readonly queue: LookupQueue;
  readonly follows: JobQueue<Follow>;
  /** `stop` starts no more steps, and waits up to `ms` for the running ones. Unfinished jobs stay stored. */
  readonly jobs: { stop(ms: number): Promise<void> };
  /** A sentence for operators if a stored value could not be decrypted, else undefined. */
  readonly unopened: () => string | undefined;
  /** The current time in epoch milliseconds, equal for all processes that share the store. */
  readonly now: () => number;
};

const UNOPENED = 'no present key opens some stored values; the bot ignores them and keeps them';
const UNOPENED_VALUE = 'a stored value could not be opened: the bot ignores it and keeps it';
const UNOPENED_JOB = 'an open lookup or follow could not be opened: the bot keeps it and tries again';
const KEY_REPAIR =
  'add the key that sealed them to STATE_KEY (its former value, or the content of a former state.key), keep the present state.key, and restart';

/** Reports problems of a backend to its operator, in the log and by `unopened`. */
export function storageReports({ logger, onRetry, onUnreadable }: StorageContext) {
  const log = logger.child({ part: 'queue' });
  const told = new Set<string>();
  let unopened: string | undefined;
  return {
    /**
     * Called for each value or job that can't be read. Logs it once for each job, and once for each kind of values,
     * because there may be thousands.
     */
    unreadable: (what: { readonly namespace: string } | { readonly lookup: string }, err: unknown) => {
      const isFirst = told.size < told.add(JSON.stringify(what)).size;
      if (!(err instanceof SealBroken)) {
        if (isFirst) log.warn({ ...what, err }, 'a lookup is left to another release');
        return;
      }
      onUnreadable?.();
      unopened = UNOPENED;
      const message = 'namespace' in what ? UNOPENED_VALUE : UNOPENED_JOB;
      if (isFirst) logger.error({ ...what, err, setting: 'STATE_KEY', repair: KEY_REPAIR }, message);
    },
    /** Called for errors. `lookup`: whose step failed; absent for an error of the queue itself. */
    queueError: (err: unknown, lookup?: string) => {
      if (err instanceof Stopping) return;
      if (lookup !== undefined) onRetry?.();
      log.warn({ err, lookup }, lookup === undefined ? 'the queue reports an error' : 'retrying lookup');
    },
    unopened: () => unopened,
  };
}
export type StorageReports = ReturnType<typeof storageReports>;
