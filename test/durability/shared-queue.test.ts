import { pino } from 'pino';
import { describe, expect } from 'vitest';
import type { Job, Processor } from '../../src/lookups/queue.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { abandonSteps, close } from '../contracts/backends.ts';
import { aLookup } from '../support/a-lookup.ts';
import { collector } from '../support/collector.ts';
import { test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { startRedisRelay } from '../support/redis-relay.ts';

const test = sequential.concurrent;
const KEY = new Uint8Array(32).fill(9);

describe.runIf(has('redis-server'))('a lookup in the queue that replicas share', () => {
  function open({ url }: TestRedis) {
    const settings = { kind: 'redis', url, stateKeys: [KEY] } as const;
    return openStorage(settings, { logger: pino({ level: 'silent' }), now: Date.now });
  }

  test('is not lost when Redis dies while the failure of its step is stored', async ({ redis: start }) => {
    const redis = await start();
    const { store, queue, jobs } = await open(redis);
    const { promise, resolve } = Promise.withResolvers<void>();
    const ids: string[] = [];
    let isFirst = true;
    await queue.start(async (job) => {
      ids.push(job.id);
      if (!isFirst) resolve();
      if (!isFirst) return { done: true };
      isFirst = false;
      redis.hang();
      // By then Redis was sent the failure of the step, but has neither read nor answered it.
      setTimeout(async () => {
        await redis.kill();
        await redis.start();
      }, 300);
      throw new Error('a step that fails once');
    });
    await queue.add(aLookup('broken-off'));
    await promise;
    expect(ids).toEqual(['broken-off', 'broken-off']);
    await eventually(async () => expect(await queue.countOpen()).toBe(0));
    await jobs.stop(1_000);
    await store.close();
  });

  test.for([1, 2])(
    'keeps the state of a successor if the first replica was suspended in step %i',
    async (nth, { redis: start }) => {
      const redis = await start();
      const replicas = [await open(redis), await open(redis)];
      const [goOn, late] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
      const [held, seen] = [collector<Job>(1), collector<Job>(2)];
      let steps = 0;
      // Either replica may take the job second.
      const process: Processor<Job> = async (job, { save }) => {
        steps += 1;
        if (steps < nth) return { done: false, job, at: 0 };
        if (steps === nth) {
          held.take(job);
          await goOn.promise;
          const saved = save({ ...job, shown: 'late' });
          late.resolve(
            await saved.then(
              () => 'saved',
              () => 'refused',
            ),
          );
          throw new Error('the step was lost');
        }
        seen.take(job);
        if (job.shown === 'in time') return { done: true };
        await save({ ...job, shown: 'in time' });
        goOn.resolve();
        await late.promise;
        return { done: false, job: { ...job, shown: 'in time' }, at: 0 };
      };
      for (const { queue } of replicas) await queue.start(process);
      await replicas[0]?.queue.add(aLookup('held'));
      const [job] = await held.all;
      await abandonSteps(redis.url);
      expect(await late.promise).toBe('refused');
      expect((await seen.all).map(({ shown }) => shown)).toEqual([job?.shown, 'in time']);
      await Promise.all(replicas.map(close));
    },
  );

  test('that became due while Redis was unavailable runs as soon as Redis is back', async ({
    redis: start,
  }) => {
    const redis = await start();
    const storage = await open(redis);
    let [steps, due] = [0, 0];
    await storage.queue.start(async (job) => {
      steps += 1;
      due = Date.now() + 3_000;
      return steps === 1 ? { done: false, job, at: due } : { done: true };
    });
    await storage.queue.add(aLookup('outage'));
    const sizeOf = (key: string) => redis.command('ZCARD', `snapshot-bot:lookup:${key}`);
    // The job is delayed, and the worker already knows until when.
    await eventually(async () => expect(await sizeOf('delayed')).toBe(1));
    await eventually(async () => expect(await sizeOf('marker')).toBe(0));
    await redis.kill();
    await eventually(() => expect(Date.now()).toBeGreaterThan(due));
    await redis.start();
    // By itself BullMQ would look again after ten seconds.
    await eventually(() => expect(steps).toBe(2), 8_000);
    await close(storage);
  });
});

describe.runIf(has('redis-server'))('A replica whose network fails', () => {
  test('fails open requests as soon as the connection is lost', async ({ onTestFinished }) => {
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    const relay = await startRedisRelay(redis.url, {});
    onTestFinished(() => relay.close());
    const settings = { kind: 'redis', url: relay.url, stateKeys: [KEY] } as const;
    const storage = await openStorage(settings, { logger: pino({ level: 'silent' }), now: Date.now });
    onTestFinished(() => close(storage));
    relay.hold();
    const counted = storage.queue.countOpen().catch((error: Error) => String(error.cause));
    relay.cut();
    expect(await counted).not.toContain('no answer within 2000 ms');
  });

  test('takes jobs again over new connections, long before the old ones are known to be lost', async ({
    onTestFinished,
  }) => {
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    const relay = await startRedisRelay(redis.url, {});
    onTestFinished(() => relay.close());
    const log: string[] = [];
    const open = async (url: string) => {
      const settings = { kind: 'redis', url, stateKeys: [new Uint8Array(32).fill(9)] } as const;
      const context = { logger: pino({}, { write: (line) => log.push(line) }), now: Date.now };
      const storage = await openStorage(settings, context);
      onTestFinished(async () => {
        await storage.jobs.stop(100);
        await storage.store.close();
      });
      return storage.queue;
    };
    const [taking, adding] = [await open(relay.url), await open(redis.url)];
    const taken: string[] = [];
    await taking.start(async ({ id }) => {
      taken.push(id);
      return { done: true };
    });
    await adding.add(aLookup('before'));
    await eventually(() => expect(taken).toEqual(['before']));
    relay.hold();
    await adding.add(aLookup('after'));
    await eventually(() => expect(taken).toEqual(['before', 'after']), 30_000);
  });
});
