import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import { LOOKUP_FORMAT } from '../../../src/lookups/stored-job.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { BullWorker } from '../../../src/storage/redis/bull-worker.ts';
import { onOneServer } from '../../../src/storage/redis/durable-write.ts';
import { connect, withOfflineQueue } from '../../../src/storage/redis/redis-connection.ts';
import { Sealer } from '../../../src/storage/sealing/sealer.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { has } from '../../support/needs.ts';
import { redisForAll } from '../../support/redis-for-all.ts';
import { startRedisRelay } from '../../support/redis-relay.ts';

const KEY = new Uint8Array(32).fill(9);

describe.runIf(has('redis-server'))('On Redis', () => {
  const shared = redisForAll();
  /** INFO is the first command of every set-up of BullMQ; the bot itself does not use it. */
  const allowSetUp = (isAllowed: boolean) =>
    shared.client.sendCommand(['ACL', 'SETUSER', 'default', isAllowed ? '+info' : '-info']);
  const countConnections = async () =>
    String(await shared.client.sendCommand(['CLIENT', 'LIST'])).match(/^id=/gm)?.length ?? 0;

  async function open(onTestFinished: (end: () => Promise<void>) => void) {
    const log: { readonly msg: string; readonly time: number }[] = [];
    const settings = { kind: 'redis', url: shared.redis.url, stateKeys: [KEY] } as const;
    const logger = pino({}, { write: (line) => log.push(JSON.parse(line)) });
    const { queue, store } = await openStorage(settings, { logger, now: Date.now });
    onTestFinished(async () => {
      await allowSetUp(true);
      await queue.stop(1_000);
      await store.close();
    });
    return { queue, log };
  }

  test('a set-up for adding, waking and listing jobs that failed once is made again', async ({
    onTestFinished,
  }) => {
    const { queue } = await open(onTestFinished);
    await allowSetUp(false);
    await expect(queue.add(aLookup('refused'))).rejects.toThrow(StorageFailed);
    await expect(queue.countOpen()).rejects.toThrow(StorageFailed);
    await expect(queue.wake('refused')).rejects.toThrow(StorageFailed);
    await allowSetUp(true);
    await queue.add(aLookup('accepted'));
    expect((await Array.fromAsync(queue.entries())).map(({ id }) => id)).toEqual(['accepted']);
  });

  test('a set-up for taking jobs that failed once is told, made again after a second, and leaves no connection behind', async ({
    onTestFinished,
  }) => {
    const { queue, log } = await open(onTestFinished);
    await queue.add(aLookup('one'));
    const before = await countConnections();
    await allowSetUp(false);
    const { promise, resolve } = Promise.withResolvers<number>();
    await queue.start(async () => {
      resolve(Date.now());
      return { done: true };
    });
    await expect.poll(() => log.map(({ msg }) => msg)).toContain('the queue reports an error');
    await allowSetUp(true);
    const takenAt = await promise;
    expect(takenAt - (log[0]?.time ?? takenAt)).toBeGreaterThanOrEqual(900);
    // One for its commands, and one that waits for jobs.
    await expect.poll(async () => (await countConnections()) - before).toBe(2);
    await queue.stop(1_000);
    await expect.poll(countConnections).toBe(before);
  });

  test('a stop during the set-up for taking jobs ends it, takes no job, and leaves no connection behind', async ({
    onTestFinished,
  }) => {
    const before = await countConnections();
    const { connection, prefix } = await connect(shared.redis.url, { lost: () => {}, back: () => {} });
    onTestFinished(() => {
      if (connection.isOpen) connection.destroy();
    });
    const options = { format: LOOKUP_FORMAT, waiting: withOfflineQueue(connection), durably: onOneServer };
    const worker = new BullWorker(
      { ...options, prefix, sealer: new Sealer([KEY]), now: Date.now, onError: () => {} },
      () => Promise.reject(new Error('a job was taken')),
    );
    const running = worker.run();
    await worker.close();
    await running;
    connection.destroy();
    await expect.poll(countConnections).toBe(before);
  });

  test('a connection that is lost twice is told twice, and so is its return', async ({ onTestFinished }) => {
    const relay = await startRedisRelay(shared.redis.url, {});
    onTestFinished(() => relay.close());
    const told: string[] = [];
    const { connection } = await connect(relay.url, {
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
});
