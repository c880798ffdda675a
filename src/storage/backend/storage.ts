import type { Logger } from 'pino';
import { Stopping } from '../../core/errors.ts';
import type { Store } from '../../core/store.ts';
import type { Follow, JobQueue, LookupQueue } from '../../lookups/queue.ts';
import { KEY_REPAIR, SealBroken } from './sealing.ts';

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
  /** How many stored values that no present key opens were met. */
  readonly unopened: () => number;
  /** Epoch milliseconds of a clock that all processes share which share the store. */
  readonly now: () => number;
};

const UNOPENED_VALUE = 'a stored value could not be opened: it counts as absent and is left as it is';
const UNOPENED_JOB = 'an open lookup or follow could not be opened: it is left as it is';
/** Tells two sealed texts apart: the name of the key and the initialization vector. */
const BEGINNING = 30;

/** What operators are told of a storage, in the log and by `unopened`. */
export function storageReports({ logger, onRetry, onUnreadable }: StorageContext) {
  const log = logger.child({ part: 'queue' });
  const unopened = new Set<string>();
  const told = new Set<string>();
  const isFirst = (what: string) => told.size < told.add(what).size;
  const unopenedBy = (what: { namespace: string } | { lookup: string }, sealed: string, err: Error) => {
    onUnreadable?.();
    unopened.add(sealed.slice(0, BEGINNING));
    const message = 'namespace' in what ? UNOPENED_VALUE : UNOPENED_JOB;
    if (isFirst(JSON.stringify(what)))
      logger.error({ ...what, err, setting: 'STATE_KEY', repair: KEY_REPAIR }, message);
  };
  return {
    /** Called with a value that no present key opens. One line for each kind: there may be thousands. */
    unreadable: (namespace: string, sealed: string, err: Error) => unopenedBy({ namespace }, sealed, err),
    /** Called with a job that no present key opens, or of another version, each time that it is met. */
    unreadableJob: (lookup: string, sealed: string, err: unknown) => {
      if (err instanceof SealBroken) unopenedBy({ lookup }, sealed, err);
      else if (isFirst(lookup)) log.warn({ err, lookup }, 'a lookup is left to another release');
    },
    /** Called with a failed step, and without an id for an error of the queue itself. */
    queueError: (err: unknown, lookup?: string) => {
      if (err instanceof Stopping) return;
      if (lookup !== undefined) onRetry?.();
      log.warn({ err, lookup }, lookup === undefined ? 'the queue reports an error' : 'retrying lookup');
    },
    unopened: () => unopened.size,
  };
}
export type StorageReports = ReturnType<typeof storageReports>;
