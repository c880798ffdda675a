import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@keyv/redis';
import { afterAll, test as base, beforeAll, describe, expect, vi } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import { withLeaseWhenFree } from '../../../src/core/lease.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { eventually } from '../../support/eventually.ts';
import { has } from '../../support/needs.ts';
import { close } from '../../support/queue-contract.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { storeContract as contract, type Keys, loggerTo } from '../../support/store-contract.ts';
import { OLD } from '../../support/store-promises.ts';

const test = base.concurrent;

describe.concurrent('The embedded store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-store-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  contract(async () => {
    const dataDir = mkdtempSync(join(folder, 'contract-'));
    return {
      open: (stateKeys, logger) =>
        openStorage({ kind: 'sqlite', dataDir, stateKeys }, { logger, now: Date.now }),
      everything: async () =>
        readdirSync(dataDir)
          .filter((name) => statSync(join(dataDir, name)).isFile())
          .map((name) => readFileSync(join(dataDir, name), 'latin1'))
          .join(''),
    };
  });
});

describe.skipIf(!has('redis-server')).concurrent('The store on Redis', () => {
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
  const openAt = (url: string, stateKeys: Keys = [OLD], logger = loggerTo([])) =>
    openStorage({ kind: 'redis', url, stateKeys }, { logger, now: Date.now });

  contract(async () => {
    const url = another();
    return {
      open: (stateKeys, logger) => openAt(url, stateKeys, logger),
      everything: async () => {
        const client = await createClient({ url }).connect();
        const keys = await client.keys('*');
        // Those of BullMQ are hashes.
        const values = await Promise.all(keys.map((key) => client.get(key).catch(() => '')));
        client.destroy();
        return [...keys, ...values].join('\n');
      },
    };
  });

  test('A lease that ran out while Redis stood still goes to who held it, not to who asks first', async ({
    onTestFinished,
  }) => {
    const own = await startRedis();
    onTestFinished(() => own.close());
    const [holder, other] = [await openAt(own.url), await openAt(own.url)];
    expect(await holder.store.leases.acquire('a', 300)).toBe(true);
    await other.store.leases.ttl('a');
    own.hang();
    const began = performance.now();
    const taken = other.store.leases.acquire('a', 60_000);
    await eventually(() => expect(performance.now() - began).toBeGreaterThan(700));
    const held = holder.store.leases.hold('a', 60_000);
    own.goOn();
    await held;
    expect(await taken).toBe(false);
    await Promise.all([close(holder), close(other)]);
  });

  test.for([
    [
      'while Redis stood still',
      async (redis: TestRedis) => redis.hang(),
      async (redis: TestRedis) => redis.goOn(),
    ],
    ['once Redis is back', (redis: TestRedis) => redis.kill(), (redis: TestRedis) => redis.start()],
  ] as const)(
    'A lease under which work goes on is taken again before who asked for it %s',
    async ([, lose, find], { onTestFinished }) => {
      const own = await startRedis();
      onTestFinished(() => own.close());
      const [holder, other] = [await openAt(own.url), await openAt(own.url)];
      const { promise: work, resolve: end } = Promise.withResolvers<void>();
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      await other.store.leases.ttl('a');
      const renewed = vi.spyOn(holder.store.leases, 'renew');
      const ended = withLeaseWhenFree(holder.store.leases, 'a', { ms: 3_000 }, () => {
        begin();
        return work;
      });
      await begun;
      const began = performance.now();
      await lose(own);
      await eventually(() => expect(performance.now() - began).toBeGreaterThan(4_000), 10_000);
      expect(renewed).toHaveBeenCalled();
      const asked = vi.waitFor(() => other.store.leases.acquire('a', 60_000), { timeout: 10_000 });
      await find(own);
      expect(await asked).toBe(false);
      end();
      await ended;
      await Promise.all([close(holder), close(other)]);
    },
  );

  test('A value that was copied to the key of another one does not open', async () => {
    const url = another();
    const storage = await openAt(url);
    const { store } = storage;
    const client = await createClient({ url }).connect();
    const answers = store.namespace<string>('answers');
    await answers.set('1', 'of one');
    const [one = ''] = await client.keys('*answers*');
    await answers.set('2', 'of two');
    const other = (await client.keys('*answers*')).find((key) => key !== one) ?? '';
    await client.copy(one, other, { REPLACE: true });
    expect([await answers.get('1'), await answers.get('2')]).toEqual(['of one', undefined]);
    client.destroy();
    await close(storage);
  });

  test('A Redis that is full is not ready, although it answers', async ({ onTestFinished }) => {
    const own = await startRedis();
    onTestFinished(() => own.close());
    const storage = await openAt(own.url);
    const { store } = storage;
    await store.check();
    await own.command('CONFIG', 'SET', 'maxmemory', '1');
    await expect(store.check()).rejects.toThrow(StorageFailed);
    await own.command('CONFIG', 'SET', 'maxmemory', '0');
    await store.check();
    await close(storage);
  });
});
