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
  const reports = storageReports(context);
  const options = { sealer, redis, now: redis.now, reports };
  const queue = new BullQueue<Job>('lookup', options);
  const follows = new BullQueue<Follow>('follow', options);
  return {
    store: redisStore(values, redis, { sealer, reports }),
    queue,
    follows,
    jobs: {
      stop: async (ms) => {
        await Promise.all([queue.stop(ms), follows.stop(ms)]);
        redis.stopWorkers();
      },
    },
    unopened: reports.unopened,
    now: redis.now,
  };
}
