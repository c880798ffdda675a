import { expect, test, vi } from 'vitest';
import { Precedence } from '../../src/core/event-loop.ts';
import type { Question } from '../../src/core/lookup.ts';
import { readsInBackground } from '../../src/lookups/lookups.ts';
import { aResult } from '../support/a-diagnostic.ts';
import { snapshotId } from '../support/snapshot-id.ts';

type Ready = { readonly kind: 'ready' } & Awaited<
  ReturnType<Parameters<typeof readsInBackground>[0]['polls']['look']>
>;

const FIRST_ID = 26_808_463;

/** Reads that last until `answer` or `fail` is called; `started` counts them. */
function reading(concurrency: number) {
  const state = { waiting: 0, started: 0 };
  const done: unknown[] = [];
  let settled = Promise.withResolvers<Ready>();
  const look = (question: Question, notBefore: number) => {
    state.started += 1;
    done.push([question, notBefore]);
    return settled.promise;
  };
  const precedence = new Precedence();
  vi.spyOn(precedence, 'turn').mockImplementation(async () => void done.push('turn'));
  const options = { polls: { look }, precedence, concurrency };
  const reads = readsInBackground({ ...options, waiting: () => state.waiting });
  const end = (by: 'resolve' | 'reject') => {
    const { resolve, reject } = settled;
    settled = Promise.withResolvers();
    if (by === 'resolve') resolve({ kind: 'ready', result: aResult([]), readAt: 1 });
    else reject(new Error('no answer'));
  };
  // Each time of another snapshot: one of the same would join what runs.
  let asked = 0;
  const question = (): Question => ({ snapshotId: snapshotId(String(FIRST_ID + asked++)), set: 'all' });
  return { state, done, look: () => reads.look(question(), 7), end };
}

test.each([
  [1, 1],
  [19, 1],
  [20, 2],
  [64, 6],
])(
  'Of %i requests at once, %i are for nobody who waits; an end, good or bad, makes room',
  async (concurrency, most) => {
    const { state, look, end } = reading(concurrency);
    for (const by of ['resolve', 'reject'] as const) {
      state.started = 0;
      const running = Array.from({ length: most }, look);
      expect(await look()).toBeUndefined();
      await expect.poll(() => state.started).toBe(most);
      end(by);
      const outcomes = await Promise.allSettled(running);
      expect(outcomes.map(({ status }) => status)).toEqual(
        running.map(() => (by === 'resolve' ? 'fulfilled' : 'rejected')),
      );
    }
  },
);

test('Acknowledgements go first, and what was read before the time that is named is not enough', async () => {
  const { done, look, end } = reading(1);
  const running = look();
  await expect.poll(() => done).toHaveLength(2);
  end('resolve');
  await running;
  expect(done).toEqual(['turn', [expect.anything(), 7]]);
});

test('While a person waits for their turn, nothing is read for nobody', async () => {
  const { state, look, end } = reading(100);
  state.waiting = 1;
  expect([await look(), state.started]).toEqual([undefined, 0]);
  state.waiting = 0;
  const running = look();
  await expect.poll(() => state.started).toBe(1);
  end('resolve');
  expect(await running).toMatchObject({ kind: 'ready' });
});
