import { orStorageFailed } from '../../core/store.ts';
import type { Follow, Job } from '../../lookups/queue.ts';
import { Sealer } from '../backend/sealing.ts';
import { type Storage, type StorageContext, storageReports } from '../backend/storage.ts';
import { BullQueue } from './bull-queue.ts';
import { connectForKeyv, redisStore } from './redis-store.ts';
import { connectRedis } from './shared-redis.ts';

/** Opens the storage that replicas share. Redis may be away at the start and come later. */
export async function openRedis(
  url: string,
  stateKeys: readonly [Uint8Array, ...Uint8Array[]],
  context: StorageContext,
): Promise<Storage> {
  const logger = context.logger.child({ part: 'redis' });
  const connecting = [connectRedis(url, logger, context.now), connectForKeyv(url)] as const;
  const [redis, values] = await Promise.all(connecting);
  const sealer = new Sealer(stateKeys);
  const { unopened, ...reports } = storageReports(context);
  const queueError = (error: unknown, id?: string) => {
    // Each connection of the queue says again what was said of Redis.
    if (id === undefined && redis.client.status !== 'ready')
      logger.debug({ err: error }, 'the queue has no connection');
    else reports.queueError(error, id);
  };
  const options = { sealer, redis, now: redis.now, reports: { ...reports, queueError } };
  const queue = new BullQueue<Job>('lookup', options);
  const follows = new BullQueue<Follow>('follow', options);
  const store = redisStore(values, redis, { sealer, reports });
  return {
    queue,
    follows,
    store: {
      ...store,
      check: async () => {
        await store.check();
        for (const each of [queue, follows]) await orStorageFailed(() => each.check());
      },
      close: async () => {
        redis.close();
        await store.close();
      },
    },
    jobs: {
      stop: async (ms) => {
        await Promise.all([queue.stop(ms), follows.stop(ms)]);
        redis.stopWorkers();
      },
    },
    unopened,
    now: redis.now,
  };
}
