import { describe, expect, test } from 'vitest';
import type { Acceptance } from '../../../../src/core/comparing.ts';
import type { Device, Diagnostic, DiagnosticsResult } from '../../../../src/core/diagnostics.ts';
import type { Found, Verdict } from '../../../../src/core/searching.ts';
import { comparisonLines, deviceLines } from '../../../../src/slack/answer/comparison-words.ts';
import { filterLine } from '../../../../src/slack/answer/filter.ts';
import { becameOf, cellOf } from '../../../../src/slack/answer/hit-notes.ts';
import { modelOf } from '../../../../src/slack/answer/result-model.ts';
import { findings, summaryOf } from '../../../../src/slack/answer/result-words.ts';
import { searchLines } from '../../../../src/slack/answer/search-words.ts';
import { viewMessage } from '../../../../src/slack/answer/view-message.ts';
import type { ViewState } from '../../../../src/slack/blocks/action-values.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { choicesOf } from '../../../support/clicking.ts';
import { textsOf } from '../../../support/message-parts.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const [LATER, EARLIER] = [snapshotId('26808463'), snapshotId('26808400')];
const STATE: ViewState = {
  question: { snapshotId: LATER, set: 'all' },
  ...{ page: 0, askedBy: 'U1', madeAt: 0, turn: 0 },
};
const COMPARED: ViewState = { ...STATE, before: { snapshotId: EARLIER, set: 'all' } };

const hit = (name: string, importance = 'HIGH') => aDiagnostic({ name, importance });
const check = (name: string) => aDiagnostic({ name, match: 'miss' });
const modelFor = (diagnostics: readonly Diagnostic[], state = STATE) =>
  modelOf(state, { result: aResult(diagnostics), readAt: 0 });

/** The lines of a comparison. */
function compared(before: readonly Diagnostic[], after: readonly Diagnostic[]): string[] {
  const was = { result: aResult(before), readAt: 0 };
  const model = modelOf(COMPARED, { result: aResult(after), readAt: 1, before: was });
  return comparisonLines(model).map(({ text }) => text);
}

test('Where a filter shows nothing of what a search found, nothing is said of the other hits', () => {
  const [critical, other] = [hit('D1', 'CRITICAL'), hit('D2')];
  const state: ViewState = { ...STATE, search: ['core'], filter: { levels: ['critical'] } };
  const found = { matches: new Set([other]), verdicts: [] };
  const model = modelOf(state, { result: aResult([critical, other]), readAt: 0, found });
  expect(filterLine(model).text).toBe(
    'There are no critical hits among these: the filter hides the only one',
  );
});

function firstLine(
  asked: Partial<ViewState>,
  listed: readonly Diagnostic[],
  found: Found,
): string | undefined {
  const model = modelOf({ ...STATE, ...asked }, { result: aResult(listed), readAt: 0, found });
  return searchLines(model)[0]?.text;
}

describe('A search says', () => {
  const said = ['D1', 'D2', 'D3', 'D4', 'D5'].map((name) => hit(name));
  const line = (outcome: Verdict['outcome'], names: number) =>
    firstLine({ search: ['CVE-2026-1'] }, said, {
      matches: new Set(),
      verdicts: [{ id: 'CVE-2026-1', outcome, saidBy: said.slice(0, names), clues: ['1'] }],
    });

  test('of an id only what the analysis says', () => {
    expect(line('hit', 2)).toBe('Hit: CVE-2026-1 (D1, high; D2, high)');
    expect(line('hit', 3)).toBe('Hit: CVE-2026-1 (D1, high; D2, high; D3, high)');
    expect(line('passed', 5)).toBe('Checked, not a hit: CVE-2026-1 (D1; D2; D3 and 2 more)');
    expect(line('mentioned', 1)).toBe('No check for CVE-2026-1 is listed: only the text of D1 mentions it');
    expect(line('perhaps', 1)).toBe('Not written out: CVE-2026-1, but “1” stands in D1');
    expect(line('absent', 0)).toBe('Not mentioned in this analysis: CVE-2026-1');
  });

  const all = [hit('D1'), hit('D2'), check('D3'), check('D4'), check('D5')];
  const found = (matching: readonly Diagnostic[], changes: Partial<ViewState>, listed = all) =>
    firstLine({ search: ['core', 'dump'], ...changes }, listed, { matches: new Set(matching), verdicts: [] });

  test('of ids which side is listed, and of ids with words what was found', () => {
    const everything = 'Searched 5 checks (2 hits, 3 passed)';
    const ids = { search: ['D000000001', 'K1234'] };
    expect(found(all, ids)).toBe(everything);
    expect(found(all, { ...ids, side: 'hit' })).toBe(`${everything}; only hits are listed`);
    expect(found(all, { ...ids, side: 'miss' })).toBe(`${everything}; only passed checks are listed`);
    expect(found(all.slice(0, 1), { search: ['K1234', 'core'] })).toMatch(
      /^K1234 together with “core”: found in 1 of 2/,
    );
    expect(found([], { search: ['core', 'K1234', 'D000000001', 'dump'] })).toBe(
      'Nothing matches K1234 D000000001 together with “core” “dump” in 5 checks (2 hits, 3 passed)',
    );
  });
});

test('A search in a part of the analysis says that it is a part', () => {
  const state: ViewState = { ...STATE, search: ['CVE-2026-10001'] };
  const absent: Verdict = { id: 'CVE-2026-10001', outcome: 'absent', saidBy: [] };
  const textFor = (stated: DiagnosticsResult['stated']) => {
    const result = { ...aResult([hit('D1'), check('D2')]), stated };
    const found = { matches: new Set<Diagnostic>(), verdicts: [absent] };
    return viewMessage(state, { result, readAt: 0, found }).text;
  };
  expect(textFor({ hits: 37, misses: 210 })).toContain(
    'The service counts 37 hits in 247 checks but sent 1 hit and 1 passed check.',
  );
  expect(textFor({ hits: 1, misses: 1 })).not.toContain('The service counts');
});

describe('A comparison says', () => {
  const device: Device = { hostname: 'edge-7', chassisSerial: 'chs777', platform: 'C117' };
  const software = { product: 'Product', version: '17.1.3', edition: '', built: '' };
  const lines = (
    was: Partial<Device>,
    is: Partial<Device>,
    versions: readonly string[] = ['17.1.3', '17.1.3'],
  ) => {
    const of = (changes: Partial<Device>, version = '') => ({
      ...aResult([]),
      ...{ device: { ...device, ...changes }, software: { ...software, version } },
    });
    const before = { result: of(was, versions[0]), readAt: 0 };
    return deviceLines({ result: of(is, versions[1]), readAt: 1, before });
  };

  test('nothing of versions that are not known', () => {
    const none = { ...aResult([]), software: { ...software, product: '', version: '' } };
    const nobody = { ...none, device: { hostname: '', chassisSerial: '', platform: '' } };
    const both = { result: nobody, readAt: 0, before: { result: nobody, readAt: 0 } };
    expect(deviceLines(both)).toEqual(['Not known whether both are of one device']);
    const one = { ...both, before: { result: aResult([]), readAt: 0 } };
    expect(deviceLines(one).at(-1)).toBe('After: unknown');
  });

  test('both versions, and of one product its name once', () => {
    expect(lines({}, {})[1]).toBe('Same version: Product 17.1.3');
    expect(lines({}, {}, ['17.1.3', '17.5.0'])[1]).toBe('Product 17.1.3 → 17.5.0');
    const other = lines({ chassisSerial: '' }, { hostname: '' }, ['17.1.3', '17.5.0']);
    expect(other[0]).toBe('Not known whether both are of one device');
    expect(other.slice(1).map((line) => /^(Before|After): .*Product 17\.\d\.\d$/.exec(line)?.[1])).toEqual([
      'Before',
      'After',
    ]);
    const of = (product: string) => ({ ...aResult([]), device, software: { ...software, product } });
    const renamed = { result: of('Other'), readAt: 1, before: { result: of('Product'), readAt: 0 } };
    expect(deviceLines(renamed)[1]).toBe('Product 17.1.3 → Other 17.1.3');
  });

  test('which kind it lists, also where there is none of it any more', () => {
    const same = { result: aResult([hit('D1')]), readAt: 0 };
    const { blocks } = viewMessage({ ...COMPARED, show: 'new' }, { ...same, before: same });
    expect(textsOf(blocks, 'plain_text')).toContain('Show: new');
    expect([...choicesOf({ blocks }, 'show').keys()]).toEqual([
      'All changes (0)',
      'New (0)',
      'Unchanged (1)',
    ]);
  });

  test('what became of a hit', () => {
    const of = (before: readonly Diagnostic[], after: readonly Diagnostic[]) => {
      const was = { result: aResult(before), readAt: 0 };
      const model = modelOf(COMPARED, { result: aResult(after), readAt: 1, before: was });
      return model.all.map((shown) => becameOf(shown, model));
    };
    expect(of([], [hit('D1')])).toEqual(['New in snapshot 26808463']);
    expect(of([hit('D1', 'LOW')], [hit('D1')])).toEqual([
      expect.stringMatching(/^Rated differently \(was .*Low\)$/),
    ]);
    expect(of([hit('D1')], [check('D2')])).toEqual(['Cleared (was in snapshot 26808400)']);
    expect(of([hit('D1')], [hit('D1')])).toEqual(['Unchanged']);
    const alone = modelFor([hit('D1')]);
    expect(alone.all.map((shown) => becameOf(shown, alone))).toEqual(['']);
  });

  test('how many are rated higher and lower, and of which levels the others are', () => {
    const before = ['LOW', 'LOW', 'HIGH', 'LOW'].map((level, at) => hit(`D${at}`, level));
    const raised = [hit('D0', 'HIGH'), hit('D1', 'CRITICAL')];
    const lowered = [hit('D2', 'LOW')];
    const [, , two, three] = before;
    const said = (after: readonly Diagnostic[]) => compared(before, after)[0];
    expect(said([...raised, ...lowered, ...before.slice(3)])).toBe(
      'Nothing new · 3 rated differently (2 raised, 1 lowered) · 1 unchanged',
    );
    expect(said([...raised, ...before.slice(2)])).toBe(
      'Nothing new · 2 rated differently (2 raised) · 2 unchanged',
    );
    expect(said([...before.slice(0, 2), ...lowered, ...before.slice(3)])).toContain(
      '1 rated differently (1 lowered)',
    );
    expect(said([two, three].flatMap((each) => each ?? []))).toContain('2 cleared (2 low)');
    const added = ['CRITICAL', 'HIGH', 'LOW'].map((level, at) => hit(`N${at}`, level));
    expect(said([...before, ...added])).toMatch(/^3 new \(1 critical, 1 high …\)/);
    expect(said([...before, ...added.slice(1)])).toMatch(/^2 new \(1 high, 1 low\)/);
  });

  test('nothing of higher or lower where nobody knows the place of a level', () => {
    const before = [hit('D1', 'LOW'), hit('D2', ''), hit('D3', 'Severe'), hit('D4', 'LOW')];
    const after = [hit('D1', 'Severe'), hit('D2', 'LOW'), hit('D3', ''), hit('D4', 'HIGH')];
    expect(compared(before, after)[0]).toBe('Nothing new · 4 rated differently (1 raised)');
  });
});

describe('What was accepted counts', () => {
  const accepting = ({ name, importance }: Diagnostic): Acceptance => ({
    ...{ name, importance, user: 'U1', userName: 'ana', reason: 'booked', snapshotId: LATER, host: '' },
    ...{ at: 0, until: Date.UTC(2026, 11, 20) },
  });

  test('for a hit as its own device rates it', () => {
    const [low, critical] = [hit('D1', 'LOW'), hit('D1', 'CRITICAL')];
    const said = (accepted: Diagnostic) => {
      const read = { result: aResult([low]), readAt: 0, accepted: [accepting(accepted)] };
      return cellOf({ kind: 'ready', question: STATE.question, ...read }, low, critical);
    };
    expect(said(low)).toBe('hit, Low, accepted by ana until 2026-12-20: booked');
    expect(said(critical)).toBe('hit, Low');
  });

  test('in a comparison for what is still there', () => {
    const [gone, still, other] = [hit('D1'), hit('D2'), hit('D3')];
    const before = { result: aResult([gone, still, other]), readAt: 0 };
    const read = { result: aResult([still, other]), readAt: 1, accepted: [gone, still].map(accepting) };
    const lines = comparisonLines(modelOf(COMPARED, { ...read, before })).map(({ text }) => text);
    expect(lines).toContain('3 hits before, 2 after (1 accepted)');
  });
});

describe('One line says of a result', () => {
  test.each([
    [
      'eight levels',
      Array.from({ length: 10 }, (_, at) => hit(`D${at}`, `Level ${at}`)),
      ' · 2 of other levels',
    ],
    ['eight levels whole', Array.from({ length: 8 }, (_, at) => hit(`D${at}`, `Level ${at}`)), 'level 7'],
  ])('%s', (_what, hits, end) => {
    expect(summaryOf(modelFor(hits)).plain.toLowerCase().endsWith(end)).toBe(true);
  });

  test('that no passed checks are listed, and how many passed', () => {
    const state: ViewState = { ...STATE, question: { ...STATE.question, set: 'miss' } };
    expect(summaryOf(modelFor([], state)).bold).toBe('No passed checks are listed.');
    expect(summaryOf(modelFor([check('D1')], state)).bold).toBe('✓ 1 check passed');
  });

  test('for a thread, its counts alone', () => {
    const of = (diagnostics: readonly Diagnostic[]) => findings(STATE.question, aResult(diagnostics));
    expect(of([hit('D1'), hit('D2', 'CRITICAL'), check('D3')])).toBe('2 hits, 1 critical');
    expect(of([hit('D1')])).toBe('1 hit');
    expect(of([check('D1')])).toBe('no known issues found');
    expect(of([])).toBe('no checks are listed');
  });

  test('for a thread, of which part the counts are', () => {
    const of = (set: 'all' | 'hit' | 'miss', diagnostics: readonly Diagnostic[], stated = {}) =>
      findings({ ...STATE.question, set }, { ...aResult(diagnostics), stated });
    expect(of('hit', [hit('D1'), hit('D2', 'CRITICAL')], { hits: 37 })).toBe(
      '2 hits, 1 critical (the service counts 37)',
    );
    expect(of('all', [check('D1')], { hits: 3 })).toBe('0 hits (the service counts 3)');
    expect(of('hit', [], { hits: 3 })).toBe('0 hits (the service counts 3)');
    expect(of('hit', [hit('D1')], { hits: 1, misses: 9 })).toBe('1 hit');
    expect(of('miss', [check('D1'), hit('D2')])).toBe('1 check passed');
    expect(of('miss', [check('D1')], { misses: 1_210 })).toBe('1 check passed (the service counts 1,210)');
    expect(of('miss', [])).toBe('no passed checks are listed');
    expect(of('miss', [], { misses: 9 })).toBe('0 checks passed (the service counts 9)');
  });
});
