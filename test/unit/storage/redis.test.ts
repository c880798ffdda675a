import { createClient } from '@keyv/redis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import type { Job } from '../../../src/lookups/queue.ts';
import type { Storage } from '../../../src/storage/backend/storage.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { has } from '../../support/needs.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';

const KEY = new Uint8Array(32).fill(9);

/** One Redis for all of these tests, and a connection beside the bot's. */
describe.runIf(has('redis-server'))('On Redis', () => {
  let redis: TestRedis;
  let client: ReturnType<typeof createClient>;
  const log: string[] = [];
  const opened: Storage[] = [];
  const clock = { ahead: 0 };
  const open = async (key = KEY) => {
    const settings = { kind: 'redis', url: redis.url, stateKeys: [key] } as const;
    const logger = pino({}, { write: (line) => log.push(line) });
    const storage = await openStorage(settings, { logger, now: () => Date.now() + clock.ahead });
    opened.push(storage);
    return storage;
  };
  beforeAll(async () => {
    redis = await startRedis();
    client = createClient({ url: redis.url });
    await client.connect();
  });
  afterAll(async () => {
    client.destroy();
    await redis.close();
  });
  beforeEach(async () => {
    await client.flushDb();
    log.length = 0;
    clock.ahead = 0;
  });
  afterEach(async () => {
    for (const { store, jobs } of opened.splice(0)) {
      await jobs.stop(1_000);
      await store.close();
    }
  });

  test('everything of the bot can be deleted, and nothing of anybody else', async () => {
    const { store, queue } = await open();
    await store.namespace('recents').set('key', 1);
    await store.leases.hold('name', 60_000);
    await queue.add(aLookup('one'));
    const others = ['snapshot-bots:theirs', 'somebody:else'];
    for (const key of others) await client.set(key, '1');
    await store.clear();
    expect((await client.keys('*')).toSorted()).toEqual(others);
  });

  test('names that could not be loaded once are loaded the next time', async () => {
    await (await open()).store.check();
    const [secret = ''] = await client.keys('snapshot-bot:secrets:*');
    const kept = (await client.get(secret)) ?? '';
    await client.set(secret, 'altered');
    const { store } = await open();
    await expect(store.check()).rejects.toThrow(StorageFailed);
    await client.set(secret, kept);
    await store.check();
  });

  test('a store that was closed takes nothing, and does not connect again', async () => {
    const { store } = await open();
    await store.check();
    await store.close();
    await expect(store.namespace('recents').get('key')).rejects.toThrow(StorageFailed);
    await expect(store.clear()).rejects.toThrow(StorageFailed);
    opened.length = 0;
  });

  describe('a job', () => {
    async function all(jobs: AsyncIterable<Job>): Promise<string[]> {
      const found: string[] = [];
      for await (const { id } of jobs) found.push(id);
      return found.toSorted();
    }

    test('that can’t be read is told with its id, and the others are listed', async () => {
      await (await open()).queue.add(aLookup('sealed'));
      const { queue } = await open(new Uint8Array(32).fill(1));
      await queue.add(aLookup('own'));
      expect(await all(queue.entries())).toEqual(['own']);
      expect(log.filter((line) => line.includes('"lookup":"sealed"'))).toHaveLength(1);
    });

    test('whose step throws is put off for a second, then for two, as it was saved', async () => {
      const { queue } = await open();
      await queue.start(async (job, save) => {
        await save({ ...job, shown: 'saved' });
        throw new Error('a step that fails');
      });
      const due = async () =>
        Number((await client.zRangeWithScores('snapshot-bot:jobs:delayed', 0, 0))[0]?.score);
      const began = Date.now();
      await queue.add(aLookup('one'));
      // Until then it is due when its safety net is.
      await expect.poll(() => client.keys('snapshot-bot:first:*')).toEqual([]);
      // BullMQ keeps the time in the upper bits, beside a counter.
      const first = Math.floor((await due()) / 4_096);
      expect(first - began).toBeGreaterThanOrEqual(1_000);
      expect(first - Date.now()).toBeLessThanOrEqual(1_000);
      expect(JSON.parse((await client.hGet('snapshot-bot:jobs:lookup-one', 'data')) ?? '')).toMatchObject({
        failures: 1,
      });
      await queue.wake('one');
      const failures = async () =>
        JSON.parse((await client.hGet('snapshot-bot:jobs:lookup-one', 'data')) ?? '{}').failures;
      await expect.poll(failures).toBe(2);
      await expect.poll(async () => Math.floor((await due()) / 4_096) - began).toBeGreaterThanOrEqual(2_000);
      expect(log.filter((line) => line.includes('a step that fails')).length).toBeGreaterThanOrEqual(2);
    });

    test('is due by the clock of the bot', async () => {
      const { queue } = await open();
      clock.ahead = 3_600_000;
      const at = Date.now() + clock.ahead + 30_000;
      await queue.start(async (job) => ({ done: false, job, at }));
      await queue.add(aLookup('one'));
      const due = async () =>
        Number((await client.zRangeWithScores('snapshot-bot:jobs:delayed', 0, 0))[0]?.score);
      await expect.poll(() => client.keys('snapshot-bot:first:*')).toEqual([]);
      expect(Math.abs((await due()) / 4_096 - (at - clock.ahead))).toBeLessThan(5_000);
    });

    test('is not accepted by a queue without a connection', async () => {
      const { queue, store, jobs } = await open();
      await queue.add(aLookup('one'));
      await jobs.stop(1_000);
      await store.close();
      await expect(queue.add(aLookup('two'))).rejects.toThrow(StorageFailed);
      await expect(queue.countOpen()).rejects.toThrow(StorageFailed);
      opened.length = 0;
    });
  });

  test('what was refused while Redis was away is not done once it is back', async () => {
    const { store } = await open();
    const recents = store.namespace('recents');
    await recents.set('kept', 1);
    client.destroy();
    await redis.kill();
    await expect.poll(() => log.join('')).toContain('"level":50');
    await expect(recents.set('refused', 1)).rejects.toThrow(StorageFailed);
    await redis.start();
    client = createClient({ url: redis.url });
    await client.connect();
    await expect.poll(() => store.check().then(() => 'ready', String)).toBe('ready');
    expect([await recents.get('kept'), await recents.get('refused')]).toEqual([1, undefined]);
    const told = log.map((line) => JSON.parse(line)).filter(({ part }) => part === 'redis');
    expect(told).toMatchObject([
      {
        level: 50,
        reason: expect.any(String),
        msg: expect.stringContaining('Redis cannot be used'),
      },
      { level: 30, msg: 'Redis can be used again' },
    ]);
  });
});
