import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostics.ts';
import type { Answers, Unit } from '../../src/lookups/lookup-status.ts';
import { readDocument } from '../../src/service/document.ts';
import { canBeFollowed, indexIn, isOfOne, modelOf } from '../../src/slack/answer/result-model.ts';
import type { ShownHit } from '../../src/slack/answer/rows.ts';
import { nameInValue, type View } from '../../src/slack/blocks/action-values.ts';
import { documentXml, type SnapshotDocument } from '../emulators/diagnostics-service/document.ts';
import {
  documentAfterUpgrade,
  documentBeforeUpgrade,
  realisticDocument,
} from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { aDiagnostic, aResult } from '../support/a-diagnostic.ts';
import { snapshotId } from '../support/snapshot-id.ts';

const ALL: View = { question: { snapshotId: snapshotId('26808463'), set: 'all' } };
const COMPARED: View = {
  question: { snapshotId: snapshotId('1011'), set: 'hit' },
  before: { snapshotId: snapshotId('1010'), set: 'hit' },
};

function read(document: SnapshotDocument) {
  return { result: readDocument(documentXml(document)), readAt: 0 };
}

describe('a drawing of a result', () => {
  const single: Answers = read(realisticDocument());
  const compared: Answers = { ...read(documentAfterUpgrade()), before: read(documentBeforeUpgrade()) };

  test('shows what its filter lets through, and knows everything that it is about', () => {
    const { all, shown } = modelOf({ ...ALL, filter: { levels: ['critical'] } }, single);
    expect(all.length).toBe(37);
    expect(shown).toEqual(all.filter(({ hit }) => hit.importance === 'CRITICAL'));
    expect(shown.length).toBeGreaterThan(0);
  });

  test('of a comparison leaves the unchanged hits out until they are asked for', () => {
    const { all, shown } = modelOf(COMPARED, compared);
    expect(new Set(shown.map(({ kind }) => kind))).not.toContain('unchanged');
    const unchanged = modelOf({ ...COMPARED, show: 'unchanged' }, compared).shown;
    expect(unchanged).toEqual(all.filter(({ kind }) => kind === 'unchanged'));
    expect(all.length).toBe(shown.length + unchanged.length);
  });

  test('lists every diagnostic that it shows on exactly one page', () => {
    const { listed, pages, shown } = modelOf(ALL, single);
    expect(listed.map(({ hit }) => hit)).toEqual(shown.map(({ hit }) => hit));
    expect(pages.map(({ count }) => count)).toEqual([3, 5, 5, 5, 5, 5, 5, 4]);
    expect(pages.flatMap(({ first, count }) => listed.slice(first, first + count))).toEqual(listed);
  });

  test('lists cleared hits and passed checks as lines, as many as fit a page, until the cleared hits are asked for', () => {
    const formsOf = (view: View) =>
      Object.groupBy(modelOf(view, compared).listed, ({ form }) => form) as Record<string, ShownHit[]>;
    const { line, blocks } = formsOf(COMPARED);
    expect(new Set(line?.map(({ kind }) => kind))).toEqual(new Set(['cleared']));
    expect(blocks?.some(({ kind }) => kind === 'cleared')).toBe(false);
    expect(formsOf({ ...COMPARED, show: 'cleared' }).line).toBeUndefined();
    const passed = modelOf({ question: { ...ALL.question, set: 'miss' } }, single);
    expect(new Set(passed.listed.map(({ form }) => form))).toEqual(new Set(['line']));
    expect(passed.pages.slice(0, 3).map(({ count }) => count)).toEqual([10, 10, 10]);
  });

  test('counts the document, and what is shown and hidden of it', () => {
    const { counts } = modelOf({ ...ALL, filter: { levels: ['critical'] } }, single);
    expect(counts).toMatchObject({ all: 37, shown: 2, hidden: 35, isClear: false });
    expect(counts.checks.listed).toEqual({ hits: 37, misses: 210 });
    expect(counts.levels.map(({ level, count }) => [level.key, count])).toEqual([
      ['CRITICAL', 2],
      ['HIGH', 11],
      ['MEDIUM', 16],
      ['LOW', 8],
    ]);
  });
});

const hit = (name: string, importance = 'HIGH') => aDiagnostic({ name, importance });
const check = (name: string) => aDiagnostic({ name, match: 'miss' });
const _unstated = (name: string) => aDiagnostic({ name, isMatchUnstated: true });
const HITS: View = { question: { ...ALL.question, set: 'hit' } };
const MISSES: View = { question: { ...ALL.question, set: 'miss' } };
const of = (view: View, ...diagnostics: Diagnostic[]) =>
  modelOf(view, { result: aResult(diagnostics), readAt: 0 });
const many = <T>(size: number, make: (name: string) => T) =>
  Array.from({ length: size }, (_, at) => make(`D${at}`));
const _namesIn = ({ all }: { readonly all: readonly ShownHit[] }) => all.map((each) => each.hit.name);

describe('The pages of a result', () => {
  const sizes = ({ pages }: { readonly pages: readonly { readonly count: number }[] }) =>
    pages.map(({ count }) => count);
  const several = (size: number, view: View, diagnostics: readonly Diagnostic[]) => {
    const result = aResult(diagnostics);
    const question = { ...view.question };
    const units = many(size, (): Unit => ({ kind: 'ready', question, result, readAt: 0 }));
    return sizes(modelOf(view, { result, readAt: 0, units }));
  };

  test('hold more after the first, and the first fewer below five snapshots than below four', () => {
    expect([4, 5].map((size) => several(size, ALL, many(12, hit)))).toEqual([
      [3, 5, 4],
      [2, 5, 5],
    ]);
    expect([4, 5].map((size) => several(size, MISSES, many(22, check)))).toEqual([
      [10, 10, 2],
      [7, 10, 5],
    ]);
    const before = { result: aResult(many(22, hit)), readAt: 0 };
    expect(sizes(modelOf(COMPARED, { result: aResult([]), readAt: 1, before }))).toEqual([7, 10, 5]);
  });

  test('of a search list the hits before the passed checks', () => {
    const [found, passed] = [hit('D1'), check('D2')];
    const matches = new Set([found, passed]);
    const answers = { result: aResult([passed, found]), readAt: 0, found: { matches, verdicts: [] } };
    const model = modelOf({ ...ALL, search: ['x'] }, answers);
    expect(model.listed.map((each) => each.hit)).toEqual([found, passed]);
    expect([isOfOne(model), canBeFollowed(model)]).toEqual([true, true]);
  });
});

test('A result of hits can be followed, and nothing else', () => {
  expect(canBeFollowed(of(HITS, hit('D1')))).toBe(true);
  expect(canBeFollowed(of(MISSES, check('D1')))).toBe(false);
  const read = { result: aResult([hit('D1')]), readAt: 0 };
  expect(canBeFollowed(modelOf(COMPARED, { ...read, before: read }))).toBe(false);
});

test('A filter is for hits, and hides no passed check', () => {
  expect(of({ ...MISSES, filter: { levels: ['low'] } }, check('D1')).shown).toHaveLength(1);
});

test('A hit is where its button says, else where its name is, of any length', () => {
  const long = 'D'.repeat(100);
  const { shown } = of(HITS, hit('D1'), hit('D2'), hit('D1'), hit(long));
  expect(indexIn(shown, { hit: 2, name: 'D1' })).toBe(2);
  expect(indexIn(shown, { hit: 0, name: 'D2' })).toBe(1);
  expect(indexIn(shown, { hit: 9, name: nameInValue(long) })).toBe(3);
  expect(indexIn(shown, { hit: 0, name: 'D3' })).toBe(-1);
});

test('The host of most links is that of all hits, whatever is shown of them', () => {
  const at = (host: string, importance: string) =>
    aDiagnostic({ importance, solutions: [{ url: `https://${host}/K1` }] });
  const hits = [at('a.example', 'LOW'), at('b.example', 'HIGH'), at('a.example', 'LOW')];
  expect(of({ ...ALL, filter: { levels: ['high'] } }, ...hits).usualHost).toBe('a.example');
});

test('An empty list shows that there are no hits if these were asked for, and counts the side that was', () => {
  expect([of(HITS), of(ALL)].map(({ counts }) => counts.isClear)).toEqual([true, false]);
  expect([of(HITS), of(MISSES)].map(({ counts }) => counts.checks.listed)).toEqual([
    { hits: 0, misses: undefined },
    { hits: undefined, misses: 0 },
  ]);
});
