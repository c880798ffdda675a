import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@keyv/redis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { StorageFailed } from '../src/core/faults.ts';
import type { Store } from '../src/core/store.ts';
import { openStorage } from '../src/storage/open-storage.ts';
import { has } from './harness/needs.ts';
import { startRedis, type TestRedis } from './harness/redis.ts';

const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const SECRET = 'a cookie value !aB+/=';

type Opener = (keys: readonly Uint8Array[], log: string[]) => Promise<Store>;
type Backend = { readonly open: Opener; readonly everything: () => Promise<string> };

/** What every store promises. */
function contract(backend: () => Backend): void {
  const opened: Store[] = [];
  const log: string[] = [];
  const open = async (...keys: Uint8Array[]): Promise<Store> => {
    const store = await backend().open(keys.length > 0 ? keys : [OLD], log);
    opened.push(store);
    return store;
  };
  const closeAll = async () => {
    for (const store of opened.splice(0)) await store.close();
  };
  afterEach(async () => {
    await closeAll();
    log.length = 0;
  });

  test('What is set is there, also in another handle of the same name, until it is deleted', async () => {
    const store = await open();
    const kept = store.kept<{ text: string }>('a');
    expect(await kept.get('key')).toBeUndefined();
    await kept.set('key', { text: 'ä "quoted" \u0000 \u{1F6A8}' });
    await kept.set('key', { text: 'second' });
    expect(await store.kept('a').get('key')).toEqual({ text: 'second' });
    expect(await store.kept('b').get('key')).toBeUndefined();
    await kept.delete('key');
    await kept.delete('key');
    expect(await kept.get('key')).toBeUndefined();
  });

  test('Entries are those of one name, and all of them', async () => {
    const store = await open();
    const kept = store.kept<number>('numbers');
    for (let index = 0; index < 50; index += 1) await kept.set(`key:${index}`, index);
    await store.kept('numbers-of-others').set('key', 99);
    const found: [string, number][] = [];
    for await (const [key, value] of kept.entries()) found.push([key, value]);
    expect(found.toSorted((a, b) => a[1] - b[1])).toEqual(
      Array.from({ length: 50 }, (_, index) => [`key:${index}`, index]),
    );
    for (const [key] of found) await kept.delete(key);
    for await (const entry of kept.entries()) expect(entry).toBeUndefined();
  });

  test('A value is gone when its time is over', async () => {
    const kept = (await open()).kept<string>('short');
    await kept.set('long', 'here', 60_000);
    await kept.set('short', 'here', 40);
    await expect.poll(() => kept.get('short')).toBeUndefined();
    expect(await kept.get('long')).toBe('here');
  });

  test('What was kept is there after a close', async () => {
    const { claims, ...first } = await open();
    expect(first).toBeDefined();
    await opened[0]?.kept('a').set('key', SECRET);
    await claims.hold('rest', 60_000);
    await closeAll();
    const second = await open();
    expect(await second.kept('a').get('key')).toBe(SECRET);
    expect(await second.claims.take('rest', 10)).toBe(false);
    expect(await second.claims.remaining('rest')).toBeGreaterThan(50_000);
    await second.claims.release('rest');
    await second.kept('a').delete('key');
  });

  test('A name has one holder at a time, until it lets go or its time is over', async () => {
    const { claims } = await open();
    const taken = await Promise.all(Array.from({ length: 20 }, () => claims.take('name', 60_000)));
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
    expect(await claims.remaining('name')).toBeGreaterThan(50_000);
    await claims.release('name');
    expect(await claims.remaining('name')).toBe(0);
    expect(await claims.take('name', 40)).toBe(true);
    await expect.poll(() => claims.take('name', 60_000)).toBe(true);
    await claims.hold('name', 40);
    await expect.poll(() => claims.remaining('name')).toBe(0);
  });

  test('Nothing is kept in the clear', async () => {
    const store = await open();
    await store.kept('session').set('shared', { cookies: SECRET });
    await store
      .kept('lookups')
      .set('1', { response: 'https://hooks.slack.example/commands/T1/2/sEcReT' }, 60_000);
    const bytes = await backend().everything();
    expect(bytes).toContain('shared');
    for (const secret of ['cookie value', 'aB+/', 'hooks.slack', 'sEcReT', btoa(SECRET).slice(0, 12)]) {
      expect(bytes).not.toContain(secret);
    }
  });

  test('A new key in front opens what the old one sealed, and seals what comes', async () => {
    await (await open(OLD)).kept('a').set('old', 1);
    await closeAll();
    const rotating = await open(NEW, OLD);
    expect(await rotating.kept('a').get('old')).toBe(1);
    await rotating.kept('a').set('new', 2);
    await closeAll();
    const rotated = await open(NEW);
    expect(await rotated.kept('a').get('new')).toBe(2);
    expect(await rotated.kept('a').get('old')).toBeUndefined();
  });

  test('Without the key a value is dropped and that is logged, and everything else works', async () => {
    await (await open(OLD)).kept('a').set('lost', SECRET);
    await closeAll();
    const store = await open(NEW);
    expect(await store.kept('a').get('lost')).toBeUndefined();
    expect(log.filter((line) => line.includes('STATE_KEY') && line.includes('lost'))).toHaveLength(1);
    expect(await store.kept('a').get('lost')).toBeUndefined();
    expect(log).toHaveLength(1);
    await store.kept('a').set('lost', 'found');
    expect(await store.kept('a').get('lost')).toBe('found');
  });

  test('A store that is closed says so with its own fault', async () => {
    const store = await open();
    await store.check();
    await closeAll();
    await expect(store.check()).rejects.toThrow(StorageFailed);
    await expect(store.kept('a').get('key')).rejects.toThrow(StorageFailed);
    await expect(store.kept('a').set('key', 1)).rejects.toThrow(StorageFailed);
    await expect(store.claims.take('name', 10)).rejects.toThrow(StorageFailed);
  });
}

function logger(log: string[]) {
  return pino({ level: 'trace' }, { write: (line) => log.push(line) });
}

describe('The embedded store', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-store-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  contract(() => ({
    open: async (stateKeys, log) =>
      (await openStorage({ redisUrl: undefined, dataDir, stateKeys }, logger(log), Date.now)).store,
    everything: async () =>
      readdirSync(dataDir)
        .filter((name) => statSync(join(dataDir, name)).isFile())
        .map((name) => readFileSync(join(dataDir, name), 'latin1'))
        .join(''),
  }));
});

describe.skipIf(!has('redis-server'))('The store on Redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.close());

  contract(() => ({
    open: async (stateKeys, log) =>
      (await openStorage({ redisUrl: redis.url, dataDir: '/nowhere', stateKeys }, logger(log), Date.now))
        .store,
    everything: async () => {
      const client = createClient({ url: redis.url });
      await client.connect();
      const keys = await client.keys('*');
      const values = await Promise.all(keys.map((key) => client.get(key)));
      client.destroy();
      return [...keys, ...values].join('\n');
    },
  }));
});
