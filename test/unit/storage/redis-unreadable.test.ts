import { describe, expect, test } from 'vitest';
import { aLookup } from '../../support/a-lookup.ts';
import { has } from '../../support/needs.ts';
import { redisForAll } from '../../support/redis-for-all.ts';

const OTHER = new Uint8Array(32).fill(1);
const DELAYED = 'snapshot-bot:jobs:delayed';

describe.runIf(has('redis-server'))('A job that this replica can not read', () => {
  const shared = redisForAll();

  /** When the job is tried again, once that is later than `after`; epoch milliseconds. */
  async function triedAgain(after: number): Promise<number> {
    // BullMQ keeps the time in the upper bits, beside a counter.
    const due = async () =>
      Math.floor(Number((await shared.client.zRangeWithScores(DELAYED, 0, 0))[0]?.score) / 4_096);
    await expect.poll(due).toBeGreaterThan(after);
    return due();
  }

  test('is told once, however often it is tried, is counted as unopened, and stays for a replica that can', async () => {
    const other = await shared.open({ key: OTHER });
    await other.queue.add(aLookup('one'));
    await other.store.namespace('recents').set('U1', []);
    const { queue, log, unopened } = await shared.open();
    await expect.poll(unopened).toBe(2);
    const lines = () => log.filter(({ lookup }) => lookup === 'one');
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
  ] as const)('%s is tried again', async ([, ageMs, pauseMs]) => {
    await (await shared.open({ key: OTHER })).queue.add(aLookup('one'));
    const { queue } = await shared.open({ aheadMs: ageMs });
    const before = Date.now();
    await queue.start(() => Promise.reject(new Error('it was read')));
    const due = await triedAgain(0);
    expect(due - before).toBeGreaterThanOrEqual(pauseMs);
    expect(due - Date.now()).toBeLessThanOrEqual(pauseMs * 1.5);
  });
});
