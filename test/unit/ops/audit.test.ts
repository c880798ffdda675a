import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAudit } from '../../../src/ops/audit.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'snapshot-bot-audit-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test('Each entry is a line with its time, added to what the file holds; only its owner can read it', () => {
  const file = join(folder(), 'audit.jsonl');
  const errors: unknown[] = [];
  createAudit(file, (error) => errors.push(error))({ event: 'started' });
  createAudit(file, (error) => errors.push(error))({ event: 'accepted' });
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

test.runIf(existsSync('/dev/full'))('An entry that can not be written is reported, and stops nothing', () => {
  const errors: unknown[] = [];
  const audit = createAudit('/dev/full', (error) => errors.push(error));
  audit({ event: 'accepted' });
  expect(errors).toContainEqual(expect.objectContaining({ code: 'ENOSPC' }));
});

test('A file that can not be opened is an error at once; without a file nothing is written', () => {
  expect(() => createAudit(join(folder(), 'none', 'audit.jsonl'), () => {})).toThrow(/ENOENT/);
  expect(() => createAudit(undefined, () => {})({ event: 'started' })).not.toThrow();
});

test('A dash is standard output', () => {
  const path = new URL('../../../src/ops/audit.ts', import.meta.url);
  const script = `import { createAudit } from '${path}'; createAudit('-', console.error)({ event: 'started' });`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(JSON.parse(printed)).toMatchObject({ audit: true, event: 'started' });
});
