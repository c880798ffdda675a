import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GUARDS } from '../guards/guards.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const TEST = /`(test\/[^`]+\.test\.ts)`/g;

/** The rows of the threats in `SECURITY.md`, each with the tests that it names. */
const ROWS = readFileSync(join(PROJECT, 'SECURITY.md'), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => cells.length === 5 && cells[3]?.startsWith('`test/'))
  .map(([, threat = '', , tests = '']) => ({
    threat,
    tests: [...tests.matchAll(TEST)].map(([, path = '']) => path),
  }));

test('SECURITY.md names tests that are there', () => {
  expect(ROWS.length).toBeGreaterThan(20);
  expect(ROWS.flatMap(({ tests }) => tests).filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
});

test.each(GUARDS)(
  'The guard against $threat stands once in $file, and its tests are in SECURITY.md',
  ({ threat, file, guard, tests }) => {
    expect(readFileSync(join(PROJECT, file), 'utf8').split(guard)).toHaveLength(2);
    expect(ROWS.find((row) => row.threat === threat)?.tests).toEqual(expect.arrayContaining([...tests]));
  },
);

/** Where no line of the source is the guard: a tool, or the lock file. */
const GUARDED_OTHERWISE = ['input that nobody thought of', 'a package that is not the one that was tested'];

test('Each threat of SECURITY.md has a guard that was removed once to see its test go red', () => {
  const guarded = new Set([...GUARDS.map(({ threat }) => threat), ...GUARDED_OTHERWISE]);
  expect(ROWS.map(({ threat }) => threat).filter((threat) => !guarded.has(threat))).toEqual([]);
});
