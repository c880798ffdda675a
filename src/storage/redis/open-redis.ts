import { errorCode } from '../../core/errors.ts';
import { type Backend, reportQueue, reportUnreadable, type StorageContext } from '../backend/storage.ts';
import { Sealer } from '../sealing/sealer.ts';
import { loadStoredNames, type StoredNames } from '../sealing/stored-names.ts';
import { BullJobs } from './bull-jobs.ts';
import { BullQueue } from './bull-queue.ts';
import { connect, PREFIX, type ValuesConnection } from './redis-connection.ts';
import { redisStore } from './redis-store.ts';

const REPAIR =
  'check that it runs, the address and the password in REDIS_URL, redis:// or rediss://, and the firewall';

/** Opens the store and the queue that replicas share. Redis may be away at the start and come later. */
export async function openRedis(
  url: string,
  stateKeys: readonly [Uint8Array, ...Uint8Array[]],
  context: StorageContext,
): Promise<Backend> {
  const { now } = context;
  const logger = context.logger.child({ part: 'redis' });
  const connection = await connect(url, {
    lost: (error) => {
      const reason = (error instanceof Error && error.message) || errorCode(error);
      const message = 'Redis cannot be used: no command is accepted until it can';
      logger.error({ setting: 'REDIS_URL', reason, repair: REPAIR }, message);
    },
    back: () => logger.info('Redis can be used again'),
  });
  const sealer = new Sealer(stateKeys);
  const onUnreadable = reportUnreadable(context);
  const report = reportQueue(context);
  const onError = (error: unknown, id: string | undefined) => {
    // Each connection of the queue says again what was said of Redis.
    if (id === undefined && !connection.isReady) logger.debug({ err: error }, 'the queue has no connection');
    else report(error, id);
  };
  const queue = await new BullQueue({ url, sealer, now, onError }).open();
  return {
    store: redisStore(connection, { sealer, names: namesIn(connection, sealer), onUnreadable }),
    jobs: { of: (kind) => new BullJobs(kind, queue), stop: (ms) => queue.stop(ms) },
    unopened: () => 0,
  };
}

/** The stored names are loaded when first needed, and again after a failure: Redis may be away. */
function namesIn(connection: ValuesConnection, sealer: Sealer): () => Promise<StoredNames> {
  const keyOf = (keyName: string) => `${PREFIX}:secrets:${keyName}`;
  const shelf = {
    get: async (keyName: string) => (await connection.get(keyOf(keyName))) ?? undefined,
    add: async (keyName: string, sealed: string) =>
      void (await connection.set(keyOf(keyName), sealed, { condition: 'NX' })),
  };
  let loading: Promise<StoredNames> | undefined;
  return () => {
    loading ??= loadStoredNames(shelf, sealer).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
