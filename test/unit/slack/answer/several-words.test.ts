import { describe, expect, test } from 'vitest';
import type { Device, DiagnosticSet, DiagnosticsResult } from '../../../../src/core/diagnostics.ts';
import { answersOf, type Unit } from '../../../../src/lookups/lookup-status.ts';
import { modelOf } from '../../../../src/slack/answer/result-model.ts';
import { namedUnits } from '../../../../src/slack/answer/rows.ts';
import { severalLines } from '../../../../src/slack/answer/several-words.ts';
import { newsOf } from '../../../../src/slack/answer/since.ts';
import { arranged } from '../../../../src/slack/answer/view-message.ts';
import type { ViewState } from '../../../../src/slack/blocks/action-values.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

/** Snapshots 1001, 1002, … with these results. */
function unitsOf(results: readonly Partial<DiagnosticsResult>[]): Unit[] {
  return results.map((result, at): Unit => {
    const question = { snapshotId: snapshotId(String(1001 + at)), set: 'all' } as const;
    return { kind: 'ready', question, readAt: 0, result: { ...aResult([]), ...result } };
  });
}

function modelOfBoth(units: readonly Unit[]) {
  const [question, ...others] = units.map((unit) => unit.question);
  if (question === undefined) throw new Error('there are two');
  const answers = answersOf({ question, others }, units);
  if (answers === undefined) throw new Error('both have a result');
  return modelOf({ question, others }, answers);
}

const device = (hostname: string, chassisSerial = ''): Device => ({ hostname, chassisSerial, platform: '' });

test.each<[string, readonly Device[], readonly string[]]>([
  ['the short names of their hosts', [device('lb-a.x.example'), device('lb-b.x.example')], ['lb-a', 'lb-b']],
  [
    'the long ones, where the short ones are the same in any case',
    [device('lb-a.x.example', 'chs1001s'), device('LB-A.y.example', 'chs1002s')],
    ['lb-a.x.example', 'LB-A.y.example'],
  ],
  [
    'their serial numbers, where these are the same',
    [device('lb-a', 'CHS1001s'), device('LB-A', 'chs1002s')],
    ['CHS1001s', 'chs1002s'],
  ],
  [
    'an id, where a serial number is none',
    [device('lb-a', 'To Be Filled By O.E.M.'), device('LB-A', 'chs1002s')],
    ['1001', 'chs1002s'],
  ],
  ['their ids, where nothing else tells them apart', [device('lb-a'), device('LB-A')], ['1001', '1002']],
])('Several snapshots are called by %s', (_which, devices, names) => {
  expect(namedUnits(unitsOf(devices.map((each) => ({ device: each })))).map(({ name }) => name)).toEqual(
    names,
  );
});

test('Of several snapshots the numbers of checks that differ stand in their order', () => {
  const units = namedUnits(unitsOf([1_024, 247, 98].map((misses) => ({ stated: { hits: 0, misses } }))));
  expect(severalLines(units, undefined).map(({ text }) => text)).toContain('Checks differ (98, 247, 1,024)');
});

test.each([
  [0, '✓ No known issues found on both'],
  [3, 'No hits are listed on both'],
])('Of several snapshots that list no hits and state %i it is said: %s', (hits, said) => {
  const units = unitsOf([{ stated: { hits, misses: 9 } }, { stated: { hits: 0, misses: 9 } }]);
  expect(severalLines(namedUnits(units), modelOfBoth(units)).map(({ text }) => text)[0]).toBe(said);
});

describe('Of several snapshots that are read again', () => {
  const units = unitsOf([{}, {}]);
  const same = { new: [], changed: [], cleared: [], unchanged: [] };

  test.each([
    ['of both', [same, same], 'Nothing changed'],
    ['of one', [same, undefined], ''],
    ['of none', [], ''],
  ] as const)('what is said where it is known %s that nothing changed', (_which, changes, said) => {
    const since = changes.map((found, at) => ({ snapshotId: snapshotId(String(1001 + at)), at: 0, found }));
    expect(newsOf(since, modelOfBoth(units)).map(({ text }) => text)).toEqual([said]);
  });
});

test.each<[string, Pick<ViewState, 'filter' | 'search'>, DiagnosticSet, boolean]>([
  ['all', {}, 'all', true],
  ['hits', {}, 'hit', true],
  ['passed checks', {}, 'miss', false],
  ['what a filter lets through', { filter: { cve: 'with' } }, 'all', false],
  ['what a search finds', { search: ['tmm'] }, 'all', false],
])('Of two snapshots of one device %s: whether they are compared', (_which, asked, set, isCompared) => {
  const units = unitsOf([{}, {}]).map((unit): Unit => ({ ...unit, question: { ...unit.question, set } }));
  const { view, answers } = modelOfBoth(units);
  const state = { ...view, ...asked, page: 0, askedBy: 'U1', madeAt: 0, turn: 0 };
  expect(arranged(state, answers).state.before !== undefined).toBe(isCompared);
});

test.each([
  [false, [{ hit: aDiagnostic() }], {}, ' · 1 new since 900'],
  [true, [{ hit: aDiagnostic() }], {}, ''],
  [false, [], {}, ''],
  [false, [{ hit: aDiagnostic() }], { search: ['tmm'] }, ''],
])(
  'What changed since the last result of a device is said, unless that is newer or something is sought: %s',
  (isNewer, added, asked, end) => {
    const found = { new: added, changed: [], cleared: [], unchanged: [] };
    const question = { snapshotId: snapshotId('900'), set: 'all' } as const;
    const lastRead = { question, at: 0, isNewer, isOtherHost: false, found };
    const units = namedUnits(unitsOf([{}, {}]).map((unit): Unit => ({ ...unit, ...{ lastRead } })));
    const model = modelOfBoth(units);
    const lines = severalLines(units, { ...model, view: { ...model.view, ...asked } });
    const line = lines.find(({ text }) => text.startsWith('1001 · '));
    const state =
      end === '' && 'search' in asked ? 'Nothing matches in this analysis' : 'no checks are listed';
    expect(line?.text).toBe(`1001 · 17.1.3 · ${state}${end}`);
    // A list for a screen reader has no room for it.
    expect(line?.beside ?? line?.text).toBe(`1001 · 17.1.3 · ${state}`);
  },
);
