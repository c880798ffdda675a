import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { connect } from '../../../src/storage/redis/redis-connection.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { has } from '../../support/needs.ts';
import { redisForAll } from '../../support/redis-for-all.ts';
import { startRedisRelay } from '../../support/redis-relay.ts';

const KEY = new Uint8Array(32).fill(9);

describe.runIf(has('redis-server'))('On Redis', () => {
  const shared = redisForAll();
  async function open(onTestFinished: (end: () => Promise<void>) => void, url = shared.redis.url) {
    const log: { readonly msg: string; readonly time: number }[] = [];
    const settings = { kind: 'redis', url, stateKeys: [KEY] } as const;
    const logger = pino({}, { write: (line) => log.push(JSON.parse(line)) });
    const { queue, store, jobs } = await openStorage(settings, { logger, now: Date.now });
    onTestFinished(async () => {
      await jobs.stop(1_000);
      await store.close();
    });
    return { queue, log };
  }

  test('a connection that is lost twice is told twice, and so is its return', async ({ onTestFinished }) => {
    const relay = await startRedisRelay(shared.redis.url, {});
    onTestFinished(() => relay.close());
    const told: string[] = [];
    const connection = await connect(relay.url, {
      lost: () => void told.push('lost'),
      back: () => void told.push('back'),
    });
    onTestFinished(() => connection.destroy());
    for (const times of [1, 2]) {
      relay.cut();
      await expect.poll(() => told).toHaveLength(2 * times);
    }
    expect(told).toEqual(['lost', 'back', 'lost', 'back']);
  });

  test.for([
    ['to the job', ['before']],
    ['to the set-up', []],
  ] as const)(
    'a job that was refused because Redis said nothing %s is not done once Redis goes on',
    async ([, before], { onTestFinished }) => {
      const { queue } = await open(onTestFinished);
      const taken: string[] = [];
      await queue.start(async ({ id }) => {
        taken.push(id);
        return { done: true };
      });
      for (const id of before) await queue.add(aLookup(id));
      await expect.poll(() => taken).toEqual(before);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      shared.redis.hang();
      const adding = expect(queue.add(aLookup('refused'))).rejects.toThrow(StorageFailed);
      // Its command is sent.
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
      await vi.advanceTimersByTimeAsync(3_000);
      await adding;
      shared.redis.goOn();
      vi.useRealTimers();
      // On the same connection, so after all that was sent before.
      await queue.add(aLookup('after'));
      await expect.poll(() => taken).toContain('after');
      await expect.poll(() => queue.countOpen()).toBe(0);
      expect(taken).toEqual([...before, 'after']);
    },
  );

  test('a job whose confirmation comes too late, so that it was refused, is done by no replica', async ({
    onTestFinished,
  }) => {
    const relay = await startRedisRelay(shared.redis.url, {});
    onTestFinished(() => relay.close());
    const [accepting, taking] = [await open(onTestFinished, relay.url), await open(onTestFinished)];
    const taken: string[] = [];
    await taking.queue.start(async ({ id }) => {
      taken.push(id);
      return { done: true };
    });
    await accepting.queue.add(aLookup('before'));
    relay.slow(10_000);
    await expect(accepting.queue.add(aLookup('refused'))).rejects.toThrow(StorageFailed);
    await taking.queue.add(aLookup('after'));
    await expect.poll(() => taking.queue.countOpen()).toBe(0);
    expect(taken).toEqual(['before', 'after']);
  });

  test('a job whose confirmation was lost with its connection, so that it was refused, is removed again', async ({
    onTestFinished,
  }) => {
    const relay = await startRedisRelay(shared.redis.url, {});
    onTestFinished(() => relay.close());
    const { queue } = await open(onTestFinished, relay.url);
    relay.slow(10_000);
    const adding = expect(queue.add(aLookup('refused'))).rejects.toThrow(StorageFailed);
    const stored = () => shared.client.keys('*:lookup-refused');
    await expect.poll(stored).not.toEqual([]);
    relay.slow(0);
    relay.cut();
    await adding;
    await expect.poll(stored, { timeout: 5_000 }).toEqual([]);
  });
});
