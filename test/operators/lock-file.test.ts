import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Locked = { readonly integrity?: string; readonly resolved?: string };

const LOCK = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8'));
const PACKAGES = Object.entries<Locked>(LOCK.packages).filter(([path]) => path !== '');

test('Every package is locked to its content, those of development and of other machines too', () => {
  expect(PACKAGES.length).toBeGreaterThan(100);
  expect(PACKAGES.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
});

test('docs/dependencies.md has every package of production, and the version that is locked', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs/dependencies.md'), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  const names = Object.keys(LOCK.packages[''].dependencies);
  const expected = names.map((name) => `| \`${name}\` | ${LOCK.packages[`node_modules/${name}`].version} |`);
  expect(rows.map((row) => `${row.split(' | ').slice(0, 2).join(' | ')} |`).sort()).toEqual(expected.sort());
});

test('Every package comes from a registry and not from another address', () => {
  const elsewhere = PACKAGES.filter(
    ([, { resolved }]) => resolved !== undefined && !/^https:\/\/[^/]+\/.+\.tgz$/.test(resolved),
  );
  expect(elsewhere).toEqual([]);
});
