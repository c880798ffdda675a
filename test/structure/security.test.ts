import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GUARDS, THREATS } from '../guards/guards.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

test('SECURITY.md names tests that are there', () => {
  expect(THREATS.size).toBeGreaterThan(20);
  expect([...THREATS.values()].flat().filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
});

test.each(GUARDS)(
  'The guard against $threat stands once in $file, and has tests',
  ({ threat, file, guard }) => {
    expect(readFileSync(join(PROJECT, file), 'utf8').split(guard)).toHaveLength(2);
    expect(THREATS.get(threat)).not.toHaveLength(0);
  },
);

/** Where no line of the source is the guard: a tool, or the lock file. */
const GUARDED_OTHERWISE = ['input that nobody thought of', 'a package that is not the one that was tested'];

test('Each threat of SECURITY.md has a guard that was removed once to see its test go red', () => {
  const guarded = new Set([...GUARDS.map(({ threat }) => threat), ...GUARDED_OTHERWISE]);
  expect([...THREATS.keys()].filter((threat) => !guarded.has(threat))).toEqual([]);
});
