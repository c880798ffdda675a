import { expect, test } from 'vitest';
import { isSnapshotId } from '../../src/core/diagnostics.ts';
import { isTooMuch, readSearch, searchFor, searchText } from '../../src/core/searching.ts';
import { readState, stateValue } from '../../src/slack/blocks/action-values.ts';
import { fc } from '../support/fast-check.ts';
import { hostileText } from '../support/hostile-text.ts';

const SLACKS_LONGEST_BLOCK_ID = 255;

test.each([
  ['tmm core dump', ['tmm', 'core', 'dump']],
  ['tmm "core  dump"', ['tmm', 'core dump']],
  ['“core dump” «log»', ['core dump', 'log']],
  ['"core dump', ['core', 'dump']],
  ['cve-2026-10000, (k000100032)', ['CVE-2026-10000', 'K000100032']],
  ['/var/log/ltm 100% -v', ['/var/log/ltm', '100%', '-v']],
  ['c++ ($HOME, C:\\x\\)', ['c++', '$HOME', 'C:\\x\\']],
  ['core Core CÖRE', ['core']],
  ['""', []],
  ['   ', []],
  ['!!!', ['!!!']],
])('A search that is typed as %j looks for %j', (text, expected) => {
  expect(readSearch(text)).toEqual(expected);
});

test('Whatever is searched for reads back as itself, and fits the id of a block with the longest state', () => {
  const longest = '12345678901234567890';
  if (!isSnapshotId(longest)) throw new Error('not an id');
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), hostileText), (text) => {
      const search = readSearch(text);
      expect(readSearch(searchText(search))).toEqual(search);
      if (search.length === 0 || isTooMuch(search)) return;
      const value = stateValue({
        question: { snapshotId: longest, set: 'all' },
        side: 'hit',
        filter: { levels: ['critical', 'high', 'medium', 'low'], cve: 'exploited' },
        search,
        askedBy: 'U0123456789A',
        madeAt: Date.UTC(2026, 10, 20),
        turn: 9_999_999_999,
      });
      expect(Buffer.byteLength(value)).toBeLessThanOrEqual(SLACKS_LONGEST_BLOCK_ID);
      expect(readState(value)).toMatchObject({ search, side: 'hit', question: { set: 'all' } });
    }),
    { numRuns: 500 },
  );
});

test.each([
  [[' core '], ['core']],
  [['core"dump'], ['core dump']],
  [['core\u0000dump'], ['core dump']],
  // Invisible characters don't change a word.
  [['core', '\u00ad core'], ['core']],
  [['\u00ad', '\u00ad \u00ad'], []],
])('The words %j are searched for as %j', (typed, expected) => {
  expect(searchFor(typed)).toEqual(expected);
});

test.each([
  [['core'], 'core'],
  [['core dump', 'log'], '“core dump” log'],
  [['(core)', '!!!'], '“(core)” !!!'],
])('%j is written as %s', (search, text) => {
  expect(searchText(search)).toBe(text);
});

test('A search of more than 74 bytes of JSON is too much', () => {
  expect([71, 72, 73].map((length) => isTooMuch(['x'.repeat(length)]))).toEqual([false, false, true]);
  expect([35, 36, 37].map((length) => isTooMuch(['é'.repeat(length)]))).toEqual([false, false, true]);
});
