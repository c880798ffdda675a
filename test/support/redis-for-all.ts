import { createClient } from '@keyv/redis';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { openStorage } from '../../src/storage/open-storage.ts';
import { startRedis, type TestRedis } from './redis.ts';
import { startRedisRelay } from './redis-relay.ts';

const KEY = new Uint8Array(32).fill(9);

/** One Redis for all tests of a group, emptied before each of them, and a connection beside the bot's. */
export function redisForAll() {
  let redis: TestRedis;
  let client: ReturnType<typeof createClient>;
  beforeAll(async () => {
    redis = await startRedis();
    client = createClient({ url: redis.url });
    await client.connect();
  });
  afterAll(async () => {
    client.destroy();
    await redis.close();
  });
  beforeEach(async () => void (await client.flushDb()));
  /** Storage of a replica, until the end of the test; `log` is what it logs. */
  const open = async ({ url = redis.url, key = KEY, aheadMs = 0 } = {}) => {
    const log: Record<string, unknown>[] = [];
    const logger = pino({}, { write: (line) => log.push(JSON.parse(line)) });
    const settings = { kind: 'redis', url, stateKeys: [key] } as const;
    const storage = await openStorage(settings, { logger, now: () => Date.now() + aheadMs });
    onTestFinished(async () => {
      await storage.jobs.stop(1_000);
      // A test may have closed it.
      await storage.store.close().catch(() => {});
    });
    return { ...storage, log };
  };
  /** A relay before that Redis, until the end of the test. */
  const relay = async () => {
    const started = await startRedisRelay(redis.url, {});
    onTestFinished(() => started.close());
    return started;
  };
  return {
    ...{ open, relay },
    get redis() {
      return redis;
    },
    get client() {
      return client;
    },
  };
}
