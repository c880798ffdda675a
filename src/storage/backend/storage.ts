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
 * Where to store state, one variant for each backend, and the keys to encrypt it with: the first one encrypts, all
 * decrypt. Without keys the embedded store makes one in its folder.
 */
export type StorageSettings = SqliteSettings | RedisSettings;

/** The options of every storage. */
export type StorageContext = {
  readonly logger: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Called with each step of a lookup that is retried. */
  readonly onRetry?: () => void;
  /** Called with each stored value that no present key opens. */
  readonly onUnreadable?: () => void;
};

/** A store, and the queues in it. */
export type Storage = {
  readonly store: Store;
  readonly queue: LookupQueue;
  readonly follows: JobQueue<Follow>;
  /** `stop` takes no more steps, and waits at most `ms` for the running ones; open jobs stay stored. */
  readonly jobs: { stop(ms: number): Promise<void> };
  /** A sentence for operators once a stored value was met that no present key opens. */
  readonly unopened: () => string | undefined;
  /** Epoch milliseconds, by one clock for all processes that share the store. */
  readonly now: () => number;
};

const UNOPENED =
  'there are stored values that no present key opens; they count as absent, and stay as they are';
const UNOPENED_VALUE = 'a stored value could not be opened: it counts as absent and is left as it is';
const UNOPENED_JOB = 'an open lookup or follow could not be opened: it is left as it is';
const KEY_REPAIR =
  'add the key that sealed them to STATE_KEY (the one it had, or the text of an earlier state.key), leave a present state.key as it is, and start again';

/** What operators are told of a storage, in the log and by `unopened`. */
export function storageReports({ logger, onRetry, onUnreadable }: StorageContext) {
  const log = logger.child({ part: 'queue' });
  const told = new Set<string>();
  let unopened: string | undefined;
  return {
    /**
     * Called for each value or job that can't be read. Logs one line a job and one a kind of values: there may be
     * thousands.
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
    /** Called with a failed step, and without an id for an error of the queue itself. */
    queueError: (err: unknown, lookup?: string) => {
      if (err instanceof Stopping) return;
      if (lookup !== undefined) onRetry?.();
      log.warn({ err, lookup }, lookup === undefined ? 'the queue reports an error' : 'retrying lookup');
    },
    unopened: () => unopened,
  };
}
export type StorageReports = ReturnType<typeof storageReports>;
