import { describe, expect, test, vi } from 'vitest';
import type { Asked } from '../../../../src/core/lookup.ts';
import { WaitingMessages } from '../../../../src/slack/delivery/own-messages.ts';
import { aStore } from '../../../support/embedded.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const HERE = { channel: 'C1', user: 'U1' };
const NAMED = { ...HERE, messageTs: '1.1' };
const QUESTION = { snapshotId: snapshotId('26808463'), set: 'all' as const };
const ASKED: Asked = { question: QUESTION };

function waiting() {
  const clock = { now: 1_000_000 };
  const store = aStore(() => clock.now);
  const messages = new WaitingMessages(store.namespace('waiting-messages'));
  const stored = () => Array.fromAsync(store.namespace('waiting-messages').entries());
  return { clock, messages, stored };
}

test('Whoever asks the same there is pointed to the message that waits, until it is over', async () => {
  const { messages, clock } = waiting();
  expect(await messages.find(HERE, ASKED)).toBeUndefined();
  await messages.begin(NAMED, ASKED, 'one', 60_000);
  expect(await messages.find({ ...HERE, user: 'U2' }, ASKED)).toEqual({
    channel: 'C1',
    ts: '1.1',
    lookupId: 'one',
  });
  clock.now += 59_999;
  expect(await messages.find(HERE, ASKED)).toBeDefined();
  clock.now += 1;
  expect(await messages.find(HERE, ASKED)).toBeUndefined();
});

test('No message is registered for a wait that is over already', async () => {
  const { messages, stored, clock } = waiting();
  await messages.begin(NAMED, ASKED, 'one', 0);
  await messages.begin(NAMED, ASKED, 'one', -5);
  clock.now -= 10;
  expect(await stored()).toEqual([]);
});

test.each<[string, Partial<typeof HERE & { threadTs: string }>, Partial<Asked>]>([
  ['another channel', { channel: 'C2' }, {}],
  ['a thread', { threadTs: '0.5' }, {}],
  ['another snapshot', {}, { question: { ...QUESTION, snapshotId: snapshotId('1') } }],
  ['another side', {}, { question: { ...QUESTION, set: 'hit' } }],
  ['a comparison', {}, { before: QUESTION }],
  ['a comparison with what was read last', {}, { againstLast: true }],
  ['a filter', {}, { filter: { cve: 'with' } }],
  ['a search', {}, { search: ['tmm'] }],
  ['a search of one side', {}, { search: ['tmm'], side: 'hit' }],
])('%s is not the same', async (_what, there, asked) => {
  const { messages } = waiting();
  await messages.begin(NAMED, ASKED, 'one', 60_000);
  expect(await messages.find({ ...HERE, ...there }, { ...ASKED, ...asked })).toBeUndefined();
});

test('A search of one side is not the same as one of the other, or of both', async () => {
  const { messages, stored } = waiting();
  const search = ['tmm'];
  for (const side of ['hit', 'miss', undefined] as const) {
    await messages.begin(NAMED, { ...ASKED, search, ...(side && { side }) }, side ?? 'both', 60_000);
  }
  const found = await messages.find(HERE, { ...ASKED, search, side: 'miss' });
  expect([found?.lookupId, (await stored()).length]).toEqual(['miss', 3]);
});

describe('The end of a lookup', () => {
  test('of which no message waits any more takes nothing away', async () => {
    const { messages, stored } = waiting();
    await messages.end(NAMED, ASKED, 'one');
    expect(await stored()).toEqual([]);
  });

  test('takes its message away', async () => {
    const { messages } = waiting();
    await messages.begin(NAMED, ASKED, 'one', 60_000);
    await messages.end(NAMED, ASKED, 'one');
    expect(await messages.find(HERE, ASKED)).toBeUndefined();
  });

  test('leaves the message of another one that waits for the same', async () => {
    const { messages } = waiting();
    await messages.begin(NAMED, ASKED, 'one', 60_000);
    await messages.end(NAMED, ASKED, 'two');
    expect(await messages.find(HERE, ASKED)).toMatchObject({ lookupId: 'one' });
  });
});

describe('A message that is being posted', () => {
  test('is waited for until Slack has named it', async () => {
    const { messages } = waiting();
    await messages.begin(HERE, ASKED, 'one', 60_000);
    const finding = messages.find(HERE, ASKED);
    await messages.begin(NAMED, ASKED, 'one', 60_000);
    expect(await finding).toMatchObject({ ts: '1.1' });
  });

  test('is waited for for a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const { messages } = waiting();
    await messages.begin(HERE, ASKED, 'one', 60_000);
    const outcomes: unknown[] = [];
    void messages.find(HERE, ASKED).then((found) => outcomes.push(found));
    await vi.advanceTimersByTimeAsync(999);
    expect(outcomes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(outcomes).toEqual([undefined]);
    vi.useRealTimers();
  });

  test.each([
    [60_000, 10_000],
    [5_000, 5_000],
  ])('in a wait of %i ms is registered for %i without its name', async (waitMs, keptMs) => {
    const { messages, clock, stored } = waiting();
    await messages.begin(HERE, ASKED, 'one', waitMs);
    clock.now += keptMs - 1;
    expect(await stored()).toEqual([[expect.any(String), { channel: 'C1', lookupId: 'one' }]]);
    clock.now += 1;
    expect(await stored()).toEqual([]);
  });
});
