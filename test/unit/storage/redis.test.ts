import { describe, expect, onTestFinished, test } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { has } from '../../support/needs.ts';
import { startRedis } from '../../support/redis.ts';
import { redisForAll } from '../../support/redis-for-all.ts';

describe.runIf(has('redis-server'))('On Redis', () => {
  const shared = redisForAll();

  test('everything of the bot can be deleted, and nothing of anybody else', async () => {
    const { store, queue } = await shared.open();
    await store.namespace('recents').set('key', 1);
    await store.leases.hold('name', 60_000);
    await queue.add(aLookup('one'));
    const others = ['snapshot-bots:theirs', 'somebody:else'];
    for (const key of others) await shared.client.set(key, '1');
    await store.clear();
    expect((await shared.client.keys('*')).toSorted()).toEqual(others);
  });

  test('names that could not be loaded once are loaded the next time', async () => {
    await (await shared.open()).store.check();
    const [secret = ''] = await shared.client.keys('snapshot-bot:secrets:*');
    const kept = (await shared.client.get(secret)) ?? '';
    await shared.client.set(secret, 'altered');
    const { store } = await shared.open();
    await expect(store.check()).rejects.toThrow(StorageFailed);
    await shared.client.set(secret, kept);
    await store.check();
  });

  test('a store that was closed takes nothing, and does not connect again', async () => {
    const { store } = await shared.open();
    await store.check();
    await store.close();
    await expect(store.namespace('recents').get('key')).rejects.toThrow(StorageFailed);
    await expect(store.clear()).rejects.toThrow(StorageFailed);
  });

  describe('a job', () => {
    test('that can’t be read is told with its id, and the others are listed', async () => {
      await (await shared.open()).queue.add(aLookup('sealed'));
      const { queue, log } = await shared.open({ key: new Uint8Array(32).fill(1) });
      await queue.add(aLookup('own'));
      expect((await Array.fromAsync(queue.entries())).map(({ id }) => id)).toEqual(['own']);
      expect(log.filter(({ lookup }) => lookup === 'sealed')).toHaveLength(1);
    });

    test('whose step throws is put off for a second, then for two, as it was saved', async () => {
      const { queue, log } = await shared.open();
      await queue.start(async (job, save) => {
        await save({ ...job, shown: 'saved' });
        throw new Error('a step that fails');
      });
      const due = async () =>
        Number((await shared.client.zRangeWithScores('snapshot-bot:jobs:delayed', 0, 0))[0]?.score);
      const began = Date.now();
      await queue.add(aLookup('one'));
      // Until then it is due when its safety net is.
      await expect.poll(() => shared.client.keys('snapshot-bot:first:*')).toEqual([]);
      // BullMQ keeps the time in the upper bits, beside a counter.
      const first = Math.floor((await due()) / 4_096);
      expect(first - began).toBeGreaterThanOrEqual(1_000);
      expect(first - Date.now()).toBeLessThanOrEqual(1_000);
      expect(
        JSON.parse((await shared.client.hGet('snapshot-bot:jobs:lookup-one', 'data')) ?? ''),
      ).toMatchObject({
        failures: 1,
      });
      await queue.wake('one');
      const failures = async () =>
        JSON.parse((await shared.client.hGet('snapshot-bot:jobs:lookup-one', 'data')) ?? '{}').failures;
      await expect.poll(failures).toBe(2);
      await expect.poll(async () => Math.floor((await due()) / 4_096) - began).toBeGreaterThanOrEqual(2_000);
      const told = log.filter((line) => JSON.stringify(line).includes('a step that fails'));
      expect(told.length).toBeGreaterThanOrEqual(2);
    });

    test('is due by the clock of the bot', async () => {
      const aheadMs = 3_600_000;
      const { queue } = await shared.open({ aheadMs });
      const at = Date.now() + aheadMs + 30_000;
      await queue.start(async (job) => ({ done: false, job, at }));
      await queue.add(aLookup('one'));
      const due = async () =>
        Number((await shared.client.zRangeWithScores('snapshot-bot:jobs:delayed', 0, 0))[0]?.score);
      await expect.poll(() => shared.client.keys('snapshot-bot:first:*')).toEqual([]);
      expect(Math.abs((await due()) / 4_096 - (at - aheadMs))).toBeLessThan(5_000);
    });

    test('is not accepted by a queue without a connection', async () => {
      const { queue, store, jobs } = await shared.open();
      await queue.add(aLookup('one'));
      await jobs.stop(1_000);
      await store.close();
      await expect(queue.add(aLookup('two'))).rejects.toThrow(StorageFailed);
      await expect(queue.countOpen()).rejects.toThrow(StorageFailed);
    });
  });

  test('what was refused while Redis was away is not done once it is back', async () => {
    const own = await startRedis();
    onTestFinished(() => own.close());
    const { store, log } = await shared.open(own);
    const recents = store.namespace('recents');
    await recents.set('kept', 1);
    await own.kill();
    await expect.poll(() => log).toContainEqual(expect.objectContaining({ level: 50 }));
    await expect(recents.set('refused', 1)).rejects.toThrow(StorageFailed);
    await own.start();
    await expect.poll(() => store.check().then(() => 'ready', String)).toBe('ready');
    expect([await recents.get('kept'), await recents.get('refused')]).toEqual([1, undefined]);
    expect(log.filter(({ part }) => part === 'redis')).toMatchObject([
      { level: 50, reason: expect.any(String), msg: expect.stringContaining('Redis cannot be used') },
      { level: 30, msg: 'Redis can be used again' },
    ]);
  });
});
