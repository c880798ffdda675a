import { expect, test } from 'vitest';
import type { DiagnosticsResult, StatedCounts } from '../../../src/core/diagnostics.ts';
import type { Question } from '../../../src/core/lookup.ts';
import { changesSince, HitSummaries } from '../../../src/lookups/hit-summaries.ts';
import { aDiagnostic, aResult } from '../../support/a-diagnostic.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const ALL: Question = { snapshotId: snapshotId('2001'), set: 'all' };
const HITS: Question = { ...ALL, set: 'hit' };
const MISSES: Question = { ...ALL, set: 'miss' };

/** An analysis that lists these as hits, and those that begin with P as passed. */
function listing(names: readonly string[], stated: StatedCounts = {}): DiagnosticsResult {
  const diagnostics = names.map((name) =>
    aDiagnostic({ name, match: name.startsWith('P') ? 'miss' : 'hit' }),
  );
  return { ...aResult(diagnostics), stated };
}

/** What changed from the first to the second: `new: D2; cleared: D1`. */
async function changed(question: Question, first: DiagnosticsResult, second: DiagnosticsResult) {
  const summaries = new HitSummaries(new MemoryStore().namespace('hit-summaries'), 1_000);
  await summaries.keep(question, first, 7);
  const found = changesSince(await summaries.find(question, 7), question, second);
  const names = (side: 'new' | 'cleared') => found?.[side].map(({ hit }) => hit.name).join(' ');
  return found && `new: ${names('new')}; cleared: ${names('cleared')}`;
}

test.each<[what: string, Question, DiagnosticsResult, DiagnosticsResult, string | undefined]>([
  ['two lists', ALL, listing(['D1', 'P1']), listing(['D2', 'P1']), 'new: D2; cleared: D1'],
  ['a list of passed checks only', ALL, listing(['D1']), listing(['P1']), 'new: ; cleared: D1'],
  ['an empty list of hits', HITS, listing(['D1']), listing([]), 'new: ; cleared: D1'],
  ['an empty list that nobody counted', ALL, listing(['D1']), listing([]), undefined],
  ['an empty list after which hits are listed', ALL, listing([]), listing(['D1']), undefined],
  ['a list of some of the hits', HITS, listing(['D1']), listing(['D2'], { hits: 37 }), undefined],
  ['a list after one of some of the hits', HITS, listing(['D1'], { hits: 37 }), listing(['D2']), undefined],
  ['passed checks', MISSES, listing(['P1', 'D1']), listing(['P2']), 'new: P2; cleared: P1'],
  ['some of the passed checks', MISSES, listing(['P1']), listing(['P2'], { misses: 9 }), undefined],
])(
  'Of %s only what both documents show is called a change',
  async (_what, question, first, second, expected) => {
    expect(await changed(question, first, second)).toBe(expected);
  },
);

test('Without an earlier summary no change is known', async () => {
  expect(changesSince(undefined, ALL, listing(['D1']))).toBeUndefined();
});
