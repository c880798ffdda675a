import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTooMuch, readSearch, searchText } from '../../../src/core/search-text.ts';
import { isSnapshotId } from '../../../src/core/snapshot-id.ts';
import { readState, stateValue } from '../../../src/slack/block-kit/action-values.ts';
import { hostileText } from '../../support/hostile-text.ts';

const SLACKS_LONGEST_BLOCK_ID = 255;

test.each([
  ['tmm core dump', ['tmm', 'core', 'dump']],
  ['tmm "core  dump"', ['tmm', 'core dump']],
  ['“core dump” «log»', ['core dump', 'log']],
  ['"core dump', ['core', 'dump']],
  ['cve-2026-10000, (k000100032)', ['CVE-2026-10000', 'K000100032']],
  ['/var/log/ltm 100% -v', ['/var/log/ltm', '100%', '-v']],
  ['core Core CÖRE', ['core']],
  ['""', []],
  ['   ', []],
  ['!!!', ['!!!']],
])('%j is read as %j', (text, expected) => {
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
        filter: { levels: ['critical', 'high', 'medium', 'low', 'other', 'unrated'], cve: 'without' },
        search,
        page: 9_999,
        askedBy: 'U0123456789A',
        madeAt: Date.UTC(2026, 10, 20),
        turn: 9_999,
      });
      expect(Buffer.byteLength(value)).toBeLessThanOrEqual(SLACKS_LONGEST_BLOCK_ID);
      expect(readState(value).search).toEqual(search);
    }),
    { numRuns: 500 },
  );
});
