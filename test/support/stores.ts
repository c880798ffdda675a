import { afterAll } from 'vitest';
import { has } from './needs.ts';
import { startRedis, type TestRedis } from './redis.ts';
import { STATE_KEY } from './upstreams.ts';

/** The stores that this machine can run. */
export const STORES = has('redis-server') ? (['SQLite', 'Redis'] as const) : (['SQLite'] as const);
type StoreName = (typeof STORES)[number];

type Variables = Readonly<Record<string, string>>;

/** The number of databases that Redis has by default. */
const DATABASES = 16;

/**
 * Returns a function that gives the variables of a bot on a store. All bots of a test file share one Redis, each with
 * its own database.
 */
export function stores(): (store: StoreName) => Promise<Variables> {
  let redis: Promise<TestRedis> | undefined;
  let next = 0;
  afterAll(async () => (await redis)?.close());
  return async (store) => {
    if (store === 'SQLite') return {};
    redis ??= startRedis();
    const database = next;
    next += 1;
    if (database >= DATABASES) throw new RangeError('a Redis has 16 databases');
    return { REDIS_URL: `${(await redis).url}/${database}`, STATE_KEY };
  };
}
