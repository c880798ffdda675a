import type { Logger } from 'pino';
import { Stopping } from '../../core/errors.ts';
import type { Store } from '../../core/store.ts';
import type { Follow, JobQueue, Jobs, LookupQueue } from '../../lookups/queue.ts';
import { SealBroken, type Sealer } from './sealer.ts';
import { KEY_REPAIR, unopenedSentence } from './state-key.ts';

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
  /** Whether a damaged file of an embedded store is left where it is, and not opened. */
  readonly leavesDamaged?: true;
};

/** What every backend provides: a store, and a queue in it. */
export type Backend = {
  readonly store: Store;
  readonly jobs: Jobs;
  /** How many stored values no present key opens, as far as that was counted. */
  readonly unopened: () => number;
};

/** An opened backend, with the kinds of jobs that the bot has. */
export type Storage = Backend & {
  readonly queue: LookupQueue;
  readonly follows: JobQueue<Follow>;
};

const UNREADABLE =
  'an open lookup or follow could not be opened: it is left as it is; STATE_KEY may lack its key';

/**
 * Reports failed steps and unreadable jobs in the log, and without an id the errors of a queue itself. A job without its
 * key is not retried.
 */
export function reportQueue({ logger, onRetry, onUnreadable }: StorageContext) {
  const log = logger.child({ part: 'queue' });
  return (error: unknown, lookup: string | undefined) => {
    if (error instanceof SealBroken && lookup !== undefined) {
      onUnreadable?.();
      log.error({ err: error, lookup }, UNREADABLE);
      return;
    }
    if (error instanceof Stopping) return;
    if (lookup !== undefined) onRetry?.();
    const message = lookup === undefined ? 'the queue reports an error' : 'retrying lookup';
    log.warn({ err: error, lookup }, message);
  };
}

/** Reports unreadable values in the log once for each namespace, because there may be thousands. */
export function reportUnreadable({ logger, onUnreadable }: StorageContext) {
  const reported = new Set<string>();
  return (namespace: string, why: Error) => {
    onUnreadable?.();
    if (reported.has(namespace)) return;
    reported.add(namespace);
    logger.error(
      { namespace, err: why },
      'a stored value could not be opened: it counts as absent and is left as it is; STATE_KEY may lack its key',
    );
  };
}

/** How many of these sealed texts no present key opens; their beginnings are enough. */
export async function countUnopened(
  sealed: Iterable<string> | AsyncIterable<string>,
  sealer: Sealer,
): Promise<number> {
  let count = 0;
  for await (const beginning of sealed) if (!sealer.hasKeyOf(beginning)) count += 1;
  return count;
}

/** What no present key opens is counted in the background, again as long as there is some; said in the log once. */
export function unopenedIn(count: () => Promise<number>, logger: Logger): Backend['unopened'] {
  let unopened: number | undefined;
  const look = async () => {
    const found = await count().catch(() => unopened);
    if (unopened === undefined && found)
      logger.error({ setting: 'STATE_KEY', repair: KEY_REPAIR }, unopenedSentence(found));
    unopened = found;
  };
  void look();
  return () => {
    // What is stored from now on has a present key.
    if (unopened !== 0) void look();
    return unopened ?? 0;
  };
}
