import type { Follow, Job } from '../../lookups/queue.ts';
import { Sealer } from '../backend/sealing.ts';
import { type RedisSettings, type Storage, type StorageContext, storageReports } from '../backend/storage.ts';
import { BullQueue } from './bull-queue.ts';
import { redisStore } from './redis-store.ts';
import { connectRedis } from './shared-redis.ts';

/** Opens the storage that replicas share. Redis may be unavailable at the start. */
export async function openRedis(settings: RedisSettings, context: StorageContext): Promise<Storage> {
  const { url, stateKeys } = settings;
  const redis = await connectRedis(url, context.logger.child({ part: 'redis' }), context.now);
  const { now } = redis;
  const reports = storageReports(context);
  const parts = { redis, sealer: new Sealer(stateKeys), now, reports };
  const queue = new BullQueue<Job>('lookup', parts);
  const follows = new BullQueue<Follow>('follow', parts);
  return {
    store: await redisStore(url, redis, parts),
    queue,
    follows,
    jobs: { stop: async (ms) => void (await Promise.all([queue.stop(ms), follows.stop(ms)])) },
    unopened: reports.unopened,
    now,
  };
}
