import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../../src/core/store.ts';
import { NAMESPACES } from '../../../src/core/store.ts';
import type { Job } from '../../../src/lookups/queue.ts';
import { Sealer } from '../../../src/storage/backend/sealer.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { DataDirUnusable, openSqliteFile } from '../../../src/storage/sqlite/sqlite-file.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { eventually } from '../../support/eventually.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-data-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const [OLD, NEW] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];
const silent = pino({ level: 'silent' });
const context = { logger: silent, now: Date.now };

async function open(stateKeys: readonly Uint8Array[] = [], logger = silent): Promise<Store> {
  return (await openStorage({ kind: 'sqlite', dataDir, stateKeys }, { logger, now: Date.now })).store;
}

test('Values and open jobs that no key opens are counted until they are gone', async () => {
  let at = Date.now();
  const opened = (stateKeys: readonly Uint8Array[]) =>
    openStorage({ kind: 'sqlite', dataDir, stateKeys }, { logger: silent, now: () => at });
  const { store, queue } = await opened([OLD]);
  await store.namespace('recents').set('U1', [], 60_000);
  await store.namespace('recents').set('U2', []);
  await queue.add(aLookup('open'));
  await store.close();
  const storage = await opened([NEW]);
  await eventually(() => expect(storage.unopened()).toBe(3));
  at += 60_000;
  await eventually(() => expect(storage.unopened()).toBe(2));
  await storage.queue.remove('open');
  await eventually(() => expect(storage.unopened()).toBe(1));
  await storage.store.clear();
  await eventually(() => expect(storage.unopened()).toBe(0));
  await storage.store.close();
});

test('A clock that jumps ahead ends no lease, also where the process ends right after that', async () => {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const opened = async () =>
    (await openStorage({ kind: 'sqlite', dataDir, stateKeys: [] }, { logger: silent, now })).store;
  const first = await opened();
  await first.leases.acquire('asking', 50_000);
  // One that tells that something was done ends by the clock.
  await first.leases.acquire('done', 7_200_000);
  aheadMs = 3_600_000;
  expect(await first.leases.acquire('asking', 60_000)).toBe(false);
  expect(await first.leases.ttl('done')).toBeLessThanOrEqual(3_600_000);
  await first.close();
  const second = await opened();
  expect(await second.leases.ttl('asking')).toBeGreaterThan(40_000);
  await second.close();
});

test('A clock that was wrong by an hour just before the process was killed holds no lease for that hour', async () => {
  let aheadMs = 0;
  const opened = async (folder: string) =>
    (
      await openStorage(
        { kind: 'sqlite', dataDir: folder, stateKeys: [] },
        { logger: silent, now: () => Date.now() + aheadMs },
      )
    ).store;
  const [used, left] = [join(dataDir, 'used'), join(dataDir, 'left')];
  const first = await opened(used);
  await first.leases.acquire('asking', 50_000);
  aheadMs = 3_600_000;
  expect(await first.leases.ttl('asking')).toBeGreaterThan(40_000);
  // What a killed process leaves behind.
  cpSync(used, left, { recursive: true });
  await first.close();
  aheadMs = 0;
  const second = await opened(left);
  const ttl = await second.leases.ttl('asking');
  expect(ttl).toBeGreaterThan(40_000);
  expect(ttl).toBeLessThanOrEqual(50_000);
  await second.close();
});

test('The file is written so that a commit survives a kill, and a power loss leaves it whole', () => {
  const database = openSqliteFile(dataDir, () => {});
  const settings = ['journal_mode', 'locking_mode', 'synchronous', 'wal_autocheckpoint'].map(
    (name) => database.prepare(`PRAGMA ${name}`).get()?.[name],
  );
  // 1 is NORMAL: SQLite syncs the log before it copies it into the file.
  expect(settings).toEqual(['wal', 'exclusive', 1, 4_000]);
  database.close();
});

test('On a volume that is full the log is copied into the file at each commit, and not never', () => {
  const database = openSqliteFile(
    dataDir,
    () => {},
    () => 0,
  );
  expect(database.prepare('PRAGMA wal_autocheckpoint').get()).toEqual({ wal_autocheckpoint: 1 });
  database.close();
});

test('On a small volume the log takes no more than a part of its space', () => {
  const volume = 3 * 1024 * 1024;
  const database = openSqliteFile(
    dataDir,
    () => {},
    () => volume,
  );
  const write = database.prepare("INSERT OR REPLACE INTO secrets (name, value) VALUES ('one', ?)");
  for (let count = 0; count < 200; count += 1) write.run('x'.repeat(100_000));
  const bytes = readdirSync(dataDir).map((name) => statSync(join(dataDir, name)).size);
  expect(Math.max(...bytes)).toBeGreaterThan(volume / 8);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(volume / 2);
  database.close();
});

test('A data directory serves one process: a second one is told what to do', async () => {
  const first = await open();
  const second = open();
  await expect(second).rejects.toThrow('is in use by another process');
  await expect(second).rejects.toThrow(/in use by another process.*DATA_DIR.*REDIS_URL/s);
  await first.namespace('recents').set('key', 1);
  await first.close();
  const next = await open();
  expect(await next.namespace('recents').get('key')).toBe(1);
  await next.close();
});

test('Without a STATE_KEY the directory gets a key of its own, for its owner only, and keeps it', async () => {
  const first = await open();
  await first.namespace('recents').set('key', 'value');
  await first.close();
  const file = join(dataDir, 'state.key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const key = readFileSync(file, 'utf8');
  const second = await open();
  expect(await second.namespace('recents').get('key')).toBe('value');
  await second.close();
  expect(readFileSync(file, 'utf8')).toBe(key);
});

test('From a key file to a STATE_KEY nothing is lost, open lookups least of all', async () => {
  const first = await openStorage({ kind: 'sqlite' as const, dataDir, stateKeys: [] }, context);
  await first.store.namespace('service').set('shared', 'cookies');
  await first.queue.add(aLookup('open'));
  await first.store.close();
  const second = await openStorage({ kind: 'sqlite' as const, dataDir, stateKeys: [NEW] }, context);
  const { promise, resolve } = Promise.withResolvers<Job>();
  await second.queue.start(async (job) => {
    resolve(job);
    return { done: true };
  });
  expect((await promise).id).toBe('open');
  expect(await second.store.namespace('service').get('shared')).toBe('cookies');
  await second.store.namespace('recents').set('since', 1);
  await second.jobs.stop(1_000);
  await second.store.close();
  // What is stored since needs the key file no more.
  rmSync(join(dataDir, 'state.key'));
  const third = await open([NEW]);
  expect(await third.namespace('recents').get('since')).toBe(1);
  await third.close();
});

test('A damaged file that was set aside goes when all is deleted', async () => {
  writeFileSync(join(dataDir, 'snapshot-bot.sqlite'), 'rubbish '.repeat(1_000));
  const store = await open();
  const aside = () => readdirSync(dataDir).filter((name) => name.includes('.damaged-'));
  expect(aside()).toHaveLength(1);
  await store.clear();
  expect(aside()).toEqual([]);
  await store.close();
});

test('New files and folders are readable by their owner alone, whatever the umask', async () => {
  dataDir = join(dataDir, 'made', 'by the bot');
  const umask = process.umask(0);
  const store = await open();
  process.umask(umask);
  await store.namespace('recents').set('key', 'value');
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  const modes = readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).mode & 0o777]);
  expect(modes.length).toBeGreaterThan(2);
  for (const [name, mode] of modes) expect([name, mode]).toEqual([name, 0o600]);
  await store.close();
});

test('The file of a version that made it readable for others is closed to them', async () => {
  await (await open()).close();
  const file = join(dataDir, 'snapshot-bot.sqlite');
  chmodSync(file, 0o644);
  await (await open()).close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('A cached value of another version is not trusted, and is left as it is', async () => {
  const first = await open([NEW]);
  await first.namespace('answers').set('26808463:all', { kind: 'ready' });
  await first.close();
  const change = (version: number) => {
    const database = new DatabaseSync(join(dataDir, 'snapshot-bot.sqlite'));
    const row = database.prepare("SELECT value FROM entries WHERE namespace = 'answers'").get();
    const sealer = new Sealer([NEW]);
    const envelope: object = JSON.parse(sealer.open(String(row?.value), 'answers'));
    const sealed = sealer.seal(JSON.stringify({ ...envelope, version }), 'answers');
    database.prepare("UPDATE entries SET value = ? WHERE namespace = 'answers'").run(sealed);
    database.close();
  };
  const read = async () => {
    const store = await open([NEW]);
    const value = await store.namespace('answers').get('26808463:all');
    await store.close();
    return value;
  };
  for (const other of [1, NAMESPACES.answers.version + 1]) {
    change(other);
    expect(await read()).toBeUndefined();
  }
  change(NAMESPACES.answers.version);
  expect(await read()).toEqual({ kind: 'ready' });
});

test.each([
  [0o777, 1],
  [0o770, 0],
])('A data directory of mode %o is told %i times of', async (mode, times) => {
  chmodSync(dataDir, mode);
  const lines: string[] = [];
  const store = await open([NEW], pino({ level: 'warn' }, { write: (line) => void lines.push(line) }));
  await store.close();
  expect(lines.filter((line) => line.includes('chmod o-w'))).toHaveLength(times);
});

test('A data directory that can not be made ends the start with that reason', async () => {
  const file = join(dataDir, 'a-file');
  writeFileSync(file, '');
  dataDir = join(file, 'below');
  await expect(open()).rejects.toThrow(DataDirUnusable);
  await expect(open()).rejects.toThrow(/DATA_DIR/);
});

test.runIf(process.platform === 'linux')(
  'The start ends with a reason where the system refuses to make a folder although its parent exists',
  () => {
    expect(() => openSqliteFile('/proc/snapshot-bot/data', () => {})).toThrow(DataDirUnusable);
  },
);
