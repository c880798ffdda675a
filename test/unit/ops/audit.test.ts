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
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { AuditEntry } from '../../../src/core/lookup.ts';
import { openAudit } from '../../../src/ops/output.ts';

const THREE = ['started', 'accepted', 'answered'] as const;

/** A file that is still to be made, in a folder of its own. */
function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'audit.jsonl');
}

/** An audit, with the levels and codes of what is logged of it. */
function opened(file: string | undefined) {
  const log: string[] = [];
  const note = (line: string) => {
    const { level, err } = JSON.parse(line);
    log.push(`${level} ${err?.code ?? ''}`.trim());
  };
  const { audit, problem } = openAudit(file, pino({}, { write: note }));
  const write = (...events: readonly AuditEntry['event'][]) => {
    for (const event of events) audit({ event });
  };
  return { log, problem, write };
}

/** The events in a file, one for each line. */
function events(file: string): unknown[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line).event);
}

test('Entries are added to what the file holds, and only its owner can read it', () => {
  const file = newFile();
  for (const event of THREE) opened(file).write(event);
  expect([events(file), statSync(file).mode & 0o777]).toEqual([THREE, 0o600]);
});

test('A file that is renamed keeps what it has, and the next line goes into a new one, also a second time', () => {
  const file = newFile();
  const { write, problem } = opened(file);
  for (const event of THREE) {
    write(event);
    renameSync(file, `${file}.${event}`);
    expect(events(`${file}.${event}`)).toEqual([event]);
  }
  write('shared');
  expect([events(file), statSync(file).mode & 0o777, problem()]).toEqual([['shared'], 0o600, undefined]);
});

test('Where no new file can be opened after a rotation, lines go into the old one, and the trouble is told', () => {
  const file = newFile();
  const { write, problem, log } = opened(file);
  renameSync(file, `${file}.1`);
  mkdirSync(file);
  write('started', 'accepted');
  expect([events(`${file}.1`), problem()]).toEqual([
    ['started', 'accepted'],
    'AUDIT_FILE cannot be written (EISDIR)',
  ]);
  rmdirSync(file);
  expect(problem()).toBeUndefined();
  write('answered');
  expect([events(file), log]).toEqual([['answered'], ['50 EISDIR']]);
});

test.runIf(existsSync('/dev/full'))(
  'What a full disk does not take is told once, waits, and is written when there is space',
  () => {
    const file = newFile();
    symlinkSync('/dev/full', file);
    const { write, problem, log } = opened(file);
    write('started', 'accepted');
    expect([problem(), log]).toEqual(['AUDIT_FILE cannot be written (ENOSPC)', ['50 ENOSPC']]);
    rmSync(file);
    expect([problem(), events(file)]).toEqual([undefined, ['started', 'accepted']]);
    write('answered');
    expect(events(file)).toEqual(THREE);
  },
);

test('A file that can not be opened, and a pipe that nobody reads, are errors at once; without a file nothing is written', () => {
  const pipe = newFile();
  execFileSync('mkfifo', [pipe]);
  for (const [file, code] of [
    [join(pipe, 'audit.jsonl'), 'ENOTDIR'],
    [pipe, 'ENXIO'],
  ] as const)
    expect(() => opened(file)).toThrow(
      expect.objectContaining({ what: `${file} cannot be opened (${code})` }),
    );
  expect(() => opened(undefined).write('started')).not.toThrow();
});

test('A dash is standard output', () => {
  const path = new URL('../../../src/ops/output.ts', import.meta.url);
  const script = `import { openAudit } from '${path}'; openAudit('-', console).audit({ event: 'started' });`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: tmpdir(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(JSON.parse(printed)).toEqual({ time, audit: true, event: 'started' });
});

test.each([
  [0o666, 0o644, ['40']],
  [0o640, 0o640, []],
])(
  'A file of the mode %o is then one of %o, also one that is put in its place later',
  (mode, then, warned) => {
    const file = newFile();
    const put = () => {
      writeFileSync(file, '');
      chmodSync(file, mode);
    };
    put();
    const { log, write } = opened(file);
    expect(log).toEqual(warned);
    expect(statSync(file).mode & 0o777).toBe(then);
    renameSync(file, `${file}.1`);
    put();
    write('started');
    expect([events(file), statSync(file).mode & 0o777]).toEqual([['started'], then]);
  },
);
