import { expect, test } from 'vitest';
import type { DiagnosticSet, DiagnosticsResult, StatedCounts } from '../../src/core/diagnostics.ts';
import { countChecks, listsWholeSide, showsNoHits } from '../../src/core/importance.ts';
import { aDiagnostic, aResult } from '../support/a-diagnostic.ts';

function result(hits: number, misses: number, stated: StatedCounts = {}): DiagnosticsResult {
  const diagnostics = [
    ...Array.from({ length: misses }, (_, index) => aDiagnostic({ name: `M${index}`, match: 'miss' })),
    ...Array.from({ length: hits }, (_, index) => aDiagnostic({ name: `H${index}`, importance: '' })),
  ];
  return { ...aResult(diagnostics), stated };
}

type Row = [
  what: string,
  set: DiagnosticSet,
  result: DiagnosticsResult,
  counts: { hits?: number; misses?: number; checks?: number; isDisputed?: boolean },
];

const rows: Row[] = [
  ['both sides listed', 'all', result(2, 3), { hits: 2, misses: 3, checks: 5 }],
  ['both sides, stated', 'all', result(2, 3, { hits: 2, misses: 3 }), { hits: 2, misses: 3, checks: 5 }],
  ['only hits, nothing stated', 'all', result(2, 0), { hits: 2 }],
  ['only hits, both stated', 'all', result(2, 0, { hits: 2, misses: 3 }), { hits: 2, misses: 3, checks: 5 }],
  ['the hits, nothing stated', 'hit', result(2, 0), { hits: 2 }],
  ['the hits, both stated', 'hit', result(2, 0, { hits: 2, misses: 3 }), { hits: 2, misses: 3, checks: 5 }],
  ['the hits, only misses stated', 'hit', result(2, 0, { misses: 3 }), { hits: 2, misses: 3 }],
  ['some of the hits', 'hit', result(2, 0, { hits: 37, misses: 210 }), { hits: 2, isDisputed: true }],
  ['no hit of several', 'hit', result(0, 0, { hits: 3, misses: 9 }), { hits: 0, isDisputed: true }],
  ['some of both', 'all', result(2, 3, { hits: 2, misses: 4 }), { hits: 2, misses: 3, isDisputed: true }],
  ['an ignored filter', 'hit', result(2, 3), { hits: 2, misses: 3, checks: 5 }],
  ['an ignored filter for misses', 'miss', result(2, 3), { hits: 2, misses: 3, checks: 5 }],
  ['the misses, nothing stated', 'miss', result(0, 3), { misses: 3 }],
  ['misses, both stated', 'miss', result(0, 3, { hits: 2, misses: 3 }), { hits: 2, misses: 3, checks: 5 }],
  ['some of the misses', 'miss', result(0, 3, { hits: 2, misses: 4 }), { misses: 3, isDisputed: true }],
  ['nothing', 'miss', result(0, 0), { misses: 0 }],
];

test.each(rows)(
  'Of %s, asked for %s, numbers that are not known stay undefined',
  (_, set, document, counts) => {
    const none = { hits: undefined, misses: undefined, checks: undefined, isDisputed: false };
    expect(countChecks(document, set)).toMatchObject({ ...none, ...counts });
    expect(countChecks(document, set).stated).toBe(document.stated);
  },
);

test('What states no match is counted as a hit, and apart', () => {
  const whole = result(2, 3, { hits: 2, misses: 3 });
  const unstated = { ...whole, diagnostics: [...whole.diagnostics, aDiagnostic({ isMatchUnstated: true })] };
  expect(countChecks(unstated, 'all')).toMatchObject({
    listed: { hits: 3, misses: 3 },
    isDisputed: true,
    unstated: 1,
  });
  expect(countChecks(whole, 'all').unstated).toBe(0);
  const onlyUnstated = {
    ...result(0, 0, { hits: 0 }),
    diagnostics: [aDiagnostic({ isMatchUnstated: true })],
  };
  expect(showsNoHits(onlyUnstated, 'hit')).toBe(false);
});

test.each<[set: DiagnosticSet, result: DiagnosticsResult, shows: boolean]>([
  ['hit', result(0, 0), true],
  ['hit', result(0, 0, { hits: 0, misses: 9 }), true],
  ['hit', result(0, 0, { hits: 1 }), false],
  ['hit', result(1, 0), false],
  ['all', result(0, 5), true],
  ['all', result(0, 5, { hits: 2 }), false],
  ['all', result(0, 0), false],
  ['all', result(0, 0, { misses: 9 }), false],
  ['all', result(0, 0, { hits: 0 }), true],
  ['miss', result(0, 5), false],
  ['miss', result(0, 5, { hits: 0 }), true],
])(
  'That nothing was found is said only where the document shows it (%s, case %#)',
  (set, document, shows) => {
    expect(showsNoHits(document, set)).toBe(shows);
  },
);

test.each<[set: DiagnosticSet, result: DiagnosticsResult, lists: boolean]>([
  ['hit', result(0, 0), true],
  ['hit', result(2, 0), true],
  ['hit', result(2, 0, { hits: 2, misses: 9 }), true],
  ['hit', result(2, 0, { hits: 37 }), false],
  ['hit', result(0, 0, { hits: 3 }), false],
  ['all', result(2, 0), true],
  ['all', result(0, 5), true],
  ['all', result(0, 5, { misses: 6 }), true],
  ['all', result(0, 0), false],
  ['all', result(0, 0, { misses: 0 }), false],
  ['all', result(0, 0, { hits: 0 }), true],
  ['all', result(0, 0, { hits: 1 }), false],
  ['miss', result(0, 0), true],
  ['miss', result(0, 5, { hits: 3, misses: 5 }), true],
  ['miss', result(0, 5, { misses: 6 }), false],
  ['miss', result(2, 5, { hits: 3, misses: 5 }), true],
])('Whether a document lists all of the side that it is about (%s, case %#)', (set, document, lists) => {
  expect(listsWholeSide(document, set)).toBe(lists);
});
