import { expect, test } from 'vitest';
import { viewMessage } from '../../../../src/slack/answer/view-message.ts';
import type { ViewState } from '../../../../src/slack/block-kit/action-values.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const HITS = Array.from({ length: 12 }, (_, at) =>
  aDiagnostic({
    name: `D${at}`,
    title: `Title ${at}`,
    importance: at === 0 ? 'CRITICAL' : 'LOW',
    fixedIn: ['17.1.4'],
  }),
);
const STATE: ViewState = {
  question: { snapshotId: snapshotId('1001'), set: 'hit' },
  ...{ page: 0, askedBy: 'U0ANA', madeAt: 0, turn: 0 },
};
const OTHERS: readonly Partial<ViewState>[] = [
  { askedBy: 'U0BEN', madeAt: 60_000 },
  { page: 1 },
  { filter: { levels: ['critical'] } },
  { question: { snapshotId: snapshotId('1002'), set: 'hit' } },
  { turn: 3 },
];
const LAST_READ = {
  question: { snapshotId: snapshotId('900'), set: 'hit' },
  at: 5,
  isNewer: false,
  isOtherHost: false,
  found: undefined,
} as const;

test('Whatever was drawn of a result before, each view of it reads as if it were the first', () => {
  const result = aResult(HITS);
  for (const changes of [{}, ...OTHERS, {}]) {
    const state = { ...STATE, ...changes };
    expect(viewMessage(state, { result, readAt: 0 })).toEqual(
      viewMessage(state, { result: aResult(HITS.map((hit) => ({ ...hit }))), readAt: 0 }),
    );
  }
  const withLast = viewMessage(STATE, { result, readAt: 0, lastRead: LAST_READ });
  expect(JSON.stringify(withLast)).toContain('of this device: 900');
  expect(JSON.stringify(viewMessage(STATE, { result, readAt: 0 }))).not.toContain('of this device');
});

test('Two who ask for the same get it each in their own name', () => {
  const result = aResult(HITS);
  const of = (askedBy: string) => JSON.stringify(viewMessage({ ...STATE, askedBy }, { result, readAt: 0 }));
  const [one, other] = [of('U0ANA'), of('U0BEN')];
  expect(one).toContain('asked by <@U0ANA>');
  expect(other).toContain('asked by <@U0BEN>');
  expect(other).not.toContain('U0ANA');
});
