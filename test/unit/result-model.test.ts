import { describe, expect, test } from 'vitest';
import type { Answers } from '../../src/lookups/lookup-status.ts';
import { readDocument } from '../../src/service/document.ts';
import { modelOf } from '../../src/slack/answer/result-model.ts';
import type { ShownHit } from '../../src/slack/answer/rows.ts';
import type { View } from '../../src/slack/block-kit/action-values.ts';
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
