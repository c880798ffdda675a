import { expect, test } from 'vitest';
import { drawnOnce } from '../../../../src/slack/answer/drawn-once.ts';
import { viewMessage } from '../../../../src/slack/answer/view-message.ts';
import type { ViewState } from '../../../../src/slack/blocks/action-values.ts';
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
  { askedBy: 'U0BEN' },
  { askedBy: 'U0BEN', madeAt: 60_000 },
  { askedBy: 'U0CHARLOTTE' },
  { threadTs: '1.2' },
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

const NO_CHANGES = { new: [], changed: [], cleared: [], unchanged: [] };

test('Whatever was drawn of a result before, each request for it gets what it asks for in its own name', () => {
  const draw = drawnOnce();
  const result = aResult(HITS);
  const lastReads = [
    undefined,
    LAST_READ,
    { ...LAST_READ, isNewer: true },
    { ...LAST_READ, found: NO_CHANGES },
  ];
  for (const changes of [{}, ...OTHERS, {}]) {
    for (const lastRead of lastReads) {
      const state = { ...STATE, ...changes };
      const more = { readAt: 0, ...(lastRead && { lastRead }) };
      const alone = viewMessage(state, { result: aResult(HITS.map((hit) => ({ ...hit }))), ...more });
      expect(draw(state, { result, ...more })).toEqual(alone);
      expect(JSON.stringify(draw(state, { result, ...more }))).toContain(`asked by <@${state.askedBy}>`);
    }
  }
});

test('What is drawn for one who waits for a result is drawn for all', () => {
  const draw = drawnOnce();
  const result = aResult(HITS);
  const [one, other] = ['U0ANA', 'U0BEN'].map((askedBy) =>
    draw({ ...STATE, askedBy }, { result, readAt: 0 }),
  );
  expect(other?.blocks[2]).toBe(one?.blocks[2]);
  expect(draw(STATE, { result: { ...result }, readAt: 0 }).blocks[2]).not.toBe(one?.blocks[2]);
});

test('A search, a comparison and several snapshots are drawn as if nothing had been drawn of the result', () => {
  const draw = drawnOnce();
  const result = aResult(HITS);
  const plain = draw(STATE, { result, readAt: 0 });
  const found = { matches: new Set(HITS.slice(0, 1)), verdicts: [] };
  const question = { snapshotId: snapshotId('900'), set: 'hit' } as const;
  const others = [
    [
      { ...STATE, search: ['title'] },
      { result, readAt: 0, found },
    ],
    [
      { ...STATE, before: question },
      { result, readAt: 0, before: { result, readAt: 0 } },
    ],
    [
      { ...STATE, others: [question] },
      { result, readAt: 0, units: [] },
    ],
  ] as const;
  for (const [state, answers] of others) {
    expect(draw(state, answers)).toEqual(viewMessage(state, answers));
    expect(draw(state, answers)).not.toEqual(plain);
  }
});
