import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import { connect } from '../../../src/storage/redis/redis-connection.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { has } from '../../support/needs.ts';
import { redisForAll } from '../../support/redis-for-all.ts';

describe.runIf(has('redis-server'))('On Redis', () => {
  const shared = redisForAll();

  test('a connection that is lost twice is told twice, and so is its return', async () => {
    const relay = await shared.relay();
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
    async ([, before]) => {
      const { queue } = await shared.open();
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

  test('a job whose confirmation comes too late, so that it was refused, is done by no replica', async () => {
    const relay = await shared.relay();
    const [accepting, taking] = [await shared.open(relay), await shared.open()];
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

  test('a job whose confirmation was lost with its connection, so that it was refused, is removed again', async () => {
    const relay = await shared.relay();
    const { queue } = await shared.open(relay);
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
