import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type Logger, pino } from 'pino';
import { afterAll, test as base } from 'vitest';
import { openStorage } from '../../src/storage/storage.ts';
import { has } from '../support/needs.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { startRedisRelay } from '../support/redis-relay.ts';

export type Storage = Awaited<ReturnType<typeof openStorage>>;

export const KEY = new Uint8Array(32).fill(9);
type Keys = readonly [Uint8Array, ...Uint8Array[]];
const KEYS: Keys = [KEY];
type Options = { readonly keys?: Keys; readonly logger?: Logger; readonly now?: () => number };

/** A fresh, empty backend for one test. */
export type Backend = {
  /** Opens the same data again, as the next process or another replica would. It is closed when the test ends. */
  readonly open: (options?: Options) => Promise<Storage>;
  /** Ends a process in the middle of its steps like a kill. Then another process can take its jobs. */
  readonly die: (storage: Storage) => Promise<void>;
  /** Everything that is stored, in its stored form. */
  readonly everything: () => Promise<string>;
  readonly remove: () => void;
};

/** Stops the queues, then closes the store. */
export async function close({ jobs, store }: Storage): Promise<void> {
  await jobs.stop(1_000);
  await store.close();
}

const silent = pino({ level: 'silent' });

/** A logger that adds its lines to `log`. */
export function loggerTo(log: string[]): Logger {
  return pino({ level: 'trace' }, { write: (line) => log.push(line) });
}

async function sqlite(): Promise<Backend> {
  const dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-contract-'));
  return {
    open: ({ keys = KEYS, logger = silent, now = Date.now } = {}) =>
      openStorage({ kind: 'sqlite', dataDir, stateKeys: keys }, { logger, now }),
    // The steps go on, but can't store anything.
    die: ({ store }) => store.close(),
    everything: async () =>
      readdirSync(dataDir)
        .map((name) => readFileSync(join(dataDir, name), 'latin1'))
        .join('\n'),
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

/**
 * Makes running steps look abandoned at once: removes their locks, and does the first of the two checks after which
 * BullMQ calls a job stalled.
 */
export async function abandonSteps(url: string): Promise<void> {
  const client = new Redis(url);
  for (const lock of await client.keys('*:lock')) {
    await client.unlink(lock);
    const [, queue = '', id = ''] = /^(.*):([^:]*):lock$/.exec(lock) ?? [];
    await client.sadd(`${queue}:stalled`, id);
    await client.del(`${queue}:stalled-check`);
  }
  client.disconnect();
}

async function everythingIn(url: string): Promise<string> {
  const client = new Redis(url);
  const texts: string[] = [];
  for (const key of await client.keys('*')) {
    const type = await client.type(key);
    const value =
      type === 'string' ? await client.get(key) : type === 'hash' ? await client.hgetall(key) : '';
    texts.push(key, JSON.stringify(value));
  }
  client.disconnect();
  return texts.join('\n');
}

/**
 * One Redis for a test file. Each test has its own database, and each process its own connection, which the test can
 * cut.
 */
function redisOf(): () => Promise<Backend> {
  let server: Promise<TestRedis> | undefined;
  let databases = 0;
  afterAll(async () => (await server)?.close());
  return async () => {
    server ??= startRedis();
    databases += 1;
    const database = databases;
    const url = `${(await server).url}/${database}`;
    const relays = new Map<Storage, Awaited<ReturnType<typeof startRedisRelay>>>();
    return {
      open: async ({ keys = KEYS, logger = silent, now = Date.now } = {}) => {
        const relay = await startRedisRelay(url, {});
        const settings = {
          kind: 'redis',
          url: `${relay.url}${new URL(url).pathname}`,
          stateKeys: keys,
        } as const;
        const storage = await openStorage(settings, { logger, now });
        relays.set(storage, relay);
        return storage;
      },
      die: async (storage) => {
        relays.get(storage)?.hold({ isAway: true });
        await storage.jobs.stop(0);
        await storage.store.close();
        await abandonSteps(url);
      },
      everything: () => everythingIn(url),
      remove: () => {},
    };
  };
}

/** A test on one backend. The fixture `own` is a fresh backend, whose processes end with the test. */
function testOn(make: () => Promise<Backend>) {
  return base.extend<{ own: Backend }>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the dependencies of a fixture from its pattern.
    own: async ({}, use) => {
      const backend = await make();
      const opened = new Set<Storage>();
      const open = async (options?: Options) => {
        const storage = await backend.open(options);
        opened.add(storage);
        return storage;
      };
      const die = async (storage: Storage) => {
        opened.delete(storage);
        await backend.die(storage);
      };
      await use({ ...backend, open, die });
      for (const storage of opened) await close(storage).catch(() => {});
      backend.remove();
    },
  });
}

/** Each backend that this machine can run, with its `test`. Call this once in a file. */
export function backends() {
  const all = { SQLite: testOn(sqlite), Redis: testOn(redisOf()) };
  return Object.entries(all).filter(([name]) => name === 'SQLite' || has('redis-server'));
}
