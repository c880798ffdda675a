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

test('Every package comes from a registry, none from an address of its own', () => {
  const elsewhere = PACKAGES.filter(
    ([, { resolved }]) => resolved !== undefined && !/^https:\/\/[^/]+\/.+\.tgz$/.test(resolved),
  );
  expect(elsewhere).toEqual([]);
});
