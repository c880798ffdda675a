import { describe, expect, test } from 'vitest';
import type { Diagnostic, DiagnosticSet, DiagnosticsResult } from '../../../../src/core/diagnostics.ts';
import type { ReadyUnit, Unit } from '../../../../src/lookups/lookup-status.ts';
import {
  cellsIn,
  isThrough,
  namedUnits,
  rowsOf,
  saidOf,
  unitedOf,
  unlisted,
} from '../../../../src/slack/answer/rows.ts';
import type { View } from '../../../../src/slack/blocks/action-values.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const hit = (name: string, importance = 'HIGH') => aDiagnostic({ name, importance });
const check = (name: string) => aDiagnostic({ name, match: 'miss' });
const _UNSTATED = aDiagnostic({ name: 'D9', isMatchUnstated: true });
const questionOf = (id: number, set: DiagnosticSet = 'all') => ({ snapshotId: snapshotId(String(id)), set });

function unitOf(id: number, diagnostics: readonly Diagnostic[], more: Partial<ReadyUnit> = {}): ReadyUnit {
  return { kind: 'ready', question: questionOf(id), readAt: 0, result: aResult(diagnostics), ...more };
}
const FAILED: Unit = { kind: 'failed', why: 'forbidden', question: questionOf(1009) };
const several = (units: readonly Unit[], side: 'hit' | 'miss' = 'hit') => {
  const rows = rowsOf({ question: questionOf(1001) }, { result: aResult([]), readAt: 0, units }, side).all;
  return rows.map((row) => `${row.hit.name} ${row.kind}`);
};

describe('What several snapshots share', () => {
  test('stands first within each importance, and is what all with a result have', () => {
    const [a, b] = [
      unitOf(1001, [hit('D1'), hit('D2', 'LOW'), hit('D3')]),
      unitOf(1002, [hit('D3'), hit('D4', 'CRITICAL')]),
    ];
    expect(several([a, FAILED, b])).toEqual(['D4 some', 'D3 shared', 'D1 some', 'D2 some']);
  });

  test('of passed checks stands together where the same snapshots have it, whatever its importance', () => {
    const [one, two, three] = ['CRITICAL', 'LOW', 'HIGH'].map((importance, at) => ({
      ...check(`C${at}`),
      importance,
    })) as [Diagnostic, Diagnostic, Diagnostic];
    const four = { ...check('C3'), importance: 'CRITICAL' };
    const units = [unitOf(1001, [one, two]), unitOf(1002, [two, three]), unitOf(1003, [two, four, one])];
    expect(several(units, 'miss')).toEqual(['C1 shared', 'C0 some', 'C2 some', 'C3 some']);
  });

  test('of a search is what was found', () => {
    const [found, other] = [hit('D1'), hit('D2')];
    const units = [unitOf(1001, [found, other], { found: { matches: new Set([found]), verdicts: [] } })];
    expect(several(units)).toEqual(['D1 shared']);
  });
});

test('A hit of several documents is as important as on the worst, with what each of them names, once', () => {
  const low = {
    ...hit('D1', 'LOW'),
    ...{ cveIds: ['CVE-2026-1'], fixedIn: ['17.1.4'] },
    solutions: [
      { url: 'https://x.example/1', id: 'K1' },
      { url: '', id: 'K2' },
    ],
  };
  const high = {
    ...hit('D1', 'CRITICAL'),
    ...{ cveIds: ['CVE-2026-2', 'CVE-2026-1'], fixedIn: ['17.1.5', '17.1.4'] },
    solutions: [
      { url: 'https://x.example/1', id: 'K9' },
      { url: 'https://x.example/2' },
      { url: '', id: 'K2' },
    ],
  };
  const united = unitedOf(low, [low, undefined, high]);
  expect(united).toMatchObject({ importance: 'CRITICAL', cveIds: ['CVE-2026-2', 'CVE-2026-1'] });
  expect(united.fixedIn).toEqual(['17.1.5', '17.1.4']);
  expect(united.solutions.map(({ id, url }) => `${id} ${url}`)).toEqual([
    'K9 https://x.example/1',
    'undefined https://x.example/2',
    'K2 ',
    'K1 https://x.example/1',
  ]);
  expect(unitedOf(low, [undefined])).toBe(low);
});

test('What a comparison no longer lists is uncertain where the later document, asked so, may not list all', () => {
  const uncertain = (set: DiagnosticSet, after: Partial<DiagnosticsResult>, before = {}) => {
    const view = { question: questionOf(1011, set), before: questionOf(1010, set) };
    const was = { result: { ...aResult([hit('D1'), hit('D2')]), ...before }, readAt: 0 };
    const { all } = rowsOf(view, { result: { ...aResult([]), ...after }, readAt: 1, before: was }, 'hit');
    return all.map((row) => [row.hit.name, row.kind, row.isUncertain]);
  };
  const cleared = (isUncertain?: true) => ['D1', 'D2'].map((name) => [name, 'cleared', isUncertain]);
  expect(uncertain('hit', {})).toEqual(cleared());
  expect(uncertain('hit', {}, { stated: { hits: 9 } })).toEqual(cleared());
  expect(uncertain('all', {})).toEqual(cleared(true));
  expect(uncertain('hit', { diagnostics: [hit('D1')], stated: { hits: 9 } })).toEqual([
    ['D2', 'cleared', true],
    ['D1', 'unchanged', undefined],
  ]);
});

test('The name of a snapshot is on one line and short, and its doubt is about the side that is listed', () => {
  const device = { hostname: '', chassisSerial: `chs\n${'1'.repeat(40)}`, platform: '' };
  const units = [unitOf(1001, [], { result: { ...aResult([hit('D1')]), device, stated: { misses: 9 } } })];
  expect(namedUnits(units)[0]).toMatchObject({ name: `chs ${'1'.repeat(19)}…`, doubt: '' });
  expect(namedUnits(units, 'miss')[0]?.doubt).not.toBe('');
  const view: View = { question: questionOf(1001), side: 'miss' };
  const rows = rowsOf(view, { result: aResult([]), readAt: 0, units }, 'miss');
  expect(rows.units?.[0]?.doubt).not.toBe('');
});

describe('Of a row of several snapshots', () => {
  const [low, high] = [hit('D1', 'LOW'), { ...hit('D1'), action: 'Restart.' }];
  const row = { hit: { ...high, cveIds: ['CVE-2026-1'] }, cells: [low, undefined, high, high] };
  const units = namedUnits([1001, 1002, 1003, 1004].map((id) => unitOf(id, [])));

  test('each text is said once, with the names where others say something else or nothing', () => {
    expect(saidOf(row, units, ({ action }) => action)).toEqual([
      { text: 'Restart.', where: '1003 and 1004' },
    ]);
    expect(saidOf(row, units, ({ name }) => name)).toEqual([{ text: 'D1', where: '' }]);
    expect(cellsIn(row, units).map(({ name }) => name)).toEqual(['1001', '1003', '1004']);
  });

  test('one that a filter lets through is enough, with the CVEs of any of them', () => {
    expect(isThrough(row, { levels: ['low'], cve: 'with' })).toBe(true);
    expect(isThrough(row, { levels: ['high'] })).toBe(true);
    expect(isThrough(row, { levels: ['critical'] })).toBe(false);
    expect(isThrough({ hit: low }, { cve: 'with' })).toBe(false);
  });

  test('another diagnostic of its name is known that is in no row', () => {
    const [passed, missed] = [check('D1'), hit('D1', 'LOW')];
    expect(unlisted(unitOf(1001, [low]), high)).toBeUndefined();
    expect(unlisted(unitOf(1001, [low, passed]), high)).toBe(passed);
    const found = { matches: new Set([low]), verdicts: [] };
    expect(unlisted(unitOf(1001, [low, missed], { found }), high)).toBe(missed);
    expect(unlisted(FAILED, high)).toBeUndefined();
  });
});
