import { expect, test } from 'vitest';
import type { DiagnosticSet, DiagnosticsResult, StatedCounts } from '../../src/core/diagnostics.ts';
import { countChecks, listsWholeSide, showsNoHits } from '../../src/core/importance.ts';
import { aDiagnostic, aResult } from '../support/a-diagnostic.ts';

type Listed = { readonly hits?: number; readonly misses?: number };

/** A document that lists these numbers of hits and misses, and states these counts. */
function listing({ hits = 0, misses = 0 }: Listed, stated: StatedCounts = {}): DiagnosticsResult {
  const diagnostics = [
    ...Array.from({ length: misses }, (_, index) => aDiagnostic({ name: `M${index}`, match: 'miss' })),
    ...Array.from({ length: hits }, (_, index) => aDiagnostic({ name: `H${index}`, importance: '' })),
  ];
  return { ...aResult(diagnostics), stated };
}

type Known = { hits?: number; misses?: number; checks?: number; isDisputed?: boolean };

/** Figures that the last column leaves out are unknown. */
const COUNTS: [what: string, asked: DiagnosticSet, listed: Listed, stated: StatedCounts, known: Known][] = [
  ['both sides listed', 'all', { hits: 2, misses: 3 }, {}, { hits: 2, misses: 3, checks: 5 }],
  [
    'both sides, stated',
    'all',
    { hits: 2, misses: 3 },
    { hits: 2, misses: 3 },
    { hits: 2, misses: 3, checks: 5 },
  ],
  ['only hits, nothing stated', 'all', { hits: 2 }, {}, { hits: 2 }],
  ['only hits, both stated', 'all', { hits: 2 }, { hits: 2, misses: 3 }, { hits: 2, misses: 3, checks: 5 }],
  ['the hits, nothing stated', 'hit', { hits: 2 }, {}, { hits: 2 }],
  ['the hits, both stated', 'hit', { hits: 2 }, { hits: 2, misses: 3 }, { hits: 2, misses: 3, checks: 5 }],
  ['the hits, only misses stated', 'hit', { hits: 2 }, { misses: 3 }, { hits: 2, misses: 3, checks: 5 }],
  ['some of the hits', 'hit', { hits: 2 }, { hits: 37, misses: 210 }, { hits: 2, isDisputed: true }],
  ['no hit of several', 'hit', {}, { hits: 3, misses: 9 }, { hits: 0, isDisputed: true }],
  [
    'some of both',
    'all',
    { hits: 2, misses: 3 },
    { hits: 2, misses: 4 },
    { hits: 2, misses: 3, isDisputed: true },
  ],
  ['an ignored filter', 'hit', { hits: 2, misses: 3 }, {}, { hits: 2, misses: 3, checks: 5 }],
  ['an ignored filter for misses', 'miss', { hits: 2, misses: 3 }, {}, { hits: 2, misses: 3, checks: 5 }],
  ['the misses, nothing stated', 'miss', { misses: 3 }, {}, { misses: 3 }],
  ['misses, both stated', 'miss', { misses: 3 }, { hits: 2, misses: 3 }, { hits: 2, misses: 3, checks: 5 }],
  ['some of the misses', 'miss', { misses: 3 }, { hits: 2, misses: 4 }, { misses: 3, isDisputed: true }],
  ['nothing', 'miss', {}, {}, { misses: 0 }],
];

test.each(COUNTS)(
  'Only provable counts are known: %s (asked for %s, listed %j, stated %j): %j',
  (_what, asked, listed, stated, known) => {
    const unknown = { hits: undefined, misses: undefined, checks: undefined, isDisputed: false };
    const counts = countChecks(listing(listed, stated), asked);
    expect(counts).toMatchObject({ ...unknown, ...known });
    expect(counts.stated).toEqual(stated);
  },
);

test('A diagnostic that states no match is counted among the hits, and also apart', () => {
  const whole = listing({ hits: 2, misses: 3 }, { hits: 2, misses: 3 });
  const unstated = { ...whole, diagnostics: [...whole.diagnostics, aDiagnostic({ isMatchUnstated: true })] };
  expect(countChecks(unstated, 'all')).toMatchObject({
    listed: { hits: 3, misses: 3 },
    isDisputed: true,
    unstated: 1,
  });
  expect(countChecks(whole, 'all').unstated).toBe(0);
  const onlyUnstated = {
    ...listing({}, { hits: 0 }),
    diagnostics: [aDiagnostic({ isMatchUnstated: true })],
  };
  expect(showsNoHits(onlyUnstated, 'hit')).toBe(false);
});

test.each<[asked: DiagnosticSet, listed: Listed, stated: StatedCounts, saysSo: boolean]>([
  ['hit', {}, {}, true],
  ['hit', {}, { hits: 0, misses: 9 }, true],
  ['hit', {}, { hits: 1 }, false],
  ['hit', {}, { hits: 0, misses: 0 }, false],
  ['hit', { hits: 1 }, {}, false],
  ['all', { misses: 5 }, {}, true],
  ['all', { misses: 5 }, { hits: 2 }, false],
  ['all', {}, {}, false],
  ['all', {}, { misses: 9 }, false],
  ['all', {}, { hits: 0 }, true],
  ['all', {}, { hits: 0, misses: 0 }, false],
  ['miss', { misses: 5 }, {}, false],
  ['miss', { misses: 5 }, { hits: 0 }, true],
])('“No hits” needs a proof: asked for %s, listed %j, stated %j: %j', (asked, listed, stated, saysSo) => {
  expect(showsNoHits(listing(listed, stated), asked)).toBe(saysSo);
});

test.each<[asked: DiagnosticSet, listed: Listed, stated: StatedCounts, isWhole: boolean]>([
  ['hit', {}, {}, true],
  ['hit', { hits: 2 }, {}, true],
  ['hit', { hits: 2 }, { hits: 2, misses: 9 }, true],
  ['hit', { hits: 2 }, { hits: 37 }, false],
  ['hit', {}, { hits: 3 }, false],
  ['all', { hits: 2 }, {}, true],
  ['all', { misses: 5 }, {}, true],
  ['all', { misses: 5 }, { misses: 6 }, true],
  ['all', {}, {}, false],
  ['all', {}, { misses: 0 }, false],
  ['all', {}, { hits: 0 }, true],
  ['all', {}, { hits: 1 }, false],
  ['miss', {}, {}, true],
  ['miss', { misses: 5 }, { hits: 3, misses: 5 }, true],
  ['miss', { misses: 5 }, { misses: 6 }, false],
  ['miss', { hits: 2, misses: 5 }, { hits: 3, misses: 5 }, true],
])(
  'A document that counts more than it lists is incomplete: asked for %s, listed %j, stated %j, whole: %j',
  (asked, listed, stated, isWhole) => {
    expect(listsWholeSide(listing(listed, stated), asked)).toBe(isWhole);
  },
);
