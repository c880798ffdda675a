import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/core/diagnostics.ts';
import { PHONE } from '../../../../src/slack/answer/fitting.ts';
import { laidHit, saidWithin } from '../../../../src/slack/answer/laid-hit.ts';
import { aDiagnostic } from '../../../support/a-diagnostic.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const VIEW = { question: { snapshotId: snapshotId('1001'), set: 'hit' as const } };
const LONG = 'word '.repeat(90);
const TEXT = 'said '.repeat(90);

/** How much is said of hits like these in so many lines, without what nothing is said of. */
function shownOf(hits: readonly Partial<Diagnostic>[], lines: number): string[] {
  const laid = hits.map((said, index) => {
    const hit = aDiagnostic(said);
    return laidHit(
      { hit, index, view: VIEW, note: '', usualHost: undefined, cells: [{ name: '', cell: hit }] },
      PHONE,
    );
  });
  return saidWithin(laid, lines).map(({ shown }) =>
    Object.entries(shown)
      .flatMap(([what, size]) => (size > 0 ? `${what} ${size}` : []))
      .join(', '),
  );
}

/** Each version takes a line of its own, and each other text more lines than are shown of it. */
const texts = { title: LONG, output: ['a.crt'], fixedIn: ['1', '2', '3'].map((at) => at.repeat(25)) };
const [critical, high, unhelped] = [
  { ...texts, importance: 'CRITICAL', action: TEXT },
  { ...texts, action: TEXT },
  { ...texts, summary: TEXT },
];

test.each([
  [0, 'title 1, action 4', 'title 1, action 2', 'title 1', 'title 1'],
  [24, 'title 1, action 8', 'title 1, action 8', 'title 1', 'title 1'],
  [26, 'title 2, action 8', 'title 2, action 8', 'title 1', 'title 1'],
  [30, 'title 2, action 8, facts 1', 'title 2, action 8, facts 1', 'title 1, facts 1', 'title 1, facts 1'],
  [32, 'title 2, action 8, facts 1', 'title 2, action 8, facts 1', 'title 2, facts 1', 'title 2, facts 1'],
  [
    34,
    'title 2, action 8, facts 1',
    'title 2, action 8, facts 1',
    'title 2, action 2, facts 1',
    'title 2, facts 1',
  ],
  [
    42,
    'title 2, action 8, facts 3',
    'title 2, action 8, facts 3',
    'title 2, action 2, facts 3',
    'title 2, facts 3',
  ],
  [
    44,
    'title 2, action 8, facts 3',
    'title 2, action 8, facts 3',
    'title 2, action 2, facts 3',
    'title 2, summary 2, facts 3',
  ],
  [
    48,
    'title 3, action 8, facts 3',
    'title 3, action 8, facts 3',
    'title 3, action 2, facts 3',
    'title 3, summary 2, facts 3',
  ],
  [
    54,
    'title 3, action 8, facts 3',
    'title 3, action 8, facts 3',
    'title 3, action 8, facts 3',
    'title 3, summary 2, facts 3',
  ],
  [
    58,
    'title 3, action 8, facts 3, evidence 1',
    'title 3, action 8, facts 3, evidence 1',
    'title 3, action 8, facts 3, evidence 1',
    'title 3, summary 2, facts 3, evidence 1',
  ],
])('In %i lines hits say what is worth most', (lines, ...shown) => {
  expect(shownOf([critical, critical, high, unhelped], lines)).toEqual(shown);
});

test('What takes no further line is said also where the least takes more lines than there are', () => {
  expect(shownOf([{ importance: 'CRITICAL', action: 'Restart.', fixedIn: ['17.1.4'] }], 0)).toEqual([
    'title 1, action 4, facts 1',
  ]);
});
