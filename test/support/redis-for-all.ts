import { createClient } from '@keyv/redis';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startRedis, type TestRedis } from './redis.ts';

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
  return {
    get redis() {
      return redis;
    },
    get client() {
      return client;
    },
  };
}
