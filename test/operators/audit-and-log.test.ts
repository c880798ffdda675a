import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openAudit } from '../../src/ops/logging.ts';

/** The path of a file that does not exist yet, in a folder of its own. */
function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'audit.jsonl');
}

function opened(file: string | undefined) {
  const log: string[] = [];
  const audit = openAudit(file, pino({}, { write: (line) => void log.push(JSON.parse(line).err?.code) }));
  return { ...audit, log };
}

function events(file: string): unknown[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line).event);
}

test('An audit adds its entries to what the file holds, and only its owner can read it', () => {
  const file = newFile();
  for (const event of ['started', 'accepted'] as const) opened(file).audit({ event });
  expect([events(file), statSync(file).mode & 0o777]).toEqual([['started', 'accepted'], 0o600]);
});

test('The bot does not start if its audit file can not be opened or is a pipe, and starts if none is set', () => {
  const pipe = newFile();
  execFileSync('mkfifo', [pipe]);
  expect(() => opened(join(pipe, 'audit.jsonl'))).toThrow('cannot be opened (ENOTDIR)');
  expect(() => opened(pipe)).toThrow('is a pipe or a folder');
  expect(() => opened(undefined).audit({ event: 'started' })).not.toThrow();
});

const OPS = new URL('../../src/ops/', import.meta.url);

/** The arguments for Node to run a script whose `line(words)` logs 1,000 bytes. */
function program(script: string): string[] {
  return [
    ...['--input-type=module', '-e'],
    `import { createLogger, openAudit } from '${OPS}logging.ts';
    const logger = createLogger('info', []);
    const line = (words) => logger.info(words + 'x'.repeat(1_000));
    ${script}`,
  ];
}

test('AUDIT_FILE=- sends the audit to standard output, between the lines of the log', () => {
  const script = `logger.info('one'); openAudit('-', logger).audit({ event: 'started' }); logger.info('two');`;
  const lines = execFileSync(process.execPath, program(script), { encoding: 'utf8' }).trim().split('\n');
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 'info', time, msg: 'one' },
    { time, audit: true, event: 'started' },
    { level: 'info', time, msg: 'two' },
  ]);
});

/** Runs the script without reading its output. */
function unread(script: string) {
  const child = spawn(process.execPath, program(script), { timeout: 20_000, killSignal: 'SIGKILL' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('While nobody reads the log the process goes on, and a later reader gets whole lines in order', async () => {
  const child = unread(`
    for (let count = 0; count < 20_000; count += 1) line(count);
    console.error('alive');
    process.stdin.on('end', () => process.exit()).resume();`);
  expect(String(await once(child.stderr, 'data'))).toBe('alive\n');
  let read = 0;
  for await (const line of createInterface(child.stdout)) {
    expect(JSON.parse(line).msg).toMatch(new RegExp(`^${read}x`));
    read += 1;
    if (read === 10_000) break;
  }
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('A late reader gets the whole log of a process that is ending', async () => {
  // The clock stands still, so that the process waits for its reader without a time limit.
  const child = unread(`performance.now = () => 1_000;
    for (let count = 0; count < 1_000; count += 1) line('');
    console.error('ending');
    process.exit();`);
  await once(child.stderr, 'data');
  expect((await text(child.stdout)).match(/\n/g)).toHaveLength(1_000);
});

test('A process ends even if nobody reads its log', async () => {
  const child = unread(`for (let count = 0; count < 1_000; count += 1) line(''); process.exit(3);`);
  expect(await once(child, 'exit')).toEqual([3, null]);
});

test.runIf(existsSync('/dev/full'))('A full disk under standard output does not end the process', () => {
  const script = `for (let count = 0; count < 20_000; count += 1) line(''); setTimeout(() => console.error('alive'), 50);`;
  const shell = ['-c', 'exec "$0" "$@" > /dev/full', process.execPath, ...program(script)];
  const { status, stderr } = spawnSync('sh', shell, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, 'alive\n']);
});
