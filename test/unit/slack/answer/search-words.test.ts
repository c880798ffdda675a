import { describe, expect, test } from 'vitest';
import type { Acceptance } from '../../../../src/core/comparing.ts';
import type { Diagnostic } from '../../../../src/core/diagnostics.ts';
import type { Found, Verdict } from '../../../../src/core/searching.ts';
import { answersOf, type Unit } from '../../../../src/lookups/lookup-status.ts';
import { modelOf } from '../../../../src/slack/answer/result-model.ts';
import { searchLines } from '../../../../src/slack/answer/search-words.ts';
import { severalLines } from '../../../../src/slack/answer/several-words.ts';
import type { View } from '../../../../src/slack/blocks/action-values.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const CVE = 'CVE-2026-10000';
const hit = (name: string, importance = 'HIGH') => aDiagnostic({ name, importance });
const check = (name: string) => aDiagnostic({ name, match: 'miss' });
const _UNSTATED = aDiagnostic({ name: 'D9', isMatchUnstated: true });
const questionOf = (at: number) => ({ snapshotId: snapshotId(String(1001 + at)), set: 'all' as const });
const verdictOf = (outcome: Verdict['outcome'], more: Partial<Verdict> = {}): Verdict => ({
  ...{ id: CVE, outcome, saidBy: [] },
  ...more,
});

function linesOf(listed: readonly Diagnostic[], found: Found, view: Partial<View> = {}) {
  const answers = { result: aResult(listed), readAt: 0, found };
  return searchLines(modelOf({ question: questionOf(0), search: [CVE], ...view }, answers));
}

describe('The verdict on an id', () => {
  const said = (verdict: Verdict) => linesOf([], { matches: new Set(), verdicts: [verdict] })[0]?.text;

  test('does not repeat the id as the name of what says it, and shortens levels in words of their own', () => {
    const own = hit('D000000001', 'A level in very many words of its own');
    expect(said(verdictOf('hit', { id: 'D000000001', saidBy: [own] }))).toBe(
      'Hit: D000000001 (a level in very many wo…)',
    );
  });

  test('names two clues, each in short', () => {
    const clues = ['c'.repeat(50), '2', '3'];
    expect(said(verdictOf('perhaps', { clues, saidBy: [hit('D1')] }))).toBe(
      `Not written out: ${CVE}, but “${'c'.repeat(39)}…” or “2” stands in D1`,
    );
  });

  test('is cut in the message, and whole beside it and in reports', () => {
    const saidBy = ['a', 'b', 'c'].map((name) => hit(name.repeat(90), 'A level in very many words'));
    const [line] = linesOf([], { matches: new Set(), verdicts: [verdictOf('hit', { saidBy })] });
    expect(line?.text.length).toBeLessThanOrEqual(200);
    expect(line?.text).toMatch(/…$/);
    expect(line?.beside).toMatch(/very many wo…\)$/);
    expect(line?.report).toBe(line?.beside);
  });
});

type Of = {
  readonly listed: readonly Diagnostic[];
  readonly verdicts?: readonly Verdict[];
  readonly readTo?: number;
};

/** The lines of the snapshots `a`, `b`, … in each of which this was found; undefined: one without a result. */
function several(
  units: readonly (Of | undefined)[],
  view: Partial<View> = {},
  accepted: readonly Acceptance[] = [],
) {
  const made = units.map((of, at): Unit => {
    const question = questionOf(at);
    if (of === undefined) return { kind: 'failed', why: 'forbidden', question };
    const { listed, verdicts = [], readTo } = of;
    const device = { hostname: 'abcd'.charAt(at), chassisSerial: '', platform: '' };
    const result = { ...aResult(listed), device, ...(readTo !== undefined && { readTo }) };
    const found = { matches: new Set(listed), verdicts };
    return { kind: 'ready', question, readAt: 0, result, found, accepted };
  });
  const asked = { question: questionOf(0), others: made.slice(1).map(({ question }) => question) };
  const answers = answersOf(asked, made);
  if (answers === undefined) throw new Error('none has a result');
  const model = modelOf({ ...asked, search: ['core'], ...view }, answers);
  return severalLines(model.units ?? [], model).map(({ text }) => text);
}

describe('Of several snapshots a search says', () => {
  const _ABSENT = [verdictOf('absent')];

  test('which have hits that say the words', () => {
    expect(several([{ listed: [hit('D1')] }, { listed: [] }])[0]).toBe('“core”: hit on 1 of 2 (a)');
    expect(several([{ listed: [hit('D1')] }, undefined])[0]).toBe('“core”: hit on 1 of 2 (a)');
    expect(several([{ listed: [] }, { listed: [] }])[0]).toBe('“core”: no hit');
    expect(several([{ listed: [] }, { listed: [] }, undefined])[0]).toBe(
      '“core”: no hit on the 2 with a result',
    );
  });

  test('the same of passed checks, where these are listed', () => {
    const both = [{ listed: [check('C1')] }, { listed: [check('C1')] }];
    expect(several(both, { side: 'miss' })[0]).toBe('“core”: found on both');
    expect(several([{ listed: [] }, { listed: [] }], { side: 'miss' })[0]).toBe('“core”: no passed check');
    const passed = both.map((each) => ({ ...each, verdicts: [verdictOf('passed')] }));
    const lines = several(passed, { side: 'miss', search: [CVE, 'core'] });
    expect(lines.slice(0, 2)).toEqual([
      `${CVE}: checked, not a hit on both`,
      '1 passed check together with “core”',
    ]);
  });

  test('once how many of the hits are accepted, behind the last id', () => {
    const accepted: Acceptance = {
      ...{ name: 'D1', importance: 'HIGH', user: 'U1', userName: 'ana', reason: 'booked', at: 0, until: 9 },
      ...{ snapshotId: questionOf(0).snapshotId, host: '' },
    };
    const verdicts = [verdictOf('hit'), verdictOf('absent', { id: 'K000100032' })];
    const of = { listed: [hit('D1')], verdicts };
    expect(several([of, of], { search: [CVE, 'K000100032'] }, [accepted]).slice(0, 2)).toEqual([
      `${CVE}: hit on both`,
      'K000100032: not mentioned on both; 1 accepted',
    ]);
  });
});
