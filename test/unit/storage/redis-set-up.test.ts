import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { has } from '../../support/needs.ts';
import { redisForAll } from '../../support/redis-for-all.ts';

/** The first command of every set-up of BullMQ; the bot itself does not use it. */
const NEEDED = 'info';

describe.runIf(has('redis-server'))('On Redis a set-up that failed once is made again', () => {
  const shared = redisForAll();

  async function open(onTestFinished: (end: () => Promise<void>) => void) {
    const log: string[] = [];
    const settings = { kind: 'redis', url: shared.redis.url, stateKeys: [new Uint8Array(32)] } as const;
    const { queue, store } = await openStorage(settings, {
      logger: pino({}, { write: (line) => log.push(line) }),
      now: Date.now,
    });
    const allow = (isAllowed: boolean) =>
      shared.client.sendCommand(['ACL', 'SETUSER', 'default', `${isAllowed ? '+' : '-'}${NEEDED}`]);
    onTestFinished(async () => {
      await allow(true);
      await queue.stop(1_000);
      await store.close();
    });
    return { queue, log, allow };
  }

  test('for what adds, wakes, counts, lists and removes jobs', async ({ onTestFinished }) => {
    const { queue, allow } = await open(onTestFinished);
    await allow(false);
    await expect(queue.add(aLookup('refused'))).rejects.toThrow(StorageFailed);
    await expect(queue.countOpen()).rejects.toThrow(StorageFailed);
    await expect(queue.wake('refused')).rejects.toThrow(StorageFailed);
    await allow(true);
    await queue.add(aLookup('accepted'));
    expect((await Array.fromAsync(queue.entries())).map(({ id }) => id)).toEqual(['accepted']);
  });

  test('for what takes jobs, and its failure is told', async ({ onTestFinished }) => {
    const { queue, log, allow } = await open(onTestFinished);
    await queue.add(aLookup('one'));
    await allow(false);
    const { promise: taken, resolve } = Promise.withResolvers<string>();
    await queue.start(async ({ id }) => {
      resolve(id);
      return { done: true };
    });
    await expect.poll(() => log.join()).toContain('the queue reports an error');
    await allow(true);
    expect(await taken).toBe('one');
  });
});
