import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@keyv/redis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../src/core/store.ts';
import type { Job, LookupQueue, Step } from '../../src/lookups/queue.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { keyPrefix } from '../../src/storage/redis/redis-address.ts';
import { aLookup } from '../support/a-lookup.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';

type Opened = { readonly queue: LookupQueue; readonly store: Store; readonly close: () => Promise<void> };

const KEY = new Uint8Array(32).fill(9);
const silent = pino({ level: 'silent' });

/** Settles when `take` has been called so often, with what it was called with. */
function collector<T>(count: number): { take: (value: T) => void; all: Promise<T[]> } {
  const values: T[] = [];
  const { promise, resolve } = Promise.withResolvers<T[]>();
  return {
    take: (value) => {
      values.push(value);
      if (values.length === count) resolve(values);
    },
    all: promise,
  };
}

const again = (job: Job, inMs: number): Step => ({ done: false, job, at: Date.now() + inMs });
const DONE: Step = { done: true };

/** What every queue promises; `open` opens one more on the same state, as the next process or replica would. */
function contract(open: () => Promise<Opened>): void {
  const opened: Opened[] = [];
  const another = async () => {
    const one = await open();
    opened.push(one);
    return one;
  };
  const closeAll = async () => {
    for (const one of opened.splice(0)) await one.close();
  };
  afterEach(closeAll);

  test('works on a job that was added, once, and forgets it when it is done', async () => {
    const { queue } = await another();
    const seen = collector<Job>(1);
    await queue.start(async (job) => {
      seen.take(job);
      return DONE;
    });
    const job = aLookup('one');
    await queue.add(job);
    expect(await seen.all).toEqual([job]);
    await eventually(async () => expect(await queue.countOpen()).toBe(0));
  });

  test('comes back to a job at the time that its step named, with what the step made of it', async () => {
    const { queue } = await another();
    const seen = collector<Job>(3);
    await queue.start(async (job) => {
      seen.take(job);
      const steps = Number(job.shown ?? 0) + 1;
      return steps === 3 ? DONE : again({ ...job, shown: String(steps) }, 20);
    });
    await queue.add(aLookup('steps'));
    expect((await seen.all).map(({ shown }) => shown)).toEqual([undefined, '1', '2']);
    await eventually(async () => expect(await queue.countOpen()).toBe(0));
  });

  test('repeats a step that threw, from what it had saved', async () => {
    const { queue } = await another();
    const seen = collector<Job>(2);
    let isFirst = true;
    await queue.start(async (job, save) => {
      seen.take(job);
      if (!isFirst) return DONE;
      isFirst = false;
      await save({ ...job, shown: 'saved' });
      throw new Error('a step that fails once');
    });
    await queue.add(aLookup('thrown'));
    expect((await seen.all).map(({ shown }) => shown)).toEqual([undefined, 'saved']);
  });

  test('keeps what is open through a stop, for the next one', async () => {
    const first = await another();
    const started = collector<string>(1);
    await first.queue.start(async (job) => {
      started.take(job.id);
      return again({ ...job, shown: 'waiting' }, 50);
    });
    await first.queue.add(aLookup('kept'));
    await started.all;
    await closeAll();
    const second = await another();
    const seen = collector<Job>(1);
    await second.queue.start(async (job) => {
      seen.take(job);
      return DONE;
    });
    expect((await seen.all).map(({ id, destination }) => [id, destination])).toEqual([
      ['kept', { channel: 'C1', user: 'U1' }],
    ]);
  });

  test('takes the next step of a job that is woken before its time', async () => {
    const { queue } = await another();
    let steps = 0;
    await queue.start(async (job) => {
      steps += 1;
      return steps === 1 ? again(job, 3_600_000) : DONE;
    });
    await queue.add(aLookup('woken'));
    // A step that is still running is not woken: the job has to wait first.
    await eventually(async () => {
      await queue.wake('woken');
      expect(steps).toBe(2);
    });
    await eventually(async () => expect(await queue.countOpen()).toBe(0));
  });

  test('lists what is open and since when, and forgets what is removed', async () => {
    const { queue } = await another();
    const began = Date.now();
    for (const id of ['one', 'two']) await queue.add(aLookup(id));
    const since = await queue.oldestAcceptedAt();
    expect(since).toBeGreaterThanOrEqual(began);
    expect(since).toBeLessThanOrEqual(Date.now());
    expect((await Array.fromAsync(queue.entries())).map(({ id }) => id).sort()).toEqual(['one', 'two']);
    await queue.remove('one');
    expect(await queue.countOpen()).toBe(1);
    await queue.remove('two');
    expect(await queue.oldestAcceptedAt()).toBeUndefined();
  });

  test('has nothing open once its store is cleared', async () => {
    const { queue, store } = await another();
    await queue.add(aLookup('cleared'));
    await store.clear();
    expect(await queue.countOpen()).toBe(0);
    expect(await Array.fromAsync(queue.entries())).toEqual([]);
  });

  test('works on many jobs at once', async () => {
    const { queue } = await another();
    const seen = collector<string>(50);
    const everyoneIsHere = seen.all.then(() => {});
    await queue.start(async (job) => {
      seen.take(job.id);
      await everyoneIsHere;
      return DONE;
    });
    await Promise.all(Array.from({ length: 50 }, (_, index) => queue.add(aLookup(`many-${index}`))));
    expect(new Set(await seen.all).size).toBe(50);
  });
}

describe('the queue of one process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-queue-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const settingsIn = (dataDir: string) => ({ kind: 'sqlite' as const, dataDir, stateKeys: [KEY] });
  contract(async () => {
    const settings = settingsIn(folder);
    const { store, queue } = await openStorage(settings, { logger: silent, now: Date.now });
    return {
      queue,
      store,
      close: async () => {
        await queue.stop(1_000);
        await store.close();
      },
    };
  });

  test('takes steps that were cut off by a death one after another, and says how often it died in each', async () => {
    const settings = settingsIn(mkdtempSync(join(folder, 'deaths-')));
    const context = { logger: silent, now: Date.now };
    const forever = new Promise<never>(() => {});
    const ids = ['first', 'second', 'deadly'];
    const first = await openStorage(settings, context);
    const begun = collector<string>(ids.length);
    await first.queue.start((job) => {
      begun.take(job.id);
      return forever;
    });
    for (const id of ids) await first.queue.add(aLookup(id));
    await begun.all;
    // The process dies: nothing is stopped, and the file is closed.
    await first.store.close();
    const deathsOf: Record<string, number[]> = {};
    for (let starts = 1; starts <= 3; starts += 1) {
      const { queue, store } = await openStorage(settings, context);
      const dying = collector<string>(1);
      await queue.start(async ({ id }, _save, deaths) => {
        deathsOf[id] = [...(deathsOf[id] ?? []), deaths];
        if (id !== 'deadly') return DONE;
        dying.take(id);
        return forever;
      });
      await dying.all;
      await store.close();
    }
    // The jobs that waited behind the deadly one had not begun: no deaths are counted for them.
    expect(deathsOf.deadly).toEqual([1, 2, 3]);
    for (const id of ['first', 'second']) expect(deathsOf[id]).toEqual([1]);
  });

  test('does not take a stop for a death', async () => {
    const settings = settingsIn(mkdtempSync(join(folder, 'stop-')));
    const context = { logger: silent, now: Date.now };
    const first = await openStorage(settings, context);
    const begun = collector<string>(1);
    await first.queue.start((job) => {
      begun.take(job.id);
      return new Promise<never>(() => {});
    });
    await first.queue.add(aLookup('stopped'));
    await begun.all;
    await first.queue.stop(0);
    await first.store.close();
    const second = await openStorage(settings, context);
    const seen = collector<number>(1);
    await second.queue.start(async (_job, _save, deaths) => {
      seen.take(deaths);
      return DONE;
    });
    expect(await seen.all).toEqual([0]);
    await second.queue.stop(1_000);
    await second.store.close();
  });

  test('loses no job whose time comes while it looks for those whose time has come', async () => {
    const own = mkdtempSync(join(folder, 'clock-'));
    const settings = { kind: 'sqlite' as const, dataDir: own, stateKeys: [KEY] };
    // Each look at this clock takes time, as on a busy machine.
    let clock = Date.now();
    const now = () => {
      clock += 7;
      return clock;
    };
    const { store, queue } = await openStorage(settings, { logger: silent, now });
    const seen = collector<Job>(60);
    await queue.start(async (job) => {
      seen.take(job);
      const steps = Number(job.shown ?? 0) + 1;
      return steps === 3 ? DONE : { done: false, job: { ...job, shown: String(steps) }, at: clock + 20 };
    });
    await Promise.all(Array.from({ length: 20 }, (_, index) => queue.add(aLookup(`timed-${index}`))));
    expect(await seen.all).toHaveLength(60);
    await eventually(async () => expect(await queue.countOpen()).toBe(0));
    await queue.stop(1_000);
    await store.close();
  });
});

describe.runIf(has('redis-server'))('the queue that replicas share', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.close());
  const open = async (): Promise<Opened> => {
    const settings = { kind: 'redis', url: redis.url, stateKeys: [KEY] } as const;
    const { store, queue } = await openStorage(settings, { logger: silent, now: Date.now });
    return {
      queue,
      store,
      close: async () => {
        await queue.stop(1_000);
        await store.close();
      },
    };
  };
  contract(open);

  test('says how often replicas died in a step, once BullMQ has found the job without a worker', async () => {
    const { queue, close } = await open();
    const client = await createClient({ url: redis.url }).connect();
    for (const id of ['never', 'once', 'often']) await queue.add(aLookup(id));
    const keyOf = async (id: string) => (await client.keys(`*:lookups:${id}`))[0] ?? '';
    // As BullMQ counts a job whose lock ran out.
    for (const id of ['once', 'often']) await client.hIncrBy(await keyOf(id), 'stc', 1);
    const often = await keyOf('often');
    const data = JSON.parse((await client.hGet(often, 'data')) ?? '');
    await client.hSet(often, 'data', JSON.stringify({ ...data, begun: 2 }));
    const seen = collector<[string, number]>(3);
    await queue.start(async ({ id }, _save, deaths) => {
      seen.take([id, deaths]);
      return DONE;
    });
    expect(Object.fromEntries(await seen.all)).toEqual({ never: 0, once: 1, often: 3 });
    client.destroy();
    await close();
  });

  test('comes back to a job whose time came while Redis was away, as soon as it is back', async () => {
    const settings = { kind: 'redis', url: redis.url, stateKeys: [KEY] } as const;
    const { store, queue } = await openStorage(settings, { logger: silent, now: Date.now });
    let steps = 0;
    await queue.start(async (job) => {
      steps += 1;
      return steps === 1 ? again(job, 1_500) : DONE;
    });
    await queue.add(aLookup('outage'));
    const sizeOf = (key: string) =>
      redis.command('ZCARD', `${keyPrefix({ kind: 'single', url: '' })}:lookups:${key}`);
    // The job is put off, and the worker has read when its time comes.
    await eventually(async () => expect(await sizeOf('delayed')).toBe(1));
    await eventually(async () => expect(await sizeOf('marker')).toBe(0));
    await redis.kill();
    await redis.start();
    // BullMQ by itself looks after ten seconds.
    await eventually(() => expect(steps).toBe(2), 8_000);
    await queue.stop(1_000);
    await store.close();
  });
});
