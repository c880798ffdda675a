import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { openStorage } from '../../src/storage/open-storage.ts';
import { aLookup } from '../support/a-lookup.ts';
import { has } from '../support/needs.ts';
import { startRedis } from '../support/redis.ts';
import { startRedisRelay } from '../support/redis-relay.ts';

describe.runIf(has('redis-server'))('A replica behind a network that loses everything', () => {
  test('takes jobs again over new connections, long before the old ones are known to be lost', async ({
    onTestFinished,
  }) => {
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    const relay = await startRedisRelay(redis.url, {});
    onTestFinished(() => relay.close());
    const log: string[] = [];
    const open = async (url: string) => {
      const settings = { kind: 'redis', url, stateKeys: [new Uint8Array(32).fill(9)] } as const;
      const context = { logger: pino({}, { write: (line) => log.push(line) }), now: Date.now };
      const storage = await openStorage(settings, context);
      onTestFinished(async () => {
        await storage.jobs.stop(100);
        await storage.store.close();
      });
      return storage.queue;
    };
    const [taking, adding] = [await open(relay.url), await open(redis.url)];
    const taken: string[] = [];
    await taking.start(async ({ id }) => {
      taken.push(id);
      return { done: true };
    });
    await adding.add(aLookup('before'));
    await expect.poll(() => taken).toEqual(['before']);
    relay.hold();
    await adding.add(aLookup('after'));
    await expect.poll(() => taken, { timeout: 30_000 }).toEqual(['before', 'after']);
  });
});
