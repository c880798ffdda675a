import { describe, expect, test, vi } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostics.ts';
import type { Answers } from '../../src/lookups/lookup-status.ts';
import { readDocument } from '../../src/service/document.ts';
import { viewMessage } from '../../src/slack/answer/message-for.ts';
import { modelOf, type ShownHit } from '../../src/slack/answer/result-model.ts';
import type { View, ViewState } from '../../src/slack/block-kit/action-values.ts';
import { documentXml, type SnapshotDocument } from '../emulators/diagnostics-service/document.ts';
import {
  documentAfterUpgrade,
  documentBeforeUpgrade,
  realisticDocument,
} from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { snapshotId } from '../support/snapshot-id.ts';

const ALL: View = { question: { snapshotId: snapshotId('26808463'), set: 'all' } };
const COMPARED: View = {
  question: { snapshotId: snapshotId('1011'), set: 'hit' },
  before: { snapshotId: snapshotId('1010'), set: 'hit' },
};

function read(document: SnapshotDocument) {
  return { result: readDocument(documentXml(document)), readAt: 0 };
}

/** How often each diagnostic took part in a sort while `work` was done, by name. */
function sortsDuring(work: () => void): Map<string, number> {
  const counts = new Map<string, number>();
  const note = (sorted: readonly unknown[]) => {
    for (const each of sorted) {
      const { diagnostic = each } = each as { diagnostic?: unknown };
      const { name, output } = diagnostic as Partial<Diagnostic>;
      if (name !== undefined && output !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  };
  const { sort, toSorted } = Array.prototype;
  const spies = [
    vi.spyOn(Array.prototype, 'sort').mockImplementation(function (this: unknown[], compare) {
      note(this);
      return sort.call(this, compare);
    }),
    vi.spyOn(Array.prototype, 'toSorted').mockImplementation(function (this: unknown[], compare) {
      note(this);
      return toSorted.call(this, compare);
    }),
  ];
  try {
    work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return counts;
}

function stateOf(view: View): ViewState {
  return { ...view, page: 0, askedBy: 'U0ANA', madeAt: 0, beforeMadeAt: 0, turn: 0 };
}

describe('a drawing of a result', () => {
  const single: Answers = read(realisticDocument());
  const compared: Answers = { ...read(documentAfterUpgrade()), before: read(documentBeforeUpgrade()) };

  test.each([
    ['a result', stateOf(ALL), single],
    ['a filtered result', stateOf({ ...ALL, filter: { levels: ['high'], cve: 'with' } }), single],
    ['a comparison', stateOf(COMPARED), compared],
  ])('sorts each hit once: %s', (_what, state, answers) => {
    // What was sorted once stays so: here it is new.
    const fresh = { ...answers, result: { ...answers.result } };
    const counts = sortsDuring(() => viewMessage(state, fresh));
    const { all } = modelOf(state, answers);
    expect(counts.size).toBe(new Set(all.map(({ hit }) => hit.name)).size);
    expect(new Set(counts.values())).toEqual(new Set([1]));
  });

  test('shows what its filter lets through, and knows everything that it is about', () => {
    const { all, shown } = modelOf({ ...ALL, filter: { levels: ['critical'] } }, single);
    expect(all.length).toBe(37);
    expect(shown).toEqual(all.filter(({ hit }) => hit.importance === 'CRITICAL'));
    expect(shown.length).toBeGreaterThan(0);
  });

  test('of a comparison leaves the unchanged hits out until they are asked for', () => {
    const { all, shown, comparison } = modelOf(COMPARED, compared);
    expect(new Set(shown.map(({ change }) => change))).not.toContain('unchanged');
    const unchanged = modelOf({ ...COMPARED, show: 'unchanged' }, compared).shown;
    expect(unchanged.length).toBe(comparison?.unchanged.length);
    expect(all.length).toBe(shown.length + unchanged.length);
  });

  test('lists every diagnostic that it shows on exactly one page', () => {
    const { listed, pages, shown } = modelOf(ALL, single);
    expect(listed.map(({ hit }) => hit)).toEqual(shown.map(({ hit }) => hit));
    expect(pages.map(({ count }) => count)).toEqual([3, 5, 5, 5, 5, 5, 5, 4]);
    expect(pages.flatMap(({ first, count }) => listed.slice(first, first + count))).toEqual(listed);
  });

  test('lists cleared hits and passed checks as lines, eight to the first page, until the cleared hits are asked for', () => {
    const formsOf = (view: View) =>
      Object.groupBy(modelOf(view, compared).listed, ({ form }) => form) as Record<string, ShownHit[]>;
    const { line, blocks } = formsOf(COMPARED);
    expect(new Set(line?.map(({ change }) => change))).toEqual(new Set(['cleared']));
    expect(blocks?.some(({ change }) => change === 'cleared')).toBe(false);
    expect(formsOf({ ...COMPARED, show: 'cleared' }).line).toBeUndefined();
    const passed = modelOf({ question: { ...ALL.question, set: 'miss' } }, single);
    expect(new Set(passed.listed.map(({ form }) => form))).toEqual(new Set(['line']));
    expect(passed.pages[0]).toEqual({ first: 0, count: 8 });
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
