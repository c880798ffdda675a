import { expect, test } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostics.ts';
import {
  byImportance,
  type Filter,
  groupOf,
  LEVEL_GROUPS,
  levelOf,
  passes,
} from '../../src/core/importance.ts';
import { aDiagnostic } from '../support/a-diagnostic.ts';

function rated(importance: string, name = importance): Diagnostic {
  return aDiagnostic({ name, importance });
}

test.each([
  ['CRITICAL', 'critical', 0, 'Critical'],
  [' high\n', 'high', 1, 'High'],
  ['Medium', 'medium', 2, 'Medium'],
  ['low', 'low', 3, 'Low'],
  ['Severe', 'severe', 4, 'Severe'],
  [' sev-1 ', 'sev-1', 4, 'sev-1'],
  ['', '', 4, 'Unrated'],
  ['  ', '', 4, 'Unrated'],
])(
  'An importance of %j is read as %j, has the rank %i, and is shown as “%s”',
  (importance, key, rank, word) => {
    expect(levelOf({ importance })).toEqual({ key, rank, word });
  },
);

test('The most important come first, unknown levels after the known, and the order within a level stays', () => {
  const given = ['low', 'zeta', 'HIGH', 'alpha', '', 'CRITICAL', 'medium', 'High', 'Low', 'ALPHA'];
  const order = byImportance(given.map((importance) => ({ importance })));
  expect(order.map(({ importance }) => importance)).toEqual([
    'CRITICAL',
    'HIGH',
    'High',
    'medium',
    'low',
    'Low',
    'zeta',
    'alpha',
    '',
    'ALPHA',
  ]);
});

const GROUP_OF = [
  ['Critical', 'critical'],
  ['HIGH', 'high'],
  ['medium ', 'medium'],
  ['low', 'low'],
  ['Severe', 'other'],
  ['other', 'other'],
  ['unrated', 'other'],
  [' ', 'unrated'],
] as const;

test.each(GROUP_OF)('A hit of importance %j is counted among, and found by, “%s”', (importance, group) => {
  expect(groupOf({ importance })).toBe(group);
});

test('Each group has a level, and the groups are sorted by importance', () => {
  expect([...new Set(GROUP_OF.map(([, group]) => group))]).toEqual(LEVEL_GROUPS);
});

test.each<[filter: Filter, high: boolean, lowWithCve: boolean]>([
  [{}, true, true],
  [{ levels: ['critical', 'high'] }, true, false],
  [{ levels: ['low'] }, false, true],
  [{ levels: [] }, false, false],
  [{ cve: 'with' }, false, true],
  [{ levels: ['low'], cve: 'with' }, false, true],
  [{ levels: ['high'], cve: 'with' }, false, false],
])('The filter %j shows a high hit without a CVE: %s; a low one with a CVE: %s', (filter, ...expected) => {
  const hits = [rated('HIGH'), { ...rated('LOW'), cveIds: ['CVE-2026-10004'] }];
  expect(hits.map((hit) => passes(hit, filter))).toEqual(expected);
});
