import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/core/diagnostics.ts';
import { viewMessage } from '../../../../src/slack/answer/view-message.ts';
import type { ViewState } from '../../../../src/slack/block-kit/action-values.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { textsOf } from '../../../support/message-parts.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

/** What the message says of hits like these, a line for each paragraph. */
function said(...hits: Partial<Diagnostic>[]): string {
  const state: ViewState = {
    question: { snapshotId: snapshotId('1001'), set: 'hit' },
    ...{ page: 0, askedBy: 'U0ANA', madeAt: 0, turn: 0 },
  };
  const result = aResult(
    hits.map((each, at) => aDiagnostic({ name: `D${at}`, title: `Title ${at}`, ...each })),
  );
  return textsOf(viewMessage(state, { result, readAt: 0 }).blocks, 'text').join('\n');
}

const LONG = `Move ${'every virtual server of the group, one after another, '.repeat(5)}to the other device.`;

test('A sentence of more than 160 characters stays whole where the page has room for it', () => {
  expect(LONG.length).toBeGreaterThan(240);
  const text = said({ action: `${LONG} Then restart.` });
  expect(text).toContain(LONG);
  expect(text).not.toContain('…');
});

test('The summary of a critical hit without an action stays whole too', () => {
  expect(said({ importance: 'CRITICAL', summary: LONG })).toContain(LONG);
});

test('Where the sentences of five hits are too long for a phone, they are cut after a word, with an ellipsis', () => {
  const text = said(...Array.from({ length: 5 }, () => ({ action: LONG.repeat(2) })));
  expect(text).toMatch(/\w…/);
  expect(text).not.toContain(LONG);
});

test('A text ends at a sentence where one fits, however short that sentence is', () => {
  const text = said({ action: `Reboot. ${LONG.repeat(3).replaceAll('.', ',')}` });
  expect(text).toContain('Reboot.');
  expect(text).not.toContain('…');
});
