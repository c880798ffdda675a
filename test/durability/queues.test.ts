import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@keyv/redis';
import { pino } from 'pino';
import { afterAll, test as base, beforeAll, describe, expect } from 'vitest';
import type { Job, Processor } from '../../src/lookups/queue.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { aLookup } from '../support/a-lookup.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { close, queueContract as contract } from '../support/queue-contract.ts';
import { again, collector, DONE } from '../support/queue-promises.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';

const test = base.concurrent;
const KEY = new Uint8Array(32).fill(9);
const silent = pino({ level: 'silent' });

/**
 * Does to the steps that run what time does when nobody runs them: their locks, of six seconds, run out, and the first
 * of the two checks by which BullMQ finds that has been made.
 */
async function abandonSteps(url: string): Promise<void> {
  const client = await createClient({ url }).connect();
  for (const lock of await client.keys('*:lock')) {
    await client.unlink(lock);
    const [, queue = '', id = ''] = /^(.*):([^:]*):lock$/.exec(lock) ?? [];
    await client.sAdd(`${queue}:stalled`, id);
    await client.del(`${queue}:stalled-check`);
  }
  client.destroy();
}

describe.concurrent('the queue of one process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-queue-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const settingsIn = (dataDir: string) => ({ kind: 'sqlite' as const, dataDir, stateKeys: [KEY] });
  contract(async () => {
    const settings = settingsIn(mkdtempSync(join(folder, 'contract-')));
    return {
      open: () => openStorage(settings, { logger: silent, now: Date.now }),
      // Nothing is stopped, and the file is closed.
      die: ({ store }) => store.close(),
    };
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

describe.runIf(has('redis-server')).concurrent('the queue that replicas share', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.close());
  let databases = 0;
  /** The address of an empty database. */
  const another = () => {
    databases += 1;
    return `${redis.url}/${databases}`;
  };
  const open = (url: string) =>
    openStorage({ kind: 'redis', url, stateKeys: [KEY] }, { logger: silent, now: Date.now });
  contract(async () => {
    const url = another();
    return {
      open: () => open(url),
      die: async (storage) => {
        await Promise.all([storage.queue.stop(0), storage.reminders.stop(0)]);
        await abandonSteps(url);
        await storage.store.close();
      },
    };
  });

  test('keeps what a successor has saved from a replica that stood still', async () => {
    const url = another();
    const replicas = [await open(url), await open(url)];
    const [goOn, late] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    const [held, seen] = [collector<Job>(1), collector<Job>(2)];
    let steps = 0;
    // Whichever replica takes the job second is the successor.
    const process: Processor<Job> = async (job, save) => {
      steps += 1;
      if (steps === 1) {
        held.take(job);
        await goOn.promise;
        late.resolve(
          await save({ ...job, shown: 'late' }).then(
            () => 'saved',
            () => 'refused',
          ),
        );
        throw new Error('the step was lost');
      }
      seen.take(job);
      if (job.shown === 'in time') return DONE;
      await save({ ...job, shown: 'in time' });
      goOn.resolve();
      await late.promise;
      return again({ ...job, shown: 'in time' }, 10);
    };
    for (const { queue } of replicas) await queue.start(process);
    await replicas[0]?.queue.add(aLookup('held'));
    const [job] = await held.all;
    await abandonSteps(url);
    expect(await late.promise).toBe('refused');
    expect((await seen.all).map(({ shown }) => shown)).toEqual([job?.shown, 'in time']);
    await Promise.all(replicas.map(close));
  });

  test('says how often replicas died in a step, once BullMQ has found the job without a worker', async () => {
    const url = another();
    const storage = await open(url);
    const { queue } = storage;
    const client = await createClient({ url }).connect();
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
    await close(storage);
  });

  test('comes back to a job whose time came while Redis was away, as soon as it is back', async ({
    onTestFinished,
  }) => {
    const own = await startRedis();
    onTestFinished(() => own.close());
    const { store, queue } = await open(own.url);
    let steps = 0;
    await queue.start(async (job) => {
      steps += 1;
      return steps === 1 ? again(job, 1_500) : DONE;
    });
    await queue.add(aLookup('outage'));
    const sizeOf = (key: string) => own.command('ZCARD', `snapshot-bot:lookups:${key}`);
    // The job is put off, and the worker has read when its time comes.
    await eventually(async () => expect(await sizeOf('delayed')).toBe(1));
    await eventually(async () => expect(await sizeOf('marker')).toBe(0));
    await own.kill();
    await own.start();
    // BullMQ by itself looks after ten seconds.
    await eventually(() => expect(steps).toBe(2), 8_000);
    await queue.stop(1_000);
    await store.close();
  });
});
