import { expect, test } from 'vitest';
import { search } from '../../src/core/searching.ts';
import { modelOf } from '../../src/slack/answer/result-model.ts';
import { anyResult } from '../support/any-result.ts';
import { pagesOf } from '../support/every-page.ts';
import { fc } from '../support/fast-check.ts';
import { listed, numbered, numberOf } from '../support/numbered-titles.ts';
import { SHRINKING } from '../support/shrinking.ts';
import { snapshotId } from '../support/snapshot-id.ts';

test('Whatever a document holds, what a search finds is shown whole, in messages that Slack takes', async () => {
  const sought = fc.constantFrom(
    ['D000162521'],
    ['a'],
    ['CVE-2026-10000', 'K000162521', 'e'],
    ['no such thing'],
  );
  await fc.assert(
    fc.asyncProperty(anyResult, sought, async (document, terms) => {
      const result = numbered(document);
      const view = { question: { snapshotId: snapshotId('26808463'), set: 'all' }, search: terms } as const;
      const answers = {
        result,
        readAt: Date.UTC(2026, 10, 20),
        found: await search(result.diagnostics, terms),
      };
      const pages = pagesOf(view, answers);
      const { passed = [] } = modelOf(view, answers);
      expect(listed(pages)).toEqual(passed.map(numberOf));
    }),
    { numRuns: 60, ...SHRINKING },
  );
});
