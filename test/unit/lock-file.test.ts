import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Locked = { readonly integrity?: string; readonly resolved?: string; readonly dev?: boolean };

const LOCK = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8'));
const PACKAGES = Object.entries<Locked>(LOCK.packages).filter(([path]) => path !== '');

test('Every package that runs in production is locked to its content', () => {
  const production = PACKAGES.filter(([, { dev }]) => dev !== true);
  expect(production.length).toBeGreaterThan(100);
  expect(production.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
});

test('Every package comes from a registry, none from an address of its own', () => {
  const elsewhere = PACKAGES.filter(
    ([, { resolved }]) => resolved !== undefined && !/^https:\/\/[^/]+\/.+\.tgz$/.test(resolved),
  );
  expect(elsewhere).toEqual([]);
});
