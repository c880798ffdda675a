import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@keyv/redis';
import { afterAll, test as base, beforeAll, describe, expect } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { has } from '../../support/needs.ts';
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
      open: async (stateKeys, logger) =>
        (await openStorage({ kind: 'sqlite', dataDir, stateKeys }, { logger, now: Date.now })).store,
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
  const openAt = async (url: string, stateKeys: Keys = [OLD], logger = loggerTo([])) =>
    (await openStorage({ kind: 'redis', url, stateKeys }, { logger, now: Date.now })).store;

  contract(async () => {
    const url = another();
    return {
      open: (stateKeys, logger) => openAt(url, stateKeys, logger),
      everything: async () => {
        const client = await createClient({ url }).connect();
        const keys = await client.keys('*');
        const values = await Promise.all(keys.map((key) => client.get(key)));
        client.destroy();
        return [...keys, ...values].join('\n');
      },
    };
  });

  test('A value that was copied to the key of another one does not open', async () => {
    const url = another();
    const store = await openAt(url);
    const client = await createClient({ url }).connect();
    const answers = store.namespace<string>('answers');
    await answers.set('1', 'of one');
    const [one = ''] = await client.keys('*answers*');
    await answers.set('2', 'of two');
    const other = (await client.keys('*answers*')).find((key) => key !== one) ?? '';
    await client.copy(one, other, { REPLACE: true });
    expect([await answers.get('1'), await answers.get('2')]).toEqual(['of one', undefined]);
    client.destroy();
    await store.close();
  });

  test('A Redis that is full is not ready, although it answers', async ({ onTestFinished }) => {
    const own = await startRedis();
    onTestFinished(() => own.close());
    const store = await openAt(own.url);
    await store.check();
    await own.command('CONFIG', 'SET', 'maxmemory', '1');
    await expect(store.check()).rejects.toThrow(StorageFailed);
    await own.command('CONFIG', 'SET', 'maxmemory', '0');
    await store.check();
    await store.close();
  });
});
