import { describe, expect, test } from 'vitest';
import type { Acceptance } from '../../../../src/core/comparing.ts';
import type { Diagnostic, DiagnosticSet, DiagnosticsResult } from '../../../../src/core/diagnostics.ts';
import { answersOf, type ReadyUnit, type Unit } from '../../../../src/lookups/lookup-status.ts';
import { modelOf } from '../../../../src/slack/answer/result-model.ts';
import { namedUnits } from '../../../../src/slack/answer/rows.ts';
import { severalLines } from '../../../../src/slack/answer/several-words.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const hit = (name: string, importance = 'HIGH') => aDiagnostic({ name, importance });
const check = (name: string) => aDiagnostic({ name, match: 'miss' });
const questionOf = (at: number, set: DiagnosticSet = 'all') => ({
  snapshotId: snapshotId(String(1001 + at)),
  set,
});

/** The snapshots `a`, `b`, … (1001, 1002, …) with these diagnostics. */
function unitsOf(lists: readonly (readonly Diagnostic[])[], set?: DiagnosticSet): ReadyUnit[] {
  return lists.map((diagnostics, at) => {
    const device = { hostname: 'abcdef'.charAt(at), chassisSerial: '', platform: '' };
    const result = { ...aResult(diagnostics), device };
    return { kind: 'ready', question: questionOf(at, set), readAt: 0, result };
  });
}

/** The same, of which this one says something else. */
function changed(units: readonly ReadyUnit[], place: number, said: Partial<DiagnosticsResult>): ReadyUnit[] {
  return units.map((unit, at) => (at === place ? { ...unit, result: { ...unit.result, ...said } } : unit));
}

function linesOf(units: readonly Unit[]) {
  const [question = questionOf(0), ...others] = units.map((unit) => unit.question);
  const answers = answersOf({ question, others }, units);
  const model = answers && modelOf({ question, others }, answers);
  return severalLines(model?.units ?? namedUnits(units), model);
}
const said = (units: readonly Unit[]) => linesOf(units).map(({ text }) => text);
const failed = (at: number): Unit => ({ kind: 'failed', why: 'forbidden', question: questionOf(at) });
const open = (at: number): Unit => ({
  ...{ kind: 'open', isProcessing: false, reason: 'Soon.', trouble: 'unreachable' },
  question: questionOf(at),
});

const [D1, D2, D3] = [hit('D1'), hit('D2'), hit('D3')];
const PART = { stated: { hits: 9 } };

describe('Of several snapshots the first line says', () => {
  test.each<[string, readonly Unit[]]>([
    ['Same 1 hit on both; 1 more on a (1 high)', unitsOf([[D1, D2], [D1]])],
    ['Same 1 hit on both; 1 more listed for a (1 high)', changed(unitsOf([[D1, D2], [D1]]), 1, PART)],
    ['No hit in common; 1 only on a; 1 only on b', unitsOf([[hit('D1', 'MEDIUM')], [hit('D2', 'LOW')]])],
    [
      'No hit is listed for both; 1 listed only for a (1 high); 1 listed only for b (1 high)',
      changed(unitsOf([[D1], [D2]]), 1, PART),
    ],
    ['No hit in common; 3 on only some (3 high)', unitsOf([[D1], [D2], [D3]])],
    ['No hit in common; 3 on only some (3 high)', unitsOf([[D1, D2], [D1], [D3]])],
    ['No check in common; 1 only on a', unitsOf([[check('C1')], []], 'miss')],
    ['No checks are listed on both', unitsOf([[], []], 'miss')],
    ['1 hit on a, the only one with a result', [...unitsOf([[D1]]), failed(1)]],
    ['No result for these 2 snapshots', [failed(0), failed(1)]],
    ['No result yet for these 2 snapshots', [failed(0), open(1)]],
  ])('%s', (line, units) => {
    expect(said(units)[0]).toBe(line);
  });

  const accepted: Acceptance = {
    ...{ name: 'D1', importance: 'HIGH', user: 'U1', userName: 'ana', reason: 'booked', at: 0, until: 9 },
    ...{ snapshotId: questionOf(0).snapshotId, host: '' },
  };
  test.each([
    ['all', [true, true], 'Same 1 hit on the 2 with a result; 1 accepted'],
    ['one', [true, false], 'Same 1 hit on the 2 with a result'],
    ['the other', [false, true], 'Same 1 hit on the 2 with a result'],
  ] as const)('that a hit is accepted where %s that have it accepted it', (_who, by, line) => {
    const ready = unitsOf([[], [D1], [D1]]).slice(1);
    const units = ready.map((unit, at): Unit => (by[at] ? { ...unit, accepted: [accepted] } : unit));
    expect(said([failed(0), ...units])[0]).toBe(line);
  });
});

describe('Of several snapshots it is said why they differ', () => {
  test('by releases and numbers of checks that are known and not the same', () => {
    const units = unitsOf([[D1], [D1]]);
    const { software } = aResult([]);
    const differ = (two: readonly Unit[]) => said(two).filter((line) => line.includes('differ'));
    expect(differ(changed(units, 0, { software: { ...software, version: '' } }))).toEqual([]);
    expect(differ(changed(units, 0, { software: { ...software, version: '17.5.0' } }))).toEqual([
      'Releases differ',
    ]);
    const stated = { hits: 1, misses: 9 };
    expect(differ(changed(changed(units, 0, { stated }), 1, { stated }))).toEqual([]);
    const passed = unitsOf([[check('C1')], [check('C1')]], 'miss');
    const counted = changed(passed, 0, { stated: { hits: 5, misses: 1 } });
    expect(differ(changed(counted, 1, { stated: { hits: 7, misses: 1 } }))).toEqual(['Checks differ (6, 8)']);
  });

  test('and of more than four what release all have, once', () => {
    const lists = [[D1], [D1], [D1], [D1], [D1]];
    expect(said(unitsOf(lists.slice(1)))).toEqual(expect.arrayContaining(['a · 17.1.3 · 1 high']));
    expect(said(unitsOf(lists.slice(1)))).not.toContain('Same release: 17.1.3');
    expect(said(unitsOf(lists))).toEqual(
      expect.arrayContaining(['a (1001) · 1 high', 'Same release: 17.1.3']),
    );
    const { software } = aResult([]);
    const mixed = said(changed(unitsOf(lists), 4, { software: { ...software, version: '17.5.0' } }));
    expect(mixed).toEqual(expect.arrayContaining(['a (1001) · 17.1.3 · 1 high', 'Releases differ']));
    expect(mixed.join()).not.toContain('Same release');
  });
});

describe('Of one of several snapshots its line says', () => {
  const _lineOf = (diagnostics: readonly Diagnostic[], result = {}, set?: DiagnosticSet) =>
    said(changed(unitsOf([diagnostics, [D1]], set), 0, result)).find((line) => line.startsWith('a · '));

  test('why it has no result', () => {
    expect(said([...unitsOf([[D1]]), open(1)])).toContain(
      '1002 · no answer yet: Soon.: the service can’t be reached',
    );
  });

  test('its name as far as a narrow phone has room beside its id', () => {
    const hosts = ['a', 'load-balancer-number-1', 'load-balancer-number-22', '', 'e', 'f'];
    const levels = [hit('D1', 'CRITICAL'), D2];
    const own = [hit('D1', 'A level in words of its own'), hit('D2', 'Another level in such words')];
    const named = hosts.reduce(
      (all, hostname, at) => changed(all, at, { device: { hostname, chassisSerial: '', platform: '' } }),
      unitsOf([[D1], [D1], levels, levels, own, [D1]]),
    );
    const { software } = aResult([]);
    const lines = linesOf(changed(named, 5, { software: { ...software, version: '17.5.0' } })).filter(
      ({ report }) => report?.startsWith('100'),
    );
    expect(lines.map(({ text }) => text)).toEqual([
      'a (1001) · 17.1.3 · 1 high',
      'load-balancer-number-1 (1002) · 1 high',
      '…er-number-22 (1003) · 1 critical · 1 high',
      '1004 · 17.1.3 · 1 critical · 1 high',
      '1005 · 1 A level in words of its… · 1…',
      'f (1006) · 17.5.0 · 1 high',
    ]);
    expect(lines[1]).toEqual({
      text: 'load-balancer-number-1 (1002) · 1 high',
      beside: 'load-balancer-number-1 · 17.1.3 · 1 high',
      report: '1002: load-balancer-number-1 · 17.1.3 · 1 high',
    });
  });
});

test('A long list of passed checks of several snapshots is searched, and without a search nothing is said of what is unseen', () => {
  const many = Array.from({ length: 30 }, (_, at) => check(`C${at}`));
  expect(said(unitsOf([many, many], 'miss'))).toContain('Search or export this long list with ⋯.');
  expect(said(unitsOf([[D1], [D1]])).join()).not.toContain('sent only hits');
});
