import { expect, test } from 'vitest';
import type { DiagnosticSet, StatedCounts } from '../../../../src/core/diagnostics.ts';
import type { Answers } from '../../../../src/lookups/lookup-status.ts';
import { viewMessage } from '../../../../src/slack/answer/view-message.ts';
import type { ViewState } from '../../../../src/slack/blocks/action-values.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { fileOf } from '../../../support/file-of.ts';
import { textsOf } from '../../../support/message-parts.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

type Document = { readonly names: readonly string[]; readonly stated?: StatedCounts };

function compared(before: Document, after: Document, set: DiagnosticSet): [ViewState, Answers] {
  const [earlier, later] = [before, after].map(({ names, stated = {} }) => ({
    result: { ...aResult(names.map((name) => aDiagnostic({ name }))), stated },
    readAt: 0,
  }));
  if (earlier === undefined || later === undefined) throw new Error('two documents');
  const view: ViewState = {
    question: { snapshotId: snapshotId('1011'), set },
    before: { snapshotId: snapshotId('1010'), set },
    ...{ page: 0, askedBy: 'U0ANA', madeAt: 0, beforeMadeAt: 0, turn: 0 },
  };
  return [view, { ...later, before: earlier }];
}

/** Everything that is said of a comparison, in its message and in its exports. */
async function said(before: Document, after: Document, set: DiagnosticSet = 'hit'): Promise<string> {
  const [view, answers] = compared(before, after, set);
  const exports: string[] = [];
  for (const choice of ['csv', 'case'] as const) {
    exports.push(await fileOf(view, answers, choice));
  }
  const { text, blocks } = viewMessage(view, answers);
  return [text, ...textsOf(blocks, 'text'), ...textsOf(blocks, 'plain_text'), ...exports].join('\n');
}

test('A comparison says when the older of its two readings was made', () => {
  const document = { names: ['D1'] };
  const [view, answers] = compared(document, document, 'hit');
  const footer = (readAt: number, before: number) => {
    const read = { ...answers, readAt, before: { ...answers, readAt: before } };
    return textsOf(
      viewMessage({ ...view, madeAt: readAt, beforeMadeAt: before }, read).blocks,
      'mrkdwn',
    ).join();
  };
  const [older, newer] = [60_000, 3_600_000];
  for (const both of [footer(older, newer), footer(newer, older)]) {
    expect(both).toContain('read <!date^60^{time}|');
    expect(both).not.toContain('^3600^');
  }
});

const GONE = /cleared|no longer found/i;

test.each<[what: string, set: DiagnosticSet, after: Document, why: string]>([
  ['nothing, uncounted', 'all', { names: [] }, 'Snapshot 1011: No checks are listed.'],
  [
    'none of three',
    'hit',
    { names: [], stated: { hits: 3 } },
    'Snapshot 1011: The service counts 3 hits but sent 0 hits.',
  ],
  [
    'one of three',
    'hit',
    { names: ['D2'], stated: { hits: 3 } },
    'Snapshot 1011: The service counts 3 hits but sent 1 hit.',
  ],
])('A hit is not called cleared because a document lists %s', async (_what, set, after, why) => {
  const all = await said({ names: ['D1'] }, after, set);
  expect(all).not.toMatch(GONE);
  expect(all).toContain('1 no longer listed');
  expect(all).toContain('? No longer listed (was in 1010) · 1');
  expect(all).toMatch(/\d\. High, no longer checked: /);
  expect(all).toContain('"no longer checked"');
  expect(all).not.toContain('✓');
  expect(all).not.toContain('Nothing new');
  expect(all).toContain('1 hit listed before, ');
  expect(all).toContain(`${why} Hits that are no longer listed may still be there.`);
});

test('Where the earlier document does not list all its hits, what is new is doubted', async () => {
  const all = await said({ names: ['D1'], stated: { hits: 9 } }, { names: ['D1', 'D2'] });
  expect(all).toContain('1 new');
  expect(all).toContain(
    'Snapshot 1010: The service counts 9 hits but sent 1 hit. New hits may have been there before.',
  );
});

test('Two documents that list nothing do not show that there are no hits', async () => {
  expect(await said({ names: [] }, { names: [] }, 'all')).toContain('No hits are listed in either snapshot');
  expect(await said({ names: [] }, { names: [] })).toContain('✓ No hits in either snapshot');
});

test('A document that lists all its hits shows what is cleared', async () => {
  const all = await said({ names: ['D1'] }, { names: [], stated: { hits: 0 } });
  expect(all).toContain('1 cleared');
  expect(all).toContain('1. High, cleared: D1');
  expect(all).not.toMatch(/may still be|may have been|no longer listed/i);
});
