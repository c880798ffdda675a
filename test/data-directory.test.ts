import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../src/core/store.ts';
import { openStorage } from '../src/storage/open-storage.ts';
import { DataDirInUse, DataDirUnusable } from '../src/storage/sqlite-file.ts';

const WRITER = fileURLToPath(new URL('./harness/writer.ts', import.meta.url));

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-data-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const silent = pino({ level: 'silent' });

async function open(stateKeys: readonly Uint8Array[] = [], logger = silent): Promise<Store> {
  return (await openStorage({ redisUrl: undefined, dataDir, stateKeys }, logger, Date.now)).store;
}

/** A process that writes until it is killed; gives the last number that it was told is kept. */
async function writeAndKill(afterLines: number): Promise<number> {
  const writer = spawn(process.execPath, [WRITER, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(writer, 'exit');
  let said = '';
  for await (const chunk of writer.stdout) {
    said += String(chunk);
    if (said.split('\n').length > afterLines) writer.kill('SIGKILL');
  }
  await exited;
  return Number(said.split('\n').at(-2));
}

test('A process that is killed while it writes leaves all that it was told is kept', async () => {
  for (const lines of [1, 20, 60]) {
    const last = await writeAndKill(lines);
    const store = await open();
    const kept = store.kept<number>('numbers');
    for (let number = 1; number <= last; number += 1) expect(await kept.get(String(number))).toBe(number);
    await store.close();
  }
});

test('A data directory serves one process: a second one is told what to do', async () => {
  const first = await open();
  const second = open();
  await expect(second).rejects.toThrow(DataDirInUse);
  await expect(second).rejects.toThrow(/in use by another process.*DATA_DIR.*REDIS_URL/s);
  await first.kept('a').set('key', 1);
  await first.close();
  const next = await open();
  expect(await next.kept('a').get('key')).toBe(1);
  await next.close();
});

test('A second process can not write while the first one lives', async () => {
  const first = await open();
  const writer = spawn(process.execPath, [WRITER, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  for await (const chunk of writer.stderr) complaint += String(chunk);
  expect(complaint).toContain('DataDirInUse');
  await first.close();
});

test('Without a STATE_KEY the directory gets a key of its own, for its owner only, and keeps it', async () => {
  const first = await open();
  await first.kept('a').set('key', 'value');
  await first.close();
  const file = join(dataDir, 'state.key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const key = readFileSync(file, 'utf8');
  const second = await open();
  expect(await second.kept('a').get('key')).toBe('value');
  await second.close();
  expect(readFileSync(file, 'utf8')).toBe(key);
});

test('A key file that holds no key is said, and left as it is', async () => {
  writeFileSync(join(dataDir, 'state.key'), 'not a key\n');
  await expect(open()).rejects.toThrow(/state\.key holds no key/);
  expect(readFileSync(join(dataDir, 'state.key'), 'utf8')).toBe('not a key\n');
});

test.each([
  ['no database', () => 'this is no database '.repeat(1_000)],
  ['a database with a damaged middle', (good: Buffer) => Buffer.from(good).fill(0xff, 4_096, 8_192)],
])('A file that is %s is set aside, said, and a new one begun', async (_, damage) => {
  const first = await open();
  await first.kept('a').set('key', 'value');
  await first.close();
  const file = join(dataDir, 'snapshot-bot.sqlite');
  writeFileSync(file, damage(readFileSync(file)));
  const damaged = readFileSync(file);
  const log: string[] = [];
  const second = await open([], pino({}, { write: (line) => log.push(line) }));
  await second.kept('a').set('key', 'new');
  expect(await second.kept('a').get('key')).toBe('new');
  await second.close();
  const aside = readdirSync(dataDir).find((name) => name.includes('damaged')) ?? 'none';
  expect(readFileSync(join(dataDir, aside))).toHaveLength(damaged.length);
  expect(log.join('')).toContain(aside);
});

test('A data directory that can not be made is said', async () => {
  const file = join(dataDir, 'a-file');
  writeFileSync(file, '');
  dataDir = join(file, 'below');
  await expect(open()).rejects.toThrow(DataDirUnusable);
  await expect(open()).rejects.toThrow(/DATA_DIR/);
});
