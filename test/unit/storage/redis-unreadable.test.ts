import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { has } from '../../support/needs.ts';
import { redisForAll } from '../../support/redis-for-all.ts';

const [OWN, OTHER] = [new Uint8Array(32).fill(9), new Uint8Array(32).fill(1)];
const DELAYED = 'snapshot-bot:jobs:delayed';

describe.runIf(has('redis-server'))('A job that this replica can not read', () => {
  const shared = redisForAll();

  /** Opens the queue with a key and a clock that is so much ahead; `lines` are what it logs. */
  async function open(onTestFinished: (end: () => Promise<void>) => void, key = OWN, aheadMs = 0) {
    const lines: string[] = [];
    const logger = pino({}, { write: (line) => lines.push(line) });
    const settings = { kind: 'redis', url: shared.redis.url, stateKeys: [key] } as const;
    const { queue, store, jobs } = await openStorage(settings, { logger, now: () => Date.now() + aheadMs });
    onTestFinished(async () => {
      await jobs.stop(1_000);
      await store.close();
    });
    return {
      queue,
      lines: () => lines.filter((line) => line.includes('"lookup":"one"')),
    };
  }

  /** When the job is tried again, once that is later than `after`; epoch milliseconds. */
  async function triedAgain(after: number): Promise<number> {
    // BullMQ keeps the time in the upper bits, beside a counter.
    const due = async () =>
      Math.floor(Number((await shared.client.zRangeWithScores(DELAYED, 0, 0))[0]?.score) / 4_096);
    await expect.poll(due).toBeGreaterThan(after);
    return due();
  }

  test('is told once, however often it is tried, and stays for a replica that can', async ({
    onTestFinished,
  }) => {
    await (await open(onTestFinished, OTHER)).queue.add(aLookup('one'));
    const { queue, lines } = await open(onTestFinished);
    await queue.start(() => Promise.reject(new Error('it was read')));
    const first = await triedAgain(0);
    expect(lines()).toHaveLength(1);
    await queue.wake('one');
    await triedAgain(first);
    expect(lines()).toHaveLength(1);
    expect(await queue.countOpen()).toBe(1);
  });

  test.for([
    ['that is new after two seconds', 0, 2_000],
    ['that is older after a tenth of its age', 100_000, 10_000],
    ['of any age within ten minutes', 1_000_000_000, 600_000],
  ] as const)('%s is tried again', async ([, ageMs, pauseMs], { onTestFinished }) => {
    await (await open(onTestFinished, OTHER)).queue.add(aLookup('one'));
    const { queue } = await open(onTestFinished, OWN, ageMs);
    const before = Date.now();
    await queue.start(() => Promise.reject(new Error('it was read')));
    const due = await triedAgain(0);
    expect(due - before).toBeGreaterThanOrEqual(pauseMs);
    expect(due - Date.now()).toBeLessThanOrEqual(pauseMs * 1.5);
  });
});
