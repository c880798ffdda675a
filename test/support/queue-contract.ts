import { setImmediate as turn } from 'node:timers/promises';
import { test as base, describe, expect } from 'vitest';
import type { Storage } from '../../src/storage/backend/storage.ts';
import { aFollow } from './a-follow.ts';
import { aLookup } from './a-lookup.ts';
import { eventually } from './eventually.ts';
import {
  collector,
  DONE,
  FOLLOWS,
  LOOKUPS,
  type Own,
  type QueueTest,
  queuePromises,
} from './queue-promises.ts';

/** A new state of a backend, for one test. */
export type Backend = {
  /** Opens it once more on the same state, as the next process or replica would. */
  readonly open: () => Promise<Storage>;
  /** Ends a process in the middle of its steps, as a kill would. Afterwards another one can take its jobs. */
  readonly die: (storage: Storage) => Promise<void>;
};

/** Stops the queue in good order, then closes the store. */
export async function close({ jobs, store }: Storage): Promise<void> {
  await jobs.stop(1_000);
  await store.close();
}

/** Each test has a state of its own, and runs beside the others. */
function testOn(backend: () => Promise<Backend>): QueueTest {
  const test = base.extend<{ own: Own }>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture depends on.
    own: async ({}, use) => {
      const { open, die } = await backend();
      const opened = new Set<Storage>();
      const another = async () => {
        const storage = await open();
        opened.add(storage);
        return storage;
      };
      const closeAll = async () => {
        for (const storage of opened) await close(storage);
        opened.clear();
      };
      const dying = async (storage: Storage) => {
        opened.delete(storage);
        await die(storage);
      };
      await use({ another, closeAll, die: dying });
      await closeAll();
    },
  });
  return test.concurrent;
}

/** What the queue of every backend promises. */
export function queueContract(backend: () => Promise<Backend>): void {
  const test = testOn(backend);
  describe('of lookups', () => queuePromises(LOOKUPS, test));
  describe('of follows', () => queuePromises(FOLLOWS, test));

  test('keeps lookups and follows apart, also those of one id', async ({ own }) => {
    const { queue, follows } = await own.another();
    await queue.add(aLookup('same'));
    expect(await follows.countOpen()).toBe(0);
    await follows.add(aFollow('same'));
    await queue.remove('same');
    expect([await queue.countOpen(), await follows.countOpen()]).toEqual([0, 1]);
    expect(await Array.fromAsync(follows.entries())).toEqual([expect.objectContaining({ id: 'same' })]);
    await follows.remove('same');
  });

  deliveries(test);
  deaths(test);
}

/** What Slack delivers again leads to nothing more. */
function deliveries(test: QueueTest): void {
  test('stores one job for a delivery, however many come at once, and none after its end or in the next process', async ({
    own: { another, closeAll },
  }) => {
    const { queue } = await another();
    const ids = Array.from({ length: 20 }, (_, index) => String(index));
    const added = await Promise.all(ids.map((id) => queue.add({ ...aLookup(id), delivery: 'one' })));
    expect(added.filter((isNew) => isNew)).toHaveLength(1);
    await eventually(async () => expect(await queue.countOpen()).toBe(1));
    const seen = collector<string>(1);
    await queue.start(async ({ id }) => {
      seen.take(id);
      return DONE;
    });
    expect(await seen.all).toEqual([ids[added.indexOf(true)]]);
    await eventually(async () => expect(await queue.countOpen()).toBe(0));
    await closeAll();
    const next = (await another()).queue;
    expect(await next.add({ ...aLookup('again'), delivery: 'one' })).toBe(false);
    expect(await next.add({ ...aLookup('other'), delivery: 'two' })).toBe(true);
    await eventually(async () => expect(await next.countOpen()).toBe(1));
    expect([await next.remembers('one'), await next.remembers('three')]).toEqual([true, false]);
  });

  test('stores no job for a delivery that needed none', async ({ own }) => {
    const { queue } = await own.another();
    expect([await queue.remember('one'), await queue.remember('one')]).toEqual([true, false]);
    expect(await queue.add({ ...aLookup('one'), delivery: 'one' })).toBe(false);
    await eventually(async () => expect(await queue.countOpen()).toBe(0));
    expect(await queue.remembers('one')).toBe(true);
  });
}

/** What no stop in good order shows: a job whose steps the process does not survive. */
function deaths(test: QueueTest): void {
  test('takes steps that were cut off by a death one after another, and says how often it died in each', async ({
    own: { another, die },
  }) => {
    const ids = ['first', 'second', 'deadly'];
    const forever = new Promise<never>(() => {});
    const first = await another();
    const begun = collector<string>(ids.length);
    await first.queue.start(({ id }) => {
      begun.take(id);
      return forever;
    });
    for (const id of ids) await first.queue.add(aLookup(id));
    await begun.all;
    await die(first);

    const second = await another();
    const seen: (readonly [id: string, deaths: number, others: number])[] = [];
    const dying = collector<string>(1);
    const running = new Set<string>();
    await second.queue.start(async ({ id }, _save, times) => {
      seen.push([id, times, running.size]);
      running.add(id);
      if (id === 'deadly') {
        dying.take(id);
        return forever;
      }
      await turn();
      running.delete(id);
      return DONE;
    });
    await dying.all;
    // What is done is not cut off by the next death.
    await eventually(async () => expect(await second.queue.countOpen()).toBe(ids.length + 1 - seen.length));
    await die(second);

    const third = await another();
    await third.queue.start(async ({ id }, _save, times) => {
      seen.push([id, times, 0]);
      return DONE;
    });
    await eventually(async () => expect(await third.queue.countOpen()).toBe(0));
    // A job that waited behind the deadly one had not begun: no death is counted for it.
    expect(seen.toSorted()).toEqual([
      ['deadly', 1, 0],
      ['deadly', 2, 0],
      ['first', 1, 0],
      ['second', 1, 0],
    ]);
  });
}
