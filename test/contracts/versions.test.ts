import { expect, test } from 'vitest';
import { compareVersions, runningVersion, versionOf } from '../../src/core/versions.ts';
import { fc } from '../support/fast-check.ts';

function order(one: string, other: string): number {
  const [first, second] = [versionOf(one), versionOf(other)];
  if (first === undefined || second === undefined) throw new Error('not a version');
  return Math.sign(compareVersions(first, second));
}

test.each([
  ['17.1.3', '<', '17.1.10'],
  ['9.4.8', '<', '17.1.0'],
  ['17.1.3.4', '<', '17.1.4'],
  ['17.1', '=', '17.1.0'],
  ['v17.1.3', '=', ' 17.1.3 '],
  ['17.01.3', '=', '17.1.3'],
  ['12.1.2', '<', '12.1.2 HF1'],
  ['12.1.2 HF2', '<', '12.1.2 HF10'],
  ['12.1.2 HF2', '<', '12.1.3'],
  ['12.1.2 Hotfix 2', '=', '12.1.2.0 HF02'],
  ['12.1.2-HF2', '=', '12.1.2 Hotfix HF2'],
])('%s %s %s', (one, sign, other) => {
  expect(order(one, other)).toBe(sign === '<' ? -1 : 0);
  expect(order(other, one) + 0).toBe(sign === '<' ? 1 : 0);
});

test('Any other text is no version', () => {
  for (const text of [
    '',
    '17',
    '17.x',
    '17.1.',
    '.1',
    '17.1.3-0.0.11',
    '17,1',
    'None',
    '1.2.3.4.5.6.7',
    '1.1e3',
    '17.1.?.4',
    '11.6.? HF2',
    '11.6.1 2',
    '11.6.1 HF',
    '17.1.3 ENG',
  ]) {
    expect(versionOf(text)).toBeUndefined();
  }
});

const UNKNOWN = { numbers: [], hotfix: -1 };

test.each([
  ['17.1.3', '', '17.1.3'],
  ['17.1.3', ' Final ', '17.1.3'],
  ['17.1.3', 'Point Release 3', '17.1.3.3'],
  ['17.1.3.3', 'point release 3', '17.1.3.3'],
  ['17.1', 'Point Release 3', '17.1.0.3'],
  ['12.1.2', 'Hotfix HF2', '12.1.2 HF2'],
  ['12.1.2', 'HF2', '12.1.2 HF2'],
  ['12.1.2 HF2', 'Hotfix 2', '12.1.2 HF2'],
  ['12.1.2 HF2', '', '12.1.2 HF2'],
  ['17.1.3.4', '', '17.1.3.4'],
])('%s with the edition “%s” runs %s', (version, edition, running) => {
  const found = runningVersion({ version, edition }) ?? UNKNOWN;
  expect(compareVersions(found, versionOf(running) ?? UNKNOWN)).toBe(0);
});

test.each([
  ['17.1.3', 'Engineering Hotfix'],
  ['17.1.3', 'Point Release 3 Engineering Hotfix 2'],
  ['17.1.3', 'Hotfix-17.1.3.0.5.11-ENG'],
  ['17.1.3', 'Point Release'],
  ['17.1.3.4', 'Point Release 3'],
  ['12.1.2 HF1', 'Hotfix HF2'],
  ['12.1.2 HF1', 'Point Release 1'],
  ['latest', ''],
  ['', 'Final'],
])('%s with the edition “%s” can’t be ordered', (version, edition) => {
  expect(runningVersion({ version, edition })).toBeUndefined();
});

test('The order is total: every list is sorted the same, whatever its order was before', () => {
  const version = fc.array(fc.nat(3), { minLength: 2, maxLength: 5 }).map((parts) => parts.join('.'));
  fc.assert(
    fc.property(version, version, version, (one, two, three) => {
      expect(order(one, two)).toBe(-order(two, one) + 0);
      if (order(one, two) <= 0 && order(two, three) <= 0) expect(order(one, three)).toBeLessThanOrEqual(0);
    }),
  );
});
