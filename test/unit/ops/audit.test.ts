import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAudit, tryAuditFile } from '../../../src/ops/audit.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'snapshot-bot-audit-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test('Each entry is a line with its time, added to what the file holds; only its owner can read it', () => {
  const file = join(folder(), 'audit.jsonl');
  const errors: unknown[] = [];
  createAudit(file, (error) => errors.push(error)).write({ event: 'started' });
  createAudit(file, (error) => errors.push(error)).write({ event: 'accepted' });
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(lines).toEqual([
    { time, audit: true, event: 'started' },
    { time, audit: true, event: 'accepted' },
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(errors).toEqual([]);
});

/** The events in a file, one for each line. */
function events(file: string): unknown[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line).event);
}

test('A file that is renamed keeps what it has, and the next line goes into a new one, also a second time', () => {
  const file = join(folder(), 'audit.jsonl');
  const audit = createAudit(file, () => {});
  for (const event of ['first', 'second', 'third']) {
    audit.write({ event });
    renameSync(file, `${file}.${event}`);
    expect(events(`${file}.${event}`)).toEqual([event]);
  }
  audit.write({ event: 'last' });
  expect([events(file), statSync(file).mode & 0o777]).toEqual([['last'], 0o600]);
  expect(audit.trouble()).toBeUndefined();
});

test('Where no new file can be opened after a rotation, lines go into the old one, and the trouble is told', () => {
  const file = join(folder(), 'audit.jsonl');
  const errors: unknown[] = [];
  const audit = createAudit(file, (error) => errors.push(error));
  renameSync(file, `${file}.1`);
  mkdirSync(file);
  for (const event of ['first', 'second']) audit.write({ event });
  expect(events(`${file}.1`)).toEqual(['first', 'second']);
  expect(audit.trouble()).toMatchObject({ code: 'EISDIR' });
  rmdirSync(file);
  expect(audit.trouble()).toBeUndefined();
  audit.write({ event: 'third' });
  expect(events(file)).toEqual(['third']);
  expect(errors).toHaveLength(1);
});

test.runIf(existsSync('/dev/full'))(
  'What a full disk does not take is told once, waits, and is written when there is space',
  () => {
    const file = join(folder(), 'audit.jsonl');
    symlinkSync('/dev/full', file);
    const errors: unknown[] = [];
    const audit = createAudit(file, (error) => errors.push(error));
    for (const event of ['first', 'second']) audit.write({ event });
    expect(audit.trouble()).toMatchObject({ code: 'ENOSPC' });
    expect(errors).toEqual([expect.objectContaining({ code: 'ENOSPC' })]);
    rmSync(file);
    expect(audit.trouble()).toBeUndefined();
    expect(events(file)).toEqual(['first', 'second']);
    audit.write({ event: 'third' });
    expect(events(file)).toEqual(['first', 'second', 'third']);
  },
);

test('A file that can not be opened is an error at once; without a file nothing is written', () => {
  expect(() => createAudit(join(folder(), 'none', 'audit.jsonl'), () => {})).toThrow(/ENOENT/);
  expect(() => createAudit(undefined, () => {}).write({ event: 'started' })).not.toThrow();
});

test('A dash is standard output', () => {
  const path = new URL('../../../src/ops/audit.ts', import.meta.url);
  const script = `import { createAudit, tryAuditFile } from '${path}'; createAudit('-', console.error).write({ event: 'started' });`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(JSON.parse(printed)).toMatchObject({ audit: true, event: 'started' });
});

test('A file that others may write to is closed to them, and one that they may read stays as it is', () => {
  const file = join(folder(), 'audit.jsonl');
  writeFileSync(file, '');
  for (const [mode, then] of [
    [0o666, 0o644],
    [0o640, 0o640],
  ] as const) {
    chmodSync(file, mode);
    expect(tryAuditFile(file)).toBe(mode !== then);
    expect(statSync(file).mode & 0o777).toBe(then);
  }
});

test('A pipe that nobody reads is refused at once', () => {
  const pipe = join(folder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(() => tryAuditFile(pipe)).toThrow(/ENXIO/);
});
