import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../src/core/store.ts';
import { openStorage } from '../../src/storage/open-storage.ts';

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

/** Starts a process that writes numbers, and kills it; gives the last number that the store confirmed to it. */
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

test('After a kill in the middle of writes, every value is there that the store had confirmed', async () => {
  for (const lines of [1, 20, 60]) {
    const last = await writeAndKill(lines);
    const store = await open();
    const kept = store.namespace<number>('recents');
    for (let number = 1; number <= last; number += 1) expect(await kept.get(String(number))).toBe(number);
    await store.close();
  }
});

test('A copy that is made while the process stands still has every value that was confirmed before', async () => {
  const copy = `${dataDir}-copy`;
  const writer = spawn(process.execPath, [WRITER, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(writer, 'exit');
  let last = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    if (Number(line) < 50 || last > 0) continue;
    last = Number(line);
    // As docs/operate.md says.
    execFileSync('sh', [
      '-c',
      `kill -STOP ${writer.pid}; cp -a ${dataDir} ${copy}; kill -CONT ${writer.pid}`,
    ]);
    writer.kill('SIGKILL');
  }
  await exited;
  rmSync(dataDir, { recursive: true });
  renameSync(copy, dataDir);
  const store = await open();
  const kept = store.namespace<number>('recents');
  for (let number = 1; number <= last; number += 1) expect(await kept.get(String(number))).toBe(number);
  await store.close();
});
