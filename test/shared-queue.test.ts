import { createClient } from '@keyv/redis';
import { Queue } from 'bullmq';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BullQueue } from '../src/lookups/bull-queue.ts';
import type { Job } from '../src/lookups/queue.ts';
import { openStorage } from '../src/storage/open-storage.ts';
import { has } from './harness/needs.ts';
import { startRedis, type TestRedis } from './harness/redis.ts';
import { snapshotId } from './harness/snapshot-id.ts';

type Place = { readonly channel: string };

const KEY = new Uint8Array(32).fill(9);
const silent = pino({ level: 'silent' });

function aLookup(id: string): Job<Place> {
  const question = { snapshotId: snapshotId('26808463'), set: 'all' } as const;
  const now = Date.now();
  return { id, question, askedBy: 'U1', place: { channel: 'C1' }, acceptedAt: now, deadline: now + 60_000 };
}

describe.runIf(has('redis-server'))('a lookup in the queue that replicas share', () => {
  let redis: TestRedis;
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(() => redis.close());

  async function open(errors: unknown[], key = KEY) {
    const settings = { redisUrl: redis.url, dataDir: '/nowhere', stateKeys: [key] };
    const { store, shared } = await openStorage(settings, silent, Date.now);
    if (shared === undefined) throw new Error('a Redis was asked for');
    const onError = (error: unknown) => errors.push(error);
    return { store, queue: new BullQueue<Place>({ ...shared, now: Date.now, onError }) };
  }

  test('is not lost when Redis breaks off while its failed step is written down', async () => {
    const { store, queue } = await open([]);
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
    await expect.poll(() => queue.countOpen(), { timeout: 5_000 }).toBe(0);
    await queue.stop(1_000);
    await store.close();
  });

  test('that another version wrote is left to a replica of that version, and that is said', async () => {
    const client = createClient({ url: redis.url });
    await client.connect();
    const errors: unknown[] = [];
    const { store, queue } = await open(errors);
    const written = new Queue('lookups', { connection: client, prefix: 'snapshot-bot' });
    await written.add('lookups', { state: 2, other: 'words' }, { jobId: 'theirs' });
    await queue.start(async () => expect.unreachable('it was taken'));
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    expect(String(errors[0])).toContain('state version 2');
    expect(await queue.countOpen()).toBe(1);
    expect((await written.getJob('theirs'))?.data).toEqual({ state: 2, other: 'words' });
    await queue.stop(1_000);
    await store.close();
    await written.close();
    client.destroy();
  });

  test('that this replica has no key for is left to one that has it, as while a key is changed', async () => {
    const theirs = new Uint8Array(32).fill(1);
    const errors: unknown[] = [];
    const keyless = await open(errors);
    await keyless.queue.start(async () => expect.unreachable('it was opened'));
    const other = await open([], theirs);
    await other.queue.add(aLookup('sealed'));
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    expect(String(errors[0])).toContain('STATE_KEY');
    await keyless.queue.stop(1_000);
    const { promise, resolve } = Promise.withResolvers<Job<Place>>();
    await other.queue.start(async (job) => {
      resolve(job);
      return { done: true };
    });
    expect((await promise).id).toBe('sealed');
    await other.queue.stop(1_000);
    await Promise.all([keyless.store.close(), other.store.close()]);
  });
});
