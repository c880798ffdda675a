import { describe, expect, test } from 'vitest';
import type { Diagnostic, DiagnosticSet, StatedCounts } from '../../../../src/core/diagnostics.ts';
import { modelOf } from '../../../../src/slack/answer/result-model.ts';
import {
  findings,
  fixesLine,
  resultLines,
  summaryOf,
  upgradeLine,
} from '../../../../src/slack/answer/result-words.ts';
import type { View } from '../../../../src/slack/blocks/action-values.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const hit = (name: string, importance = 'HIGH') => aDiagnostic({ name, importance });
const CHECK = aDiagnostic({ name: 'C1', match: 'miss' });
const UNSTATED = aDiagnostic({ name: 'D9', isMatchUnstated: true });
const UPGRADE = { version: '17.1.4', branch: 'own', fixed: [], remaining: [] } as const;
const questionOf = (set: DiagnosticSet) => ({ snapshotId: snapshotId('1001'), set });

function modelFor(view: View, diagnostics: readonly Diagnostic[], stated: StatedCounts = {}) {
  return modelOf(view, { result: { ...aResult(diagnostics), stated }, readAt: 0 });
}

test('Where there is no room, two levels are named, and whether there are more', () => {
  const top = (...levels: string[]) =>
    summaryOf(
      modelFor(
        { question: questionOf('all') },
        levels.map((level) => hit(level, level)),
      ),
    ).top;
  expect(top('CRITICAL', 'HIGH')).toBe(' — 1 critical · 1 high');
  expect(top('CRITICAL', 'HIGH', 'LOW')).toBe(' — 1 critical · 1 high…');
});

test('A thread is told of what states no match beside passed checks, too', () => {
  const of = (...diagnostics: Diagnostic[]) => findings(questionOf('miss'), aResult(diagnostics));
  expect(of(UNSTATED)).toBe('no passed checks are listed, 1 with match not stated');
  expect(of(CHECK, UNSTATED)).toBe('1 check passed, 1 with match not stated');
});

test('A long device line is cut in the message alone, and not said beside it', () => {
  const device = { hostname: '', chassisSerial: 'chs1', platform: 'C'.repeat(200) };
  const model = modelOf({ question: questionOf('all') }, { result: { ...aResult([]), device }, readAt: 0 });
  const line = resultLines(model).find(({ text }) => text.startsWith('CCC'));
  expect(line).toEqual({
    text: `${'C'.repeat(119)}…`,
    beside: '',
    report: `${'C'.repeat(200)} · chs1 · Product 17.1.3`,
  });
});

test('A list of one page is searched by reading it', () => {
  const long = (set: DiagnosticSet, diagnostics: readonly Diagnostic[]) =>
    resultLines(modelFor({ question: questionOf(set) }, diagnostics))[0];
  const checks = (size: number) => Array.from({ length: size }, (_, at) => ({ ...CHECK, name: `C${at}` }));
  const some = 'Search or export this long list with ⋯.';
  expect(long('miss', checks(10))?.text).toBe('');
  expect(long('miss', checks(11))).toEqual({ text: some, beside: '', report: '' });
  expect(
    long(
      'all',
      Array.from({ length: 11 }, (_, at) => hit(`D${at}`)),
    )?.text,
  ).toBe('');
});

describe('What an upgrade fixes', () => {
  const fixed = { ...hit('D1', 'CRITICAL'), fixedIn: ['17.1.4'] };
  const said = (view: View) => upgradeLine(modelFor(view, [fixed, hit('D2')])).text;

  test('is said of the hits, to whoever does not filter', () => {
    const line = upgradeLine(modelFor({ question: questionOf('all') }, [fixed, hit('D2')]));
    expect(line).toMatchObject({
      text: '17.1.4 fixes 1 of 2 hits, the critical one',
      beside: '',
      report: '',
    });
    expect(line.short).toMatchObject([{ text: '17.1.4 fixes 1 hit, the critical one' }]);
    expect(said({ question: questionOf('miss') })).toBe('');
    expect(said({ question: questionOf('all'), filter: { levels: ['critical'] } })).toBe('');
    expect(upgradeLine(modelFor({ question: questionOf('all') }, [hit('D1')])).text).toBe('');
  });

  test.each([
    [0, 0, '17.1.4 fixes 1 of 1 hit'],
    [0, 1, '17.1.4 fixes 1 of 2 hits, not the critical one'],
    [0, 2, '17.1.4 fixes 1 of 3 hits, no critical one'],
    [1, 1, '17.1.4 fixes 2 of 2 hits, the critical one'],
    [1, 2, '17.1.4 fixes 2 of 3 hits, 1 of 2 critical'],
    [2, 2, '17.1.4 fixes 3 of 3 hits, both critical ones'],
    [3, 3, '17.1.4 fixes 4 of 4 hits, all 3 critical ones'],
  ])('says how many of the critical ones: %i of %i', (some, all, line) => {
    const critical = Array.from({ length: all }, (_, at) => hit(`C${at}`, 'CRITICAL'));
    const low = hit('L', 'LOW');
    const upgrade = { ...UPGRADE, fixed: [low, ...critical.slice(0, some)] };
    expect(fixesLine(upgrade, { hits: [low, ...critical] })).toBe(line);
  });

  test('is named in short without how many hits there are, and by a version of a bounded length', () => {
    const upgrade = { ...UPGRADE, version: '1'.repeat(40), fixed: [hit('D1')] };
    expect(fixesLine(upgrade, { hits: [hit('D1'), hit('D2')] }, true)).toBe(`${'1'.repeat(29)}… fixes 1 hit`);
  });
});
