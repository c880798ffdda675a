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
import { startRedisRelay } from '../support/redis-relay.ts';

const test = base.concurrent;
const KEY = new Uint8Array(32).fill(9);
const silent = pino({ level: 'silent' });

/**
 * Does to the steps that run what time does when nobody runs them: their locks, of twelve seconds, run out, and the first
 * of the two checks by which BullMQ finds that has been made; and so do the leases of first steps, with the delays of
 * their jobs.
 */
async function abandonSteps(url: string): Promise<void> {
  const client = await createClient({ url }).connect();
  for (const lock of await client.keys('*:lock')) {
    await client.unlink(lock);
    const [, queue = '', id = ''] = /^(.*):([^:]*):lock$/.exec(lock) ?? [];
    await client.sAdd(`${queue}:stalled`, id);
    await client.del(`${queue}:stalled-check`);
  }
  for (const lease of await client.keys('snapshot-bot:first:*')) {
    await client.unlink(lease);
    const id = lease.slice('snapshot-bot:first:'.length);
    await client.zAdd('snapshot-bot:jobs:delayed', { score: 0, value: id }, { condition: 'XX' });
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
    await first.jobs.stop(0);
    await first.store.close();
    const second = await openStorage(settings, context);
    const seen = collector<number>(1);
    await second.queue.start(async (_job, _save, deaths) => {
      seen.take(deaths);
      return DONE;
    });
    expect(await seen.all).toEqual([0]);
    await second.jobs.stop(1_000);
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
    const { store, queue, jobs } = await openStorage(settings, { logger: silent, now });
    const seen = collector<Job>(60);
    await queue.start(async (job) => {
      seen.take(job);
      const steps = Number(job.shown ?? 0) + 1;
      return steps === 3 ? DONE : { done: false, job: { ...job, shown: String(steps) }, at: clock + 20 };
    });
    await Promise.all(Array.from({ length: 20 }, (_, index) => queue.add(aLookup(`timed-${index}`))));
    expect(await seen.all).toHaveLength(60);
    await eventually(async () => expect(await queue.countOpen()).toBe(0));
    await jobs.stop(1_000);
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
        await storage.jobs.stop(0);
        await abandonSteps(url);
        await storage.store.close();
      },
    };
  });

  test.for([1, 2])(
    'keeps what a successor has saved from a replica that stood still in step %i',
    async (nth) => {
      const url = another();
      const replicas = [await open(url), await open(url)];
      const [goOn, late] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
      const [held, seen] = [collector<Job>(1), collector<Job>(2)];
      let steps = 0;
      // Whichever replica takes the job second is the successor.
      const process: Processor<Job> = async (job, save) => {
        steps += 1;
        if (steps < nth) return again(job, 0);
        if (steps === nth) {
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
    },
  );

  test('leaves a first step to the replica that accepted the job, however long it takes and whatever a clock says', async () => {
    const url = another();
    const client = await createClient({ url }).connect();
    const replicas = [await open(url), await open(url)];
    const [begun, end] = [collector<number>(1), Promise.withResolvers<typeof DONE>()];
    let steps = 0;
    for (const { queue } of replicas) {
      await queue.start(async () => {
        steps += 1;
        begun.take(steps);
        return end.promise;
      });
    }
    await replicas[0]?.queue.add(aLookup('long'));
    await begun.all;
    const lease = () => client.pTTL('snapshot-bot:first:lookup-long');
    await eventually(async () => expect(await lease()).toBeLessThan(9_500), 8_000);
    await eventually(async () => expect(await lease()).toBeGreaterThan(9_500), 8_000);
    // A worker whose clock is ahead takes the job, and puts it back.
    const dueAt = () => client.zScore('snapshot-bot:jobs:delayed', 'lookup-long');
    await client.zAdd('snapshot-bot:jobs:delayed', { score: 0, value: 'lookup-long' }, { condition: 'XX' });
    await eventually(async () => expect(await dueAt()).toBeGreaterThan(0), 8_000);
    expect(await client.hGet('snapshot-bot:jobs:lookup-long', 'ats')).not.toBeNull();
    end.resolve(DONE);
    await eventually(async () => expect(await client.keys('*long*')).toEqual([]));
    expect(steps).toBe(1);
    client.destroy();
    await Promise.all(replicas.map(close));
  });

  test('takes a delivery whose job is refused just when another replica finds it stored', async () => {
    const url = another();
    const client = await createClient({ url }).connect();
    let refuse: (() => unknown) | undefined;
    const relay = await startRedisRelay(url, {
      change: (answer) => {
        if (refuse !== undefined && answer.includes('lookup-refused')) {
          refuse();
          refuse = undefined;
        }
        return answer;
      },
    });
    const [first, other] = [await open(url), await open(`${relay.url}${new URL(url).pathname}`)];
    const steps: string[] = [];
    for (const { queue } of [first, other]) {
      await queue.start(async ({ id }) => {
        steps.push(id);
        return id === 'refused' ? new Promise(() => {}) : DONE;
      });
    }
    await first.queue.add({ ...aLookup('refused'), delivery: 'one' });
    // What its replica deletes if it does not hear that it is stored.
    const stored = ['snapshot-bot:jobs:lookup-refused', ...(await client.keys('snapshot-bot:jobs:de:*'))];
    refuse = () => client.del(stored);
    expect(await other.queue.add({ ...aLookup('again'), delivery: 'one' })).toBe(true);
    await eventually(() => expect(steps).toEqual(['refused', 'again']));
    expect(await other.queue.remembers('one')).toBe(true);
    client.destroy();
    await first.jobs.stop(0);
    await first.store.close();
    await close(other);
    await relay.close();
  });

  test('does not take a job from its successor when a first step ends too late', async () => {
    const url = another();
    const replicas = [await open(url), await open(url)];
    const [late, end] = [Promise.withResolvers<typeof DONE>(), Promise.withResolvers<typeof DONE>()];
    const seen = collector<number>(2);
    let steps = 0;
    for (const { queue } of replicas) {
      await queue.start((_job, _save, deaths) => {
        steps += 1;
        seen.take(deaths);
        return steps === 1 ? late.promise : end.promise;
      });
    }
    const [first, other] = replicas;
    await first?.queue.add(aLookup('late'));
    await abandonSteps(url);
    expect(await seen.all).toEqual([0, 1]);
    late.resolve(DONE);
    await first?.queue.add(aLookup('after'));
    await eventually(() => expect(steps).toBe(3));
    expect((await other?.queue.find('late'))?.id).toBe('late');
    end.resolve(DONE);
    await eventually(async () => expect(await other?.queue.countOpen()).toBe(0));
    expect(steps).toBe(3);
    await Promise.all(replicas.map(close));
  });

  test('says how often replicas died in a step, once BullMQ has found the job without a worker', async () => {
    const url = another();
    const storage = await open(url);
    const { queue } = storage;
    const client = await createClient({ url }).connect();
    for (const id of ['never', 'once', 'often']) await queue.add(aLookup(id));
    const keyOf = async (id: string) => (await client.keys(`*:jobs:lookup-${id}`))[0] ?? '';
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
    const { store, queue, jobs } = await open(own.url);
    let steps = 0;
    await queue.start(async (job) => {
      steps += 1;
      return steps === 1 ? again(job, 1_500) : DONE;
    });
    await queue.add(aLookup('outage'));
    const sizeOf = (key: string) => own.command('ZCARD', `snapshot-bot:jobs:${key}`);
    // The job is put off, and the worker has read when its time comes.
    await eventually(async () => expect(await sizeOf('delayed')).toBe(1));
    await eventually(async () => expect(await sizeOf('marker')).toBe(0));
    await own.kill();
    await own.start();
    // BullMQ by itself looks after ten seconds.
    await eventually(() => expect(steps).toBe(2), 8_000);
    await jobs.stop(1_000);
    await store.close();
  });
});
