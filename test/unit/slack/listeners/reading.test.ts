import { expect, test } from 'vitest';
import type { Question } from '../../../../src/core/lookup.ts';
import { cachedAnswers, readAnswers } from '../../../../src/slack/front/reading.ts';
import { sinceMade } from '../../../../src/slack/front/show-result.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { NONE_ACCEPTED } from '../../../support/listening.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

type Context = Parameters<typeof readAnswers>[1];

const QUESTION: Question = { snapshotId: snapshotId('26808463'), set: 'all' };
const BEFORE: Question = { snapshotId: snapshotId('26808400'), set: 'all' };
const LAST = { question: BEFORE, at: 1, found: undefined };

/** Both snapshots are ready, but for the one that is processed again; the device has been read before. */
function reading(processed?: Question) {
  const asked: string[] = [];
  const paid: number[] = [];
  const read = (how: string) => async (question: Question, asking?: () => void) => {
    asked.push(`${how} ${question.snapshotId}`);
    // The cache has one of the two.
    if (question !== BEFORE) asking?.();
    return question === processed
      ? { kind: 'processing' }
      : { kind: 'ready', result: aResult([]), readAt: 7 };
  };
  const lookups = { read: read('read'), readAnew: read('anew'), cached: read('cached') };
  const history = {
    record: async ({ snapshotId: id }: Question) => {
      asked.push(`record ${id}`);
      return LAST;
    },
  };
  const fairShare = { takeMore: (count: number) => void paid.push(count) };
  return {
    asked,
    paid,
    context: { lookups, history, fairShare, acceptances: NONE_ACCEPTED } as unknown as Context,
  };
}

test.each([
  ['a comparison, which is of two already', { question: QUESTION, before: BEFORE }],
  ['a search, which asks for something else', { question: QUESTION, search: ['one'] }],
])('The earlier result is not named for %s', async (_what, view) => {
  const { asked, context } = reading();
  const answers = await readAnswers(view, context, 'anew');
  expect(answers).toMatchObject({ readAt: 7 });
  expect(answers).not.toHaveProperty('lastRead');
  expect(asked.at(-1)).toBe('record 26808463');
  expect(asked).toContain('anew 26808463');
});

test.each([QUESTION, BEFORE])(
  'There are no answers while one of two is processed again',
  async (processed) => {
    const { asked, context } = reading(processed);
    expect(await readAnswers({ question: QUESTION, before: BEFORE }, context)).toBeUndefined();
    expect(asked.filter((what) => what.startsWith('record'))).toEqual([]);
  },
);

test('The delivery has paid for the first request; each further one costs the person one more', async () => {
  const other = { ...QUESTION, snapshotId: snapshotId('26808470') };
  for (const [view, how, expected] of [
    [{ question: QUESTION }, 'anew', []],
    [{ question: QUESTION, others: [BEFORE, other] }, 'anew', [1, 1]],
    [{ question: QUESTION, others: [BEFORE, other] }, 'cached', [1]],
    [{ question: BEFORE }, 'cached', []],
  ] as const) {
    const { paid, context } = reading();
    await readAnswers(view, context, how);
    expect(paid, JSON.stringify([view, how])).toEqual(expected);
  }
});

test('From the cache alone one snapshot or two are read, and no several, which take long even there', async () => {
  const { asked, context } = reading();
  expect(await cachedAnswers({ question: QUESTION, others: [BEFORE] }, context)).toBeUndefined();
  expect(asked).toEqual([]);
  expect(await cachedAnswers({ question: QUESTION, before: BEFORE }, context)).toBeDefined();
});

test.each(['hit', 'miss'] as const)(
  'A file of several has the texts of the side %s as they stand',
  async (set) => {
    const output = ['x'.repeat(5_000)];
    const result = aResult([aDiagnostic({ match: 'hit', output }), aDiagnostic({ match: 'miss', output })]);
    const { context } = reading();
    const read = async () => ({ kind: 'ready', result, readAt: 7 });
    const view = { question: { ...QUESTION, set }, others: [{ ...BEFORE, set }] };
    const answers = await readAnswers(view, { ...context, lookups: { read } } as unknown as Context, 'whole');
    const [unit] = answers?.units ?? [];
    const whole =
      unit?.kind === 'ready' ? unit.result.diagnostics.filter((each) => each.output[0] === output[0]) : [];
    expect(whole.map(({ match }) => match)).toEqual([set]);
  },
);

test('Of several, what changed is told of each that was read after the message was made, since its latest read by then', async () => {
  const asked: unknown[] = [];
  const changesSince = async (...args: unknown[]) => void asked.push(args[3]);
  const unit = (id: string, readAt: number) => {
    const question = { snapshotId: snapshotId(id), set: 'all' as const };
    return { kind: 'ready' as const, question, result: aResult([]), readAt };
  };
  const units = [unit('1', 4), unit('2', 5), unit('3', 6)];
  const state = { question: QUESTION, madeAt: 5, ...{ page: 0, turn: 0, askedBy: 'U1' } };
  const since = await sinceMade(
    state,
    { result: aResult([]), readAt: 6, units } as never,
    {
      history: { changesSince },
    } as never,
  );
  expect(since.map(({ snapshotId: id, at }) => [id, at])).toEqual([['3', 5]]);
  expect(asked).toEqual(['latest']);
});

test('What changed since a message was made is told of what was read again, the earlier snapshot first', async () => {
  const history = { changesSince: async () => undefined };
  const context = { history } as unknown as Parameters<typeof sinceMade>[2];
  const state = {
    question: QUESTION,
    before: BEFORE,
    madeAt: 5,
    beforeMadeAt: 3,
    ...{ page: 0, turn: 0, askedBy: 'U1' },
  };
  const read = (at: number) => ({ result: aResult([]), readAt: at });
  const since = async (now: number, earlier: number) =>
    (await sinceMade(state, { ...read(now), before: read(earlier) }, context)).map(
      ({ snapshotId: id, at }) => [id, at],
    );
  expect(await since(7, 7)).toEqual([
    ['26808400', 3],
    ['26808463', 5],
  ]);
  expect([await since(7, 3), await since(5, 7), await since(5, 3)]).toEqual([
    [['26808463', 5]],
    [['26808400', 3]],
    [],
  ]);
});
