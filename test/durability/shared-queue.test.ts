import { createClient } from '@keyv/redis';
import { Queue } from 'bullmq';
import { pino } from 'pino';
import { describe, expect } from 'vitest';
import type { Job } from '../../src/lookups/queue.ts';
import { Sealer } from '../../src/storage/backend/sealer.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { aLookup } from '../support/a-lookup.ts';
import { test as sequential } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { startRedisRelay } from '../support/redis-relay.ts';

const test = sequential.concurrent;
const KEY = new Uint8Array(32).fill(9);

describe.runIf(has('redis-server'))('a lookup in the queue that replicas share', () => {
  function open({ url }: TestRedis, log: string[] = [], key = KEY) {
    const settings = { kind: 'redis', url, stateKeys: [key] } as const;
    const logger = pino({ level: 'warn' }, { write: (line) => log.push(line) });
    return openStorage(settings, { logger, now: Date.now });
  }

  test('is not lost when Redis breaks off while its failed step is written down', async ({
    redis: start,
  }) => {
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
      // That the step has failed is sent to a Redis that dies before it answers.
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

  test('that a newer release wrote is left to a replica of that release, with one line in the log', async ({
    redis: start,
  }) => {
    const redis = await start();
    const client = createClient({ url: redis.url });
    await client.connect();
    const log: string[] = [];
    const { store, queue, jobs } = await open(redis, log);
    const written = new Queue('jobs', { connection: client, prefix: 'snapshot-bot' });
    const sealed = new Sealer([KEY]).seal(JSON.stringify({ version: 99, other: 'words' }), 'lookup\0theirs');
    await written.add('lookup', { sealed, more: 'words' }, { jobId: 'lookup-theirs' });
    await queue.start(async () => expect.unreachable('it was taken'));
    await eventually(() => expect(log.length).toBeGreaterThan(0));
    expect(log[0]).toContain('state version 99');
    expect((await written.getJob('lookup-theirs'))?.data).toEqual({ sealed, more: 'words' });
    await jobs.stop(1_000);
    await store.close();
    await written.close();
    client.destroy();
  });

  test('that this replica has no key for is left to one that has it, as while a key is changed', async ({
    redis: start,
  }) => {
    const redis = await start();
    const theirs = new Uint8Array(32).fill(1);
    const log: string[] = [];
    const client = await createClient({ url: redis.url }).connect();
    const other = await open(redis, [], theirs);
    await other.queue.add(aLookup('sealed'));
    const job = 'snapshot-bot:jobs:lookup-sealed';
    // As BullMQ counts a job whose replica died.
    await client.hIncrBy(job, 'stc', 1);
    const keyless = await open(redis, log);
    await keyless.queue.start(async () => expect.unreachable('it was opened'));
    await eventually(() => expect(log.length).toBeGreaterThan(0));
    expect(log[0]).toContain('STATE_KEY');
    // Who can't read it takes no step of it, in which a replica could die.
    expect(JSON.parse((await client.hGet(job, 'data')) ?? '')).toMatchObject({ begun: 0 });
    client.destroy();
    await keyless.jobs.stop(1_000);
    const { promise, resolve } = Promise.withResolvers<Job>();
    await other.queue.start(async (job) => {
      resolve(job);
      return { done: true };
    });
    expect((await promise).id).toBe('sealed');
    await other.jobs.stop(1_000);
    await Promise.all([keyless.store.close(), other.store.close()]);
  });
});

describe.runIf(has('redis-server'))('A replica behind a network that loses everything', () => {
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
    await expect.poll(() => taken).toEqual(['before']);
    relay.hold();
    await adding.add(aLookup('after'));
    await expect.poll(() => taken, { timeout: 30_000 }).toEqual(['before', 'after']);
  });
});
