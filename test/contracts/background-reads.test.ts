import { expect, test, vi } from 'vitest';
import { Precedence } from '../../src/core/time.ts';
import { readsInBackground } from '../../src/lookups/lookups.ts';
import { aResult } from '../support/a-diagnostic.ts';
import { snapshotId } from '../support/snapshot-id.ts';

type Ready = { readonly kind: 'ready' } & Awaited<
  ReturnType<Parameters<typeof readsInBackground>[0]['polls']['ask']>
>;

const FIRST_ID = 26_808_463;
const NOT_BEFORE = 7;
const READY: Ready = { kind: 'ready', result: aResult([]), readAt: 1 };

/**
 * Background reads in a process that may make `concurrency` requests at once. The service answers once `answers`
 * resolves.
 */
function backgroundReads(concurrency: number) {
  const state = { peopleWaiting: 0, answers: Promise.withResolvers<Ready>() };
  /** All events, in their order. */
  const events: string[] = [];
  const ask = (_question: unknown, notBefore: number) => {
    events.push(`request not before ${notBefore}`);
    return state.answers.promise;
  };
  const precedence = new Precedence();
  vi.spyOn(precedence, 'turn').mockImplementation(async () => void events.push('turn'));
  const waiting = () => state.peopleWaiting;
  const polls = { ask, holdBack: () => {} };
  const reads = readsInBackground({ polls, precedence, concurrency, waiting });
  let lastId = FIRST_ID;
  /** Each read is of another snapshot: a second read of the same snapshot would join the first. */
  const read = () => {
    lastId += 1;
    return reads.look({ snapshotId: snapshotId(String(lastId)), set: 'all' }, NOT_BEFORE);
  };
  const requests = () => events.filter((event) => event.startsWith('request')).length;
  return { state, events, read, requests };
}

test.for([
  { concurrency: 1, most: 1 },
  { concurrency: 19, most: 1 },
  { concurrency: 20, most: 2 },
  { concurrency: 64, most: 6 },
])(
  'With at most $concurrency requests at once, $most background reads run at a time',
  async ({ concurrency, most }) => {
    const { state, read, requests } = backgroundReads(concurrency);
    const all = Array.from({ length: most }, read);
    expect(await read()).toBeUndefined();
    await expect.poll(requests).toBe(most);
    const { resolve } = state.answers;
    state.answers = Promise.withResolvers();
    resolve(READY);
    expect(await Promise.all(all)).toEqual(all.map(() => READY));

    const failing = Array.from({ length: most }, read);
    expect(await read()).toBeUndefined();
    await expect.poll(requests).toBe(2 * most);
    const { reject } = state.answers;
    state.answers = Promise.withResolvers();
    reject(new Error('no answer'));
    for (const each of await Promise.allSettled(failing)) expect(each.status).toBe('rejected');

    const again = read();
    await expect.poll(requests).toBe(2 * most + 1);
    state.answers.resolve(READY);
    expect(await again).toEqual(READY);
  },
);

test('A background read lets acknowledgements go first, and limits the age of its answer', async () => {
  const { state, events, read } = backgroundReads(1);
  const running = read();
  await expect.poll(() => events).toHaveLength(2);
  state.answers.resolve(READY);
  await running;
  expect(events).toEqual(['turn', `request not before ${NOT_BEFORE}`]);
});

test('While a person’s request waits, no background read begins', async () => {
  const { state, read, requests } = backgroundReads(100);
  state.peopleWaiting = 1;
  expect(await read()).toBeUndefined();
  expect(requests()).toBe(0);
  state.peopleWaiting = 0;
  const running = read();
  await expect.poll(requests).toBe(1);
  state.answers.resolve(READY);
  expect(await running).toEqual(READY);
});
