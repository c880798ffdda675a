import { expect, test } from 'vitest';
import { branchOf, compareVersions, versionOf } from '../../../src/core/versions.ts';
import { fc } from '../../support/fast-check.ts';

function order(one: string, other: string): number {
  const [first, second] = [versionOf(one), versionOf(other)];
  if (first === undefined || second === undefined) throw new Error('not a version');
  return Math.sign(compareVersions(first, second));
}

test.each([
  ['17.1.3', '<', '17.1.3.4'],
  ['17.1.3.4', '<', '17.5.0'],
  ['17.1.3', '<', '17.1.10'],
  ['9.4.8', '<', '17.1.0'],
  ['17.1.3.4', '<', '17.1.4'],
  ['17.1.3.4', '<', '17.1.3.4.1'],
  ['17.1', '=', '17.1.0'],
  ['17.1.3', '=', '17.1.3.0.0'],
  ['v17.1.3', '=', ' 17.1.3 '],
  ['17.01.3', '=', '17.1.3'],
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
  ]) {
    expect(versionOf(text)).toBeUndefined();
  }
});

test('A branch is the first two parts', () => {
  const branch = (text: string) => branchOf(versionOf(text) ?? []).join('.');
  expect(branch('17.1.3.4')).toBe('17.1');
  expect(branch('17.5.0')).toBe('17.5');
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
