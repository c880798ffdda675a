import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../src/core/store.ts';
import { openStorage } from '../../src/storage/storage.ts';

const WRITER = fileURLToPath(new URL('../support/writer.ts', import.meta.url));

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-data-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function open(): Promise<Store> {
  const context = { logger: pino({ level: 'silent' }), now: Date.now };
  return (await openStorage({ kind: 'sqlite' as const, dataDir, stateKeys: [] }, context)).store;
}

/** Starts a process that stores numbers, kills it, and returns the last number that the store confirmed. */
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

test('After a kill in the middle of writes, every confirmed value is stored', async () => {
  for (const lines of [1, 20, 60]) {
    const last = await writeAndKill(lines);
    const store = await open();
    const kept = store.namespace<number>('people');
    for (let number = 1; number <= last; number += 1) expect(await kept.get(String(number))).toBe(number);
    await store.close();
  }
});

/** Runs the backup commands of docs/operate.md on this process and these folders. */
function backUp(pid: number | undefined, backups: string): string {
  const [, block = ''] = /```\n(copy=[^`]+)```/.exec(readFileSync('docs/operate.md', 'utf8')) ?? [];
  const commands = block
    .replaceAll(/systemctl kill --signal=(\w+) snapshot-bot/g, `kill -$1 ${pid}`)
    .replaceAll('/var/lib/private/snapshot-bot', dataDir)
    .replaceAll('/var/backups', backups)
    // The `sqlite3` line checks the copy. Opening the store checks it, too, so the test needs no `sqlite3`.
    .replace(/^sqlite3 .*$/m, 'echo "$copy"');
  return execFileSync('sh', ['-e', '-c', commands], { encoding: 'utf8' }).trim();
}

test('A copy of a paused process’s data directory holds every confirmed value', async () => {
  const backups = mkdtempSync(join(tmpdir(), 'snapshot-bot-backups-'));
  onTestFinished(() => rmSync(backups, { recursive: true }));
  const writer = spawn(process.execPath, [WRITER, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(writer, 'exit');
  const copies: { readonly path: string; readonly last: number }[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    if (Number(line) < 50 * (copies.length + 1) || copies.length === 2) continue;
    copies.push({ path: backUp(writer.pid, backups), last: Number(line) });
    if (copies.length === 2) writer.kill('SIGKILL');
  }
  await exited;
  for (const { path, last } of copies) {
    rmSync(dataDir, { recursive: true });
    renameSync(path, dataDir);
    const store = await open();
    const kept = store.namespace<number>('people');
    for (let number = 1; number <= last; number += 1) expect(await kept.get(String(number))).toBe(number);
    await store.close();
  }
});
