import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LAYERS } from './layers.ts';
import { measure } from './measures.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const GUIDE = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
/** A path from the root of the project, in backticks. */
const PATH = /`((?:src|test|docs|deploy)\/[\w./-]+)`/g;

const paths = [...new Set(Array.from(GUIDE.matchAll(PATH), ([, path = '']) => path))];

test('Every path that CONTRIBUTING.md names is there', () => {
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('Every folder of src is on the map, by itself or with the folder that holds it', () => {
  const folders = LAYERS.filter((layer) => !/\.(?:ts|js)$/.test(layer)).map((layer) => `src/${layer}`);
  const unmapped = folders.filter(
    (folder) => !paths.some((path) => folder === path || folder.startsWith(`${path}/`)),
  );
  expect(unmapped).toEqual([]);
});

test('What takes more than a line or two to say is a list, not a cell of a table', () => {
  const cells = GUIDE.split('\n').flatMap((line) => (line.startsWith('| ') ? line.split(' | ') : []));
  expect(cells.length).toBeGreaterThan(60);
  expect(cells.filter((cell) => cell.split(' ').length > 35)).toEqual([]);
});

test('Import chains are as short as CONTRIBUTING.md says', () => {
  const { longestChain } = measure(ROOT);
  const stated = /import chains of at most (\d+) files/.exec(GUIDE.replaceAll('\n', ' '));
  expect(longestChain.length, longestChain.join(' > ')).toBeLessThanOrEqual(Number(stated?.[1]));
});
