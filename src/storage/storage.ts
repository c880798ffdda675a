import type { Store } from '../core/store.ts';
import type { Follow, Job, JobQueue, LookupQueue } from '../lookups/queue.ts';
import { type Keys, type ReportsContext, Sealer, type StorageReports, storageReports } from './sealing.ts';

/**
 * The backend that stores state, and its encryption keys: the first key encrypts, every key can decrypt. Without a key,
 * the SQLite backend creates one in its folder.
 */
export type StorageSettings =
  | { readonly kind: 'redis'; readonly url: string; readonly stateKeys: Keys }
  | { readonly kind: 'sqlite'; readonly dataDir: string; readonly stateKeys: readonly Uint8Array[] };
type SettingsOf<Kind> = Extract<StorageSettings, { readonly kind: Kind }>;

/** What every backend needs. `now`: returns the current time in epoch milliseconds. */
type StorageContext = ReportsContext & { readonly now: () => number };

/** An open storage: its store and its queues. */
export type Storage = {
  readonly store: Store;
  readonly queue: LookupQueue;
  readonly follows: JobQueue<Follow>;
  /** `stop` starts no more steps, and waits up to `ms` for the running ones. Unfinished jobs stay stored. */
  readonly jobs: { stop(ms: number): Promise<void> };
  /** The current time in epoch milliseconds, equal for all processes that share the store. */
  readonly now: () => number;
  /** A sentence for operators if a stored value could not be decrypted, else undefined. */
  readonly unopened: () => string | undefined;
};

/**
 * Opens the storage of the settings: a Redis that replicas share, or a file of this process. Loads only the code of
 * that backend. Redis may be unavailable at the start. Throws `DataDirUnusable`.
 */
export async function openStorage(settings: StorageSettings, context: StorageContext): Promise<Storage> {
  const reports = storageReports(context);
  const backend = await (settings.kind === 'redis'
    ? openRedis(settings, context, reports)
    : openSqlite(settings, context, reports));
  const { queue, follows } = backend;
  return {
    ...backend,
    jobs: { stop: async (ms) => void (await Promise.all([queue.stop(ms), follows.stop(ms)])) },
    unopened: reports.unopened,
  };
}

async function openRedis(
  { url, stateKeys }: SettingsOf<'redis'>,
  { logger, now: ownNow }: StorageContext,
  reports: StorageReports,
) {
  const { connectRedis, redisStore } = await import('./redis-store.ts');
  const { BullQueue } = await import('./bull-queue.ts');
  const redis = await connectRedis(url, logger.child({ part: 'redis' }), ownNow);
  const { now } = redis;
  const parts = { redis, sealer: new Sealer(stateKeys), now, reports };
  const queue = new BullQueue<Job>('lookup', parts);
  const follows = new BullQueue<Follow>('follow', parts);
  return { store: await redisStore(url, parts), queue, follows, now };
}

async function openSqlite(
  { dataDir, stateKeys }: SettingsOf<'sqlite'>,
  { logger, now }: StorageContext,
  reports: StorageReports,
) {
  const { keysIn, openDatabase } = await import('./data-directory.ts');
  const { sqliteStore, statementsOn } = await import('./sqlite-store.ts');
  const { SqliteQueue } = await import('./sqlite-queue.ts');
  const database = openDatabase(dataDir);
  try {
    const sealer = new Sealer(keysIn(dataDir, stateKeys, database, logger));
    const parts = { statements: statementsOn(database), sealer, now, reports };
    const queue = new SqliteQueue<Job>('lookup', parts);
    const follows = new SqliteQueue<Follow>('follow', parts);
    return { store: sqliteStore(database, parts), queue, follows, now };
  } catch (error) {
    database.close();
    throw error;
  }
}
