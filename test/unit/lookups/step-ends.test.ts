import { describe, expect, test } from 'vitest';
import { Forbidden } from '../../../src/core/faults.ts';
import { CompositionFailed, composing } from '../../../src/lookups/lookup-status.ts';
import { lookupFixture, RESULT } from '../../support/lookup-fixture.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const START = 1_795_000_000_000;
const EARLIER = { snapshotId: snapshotId('26808400'), set: 'all' as const };
const LATER = { snapshotId: snapshotId('126808463'), set: 'all' as const };

const ending = () => lookupFixture(() => START);

test('The end of a lookup is counted once, with what was told', async () => {
  const { take, job, ends } = ending();
  await take(job());
  expect(ends).toEqual([{ status: { kind: 'ready', result: RESULT, readAt: START }, job: job() }]);
});

test('An answer that can’t be delivered now is not the end: the step is taken again', async () => {
  const { take, job, ends, options, bugs } = ending();
  const cause = new Error('Slack is away');
  options.delivery = { ...options.delivery, deliver: () => Promise.reject(cause) };
  await expect(take(job())).rejects.toBe(cause);
  expect([ends, bugs]).toEqual([[], []]);
});

test('A fault is told with the question that it leaves open', async () => {
  const { take, job, answers, shown } = ending();
  answers.unshift(new Forbidden(), RESULT);
  await take(job({ before: EARLIER }));
  expect(shown).toEqual([{ kind: 'failed', fault: expect.any(Forbidden), question: EARLIER }]);
});

test('What is no fault is a bug, told with the reference that the log has', async () => {
  const { take, job, answers, shown, bugs } = ending();
  const bug = new TypeError('undefined is no list');
  answers.splice(0, 1, bug);
  expect(await take(job())).toEqual({ done: true });
  expect(bugs).toEqual([{ error: bug, reference: expect.stringMatching(/^[0-9a-f]{8}$/), job: job() }]);
  expect(shown).toEqual([{ kind: 'broken', reference: bugs[0]?.reference }]);
});

test('A bug whose own message can’t be made ends the lookup all the same: another try would only repeat it', async () => {
  const { take, job, options, bugs, ends } = ending();
  const deliveries: unknown[] = [];
  const failure = new CompositionFailed({ cause: new TypeError('no') });
  options.delivery = {
    ...options.delivery,
    deliver: async (_lookup, status) => {
      deliveries.push(status.kind);
      throw failure;
    },
  };
  expect(await take(job())).toEqual({ done: true });
  expect(deliveries).toEqual(['ready', 'broken']);
  expect(bugs.map(({ error }) => error)).toEqual([failure, failure]);
  // The log names both by the one reference that the message would have had.
  expect(new Set(bugs.map(({ reference }) => reference)).size).toBe(1);
  expect(ends.map(({ status }) => status.kind)).toEqual(['broken']);
});

test('A cancelled lookup whose message can’t be made ends with a reference too', async () => {
  const { take, job, options, shown, bugs } = ending();
  await options.cancellations.set('a-lookup', {}, 60_000);
  const { deliver } = options.delivery;
  options.delivery = {
    ...options.delivery,
    deliver: (lookup, status, save) =>
      status.kind === 'cancelled'
        ? Promise.reject(new CompositionFailed({ cause: new TypeError('no') }))
        : deliver(lookup, status, save),
  };
  expect(await take(job({ shown: '::' }))).toEqual({ done: true });
  expect(shown).toEqual([{ kind: 'broken', reference: bugs[0]?.reference }]);
});

test('A person who lost access is told of everything but a result', async () => {
  const { take, job, options, shown, answers } = ending();
  options.delivery = { ...options.delivery, mayStillSee: async () => false };
  answers.splice(0, 1, new Forbidden());
  await take(job());
  expect(shown.map(({ kind }) => kind)).toEqual(['failed']);
});

test('A result that is withheld ends as that, not as one that was shown', async () => {
  const { take, job, options, shown, ends } = ending();
  options.delivery = { ...options.delivery, mayStillSee: async () => false };
  await take(job());
  expect([shown, ends.map(({ status }) => status)]).toEqual([[{ kind: 'withheld' }], [{ kind: 'withheld' }]]);
});

test('While cancellations can’t be read, nothing is requested or shown', async () => {
  const { take, job, options, shown, requests } = ending();
  options.cancellations.get = () => Promise.reject(new Error('the store is away'));
  await expect(take(job({ shown: '::' }))).rejects.toThrow('the store is away');
  expect([shown, requests()]).toEqual([[], 0]);
});

describe('A comparison with what was read last', () => {
  test.each([
    [EARLIER, false],
    [LATER, true],
  ])(
    'goes on at once as one with that snapshot, about the same side, from the earlier one: %#',
    async (last, isNewer) => {
      const { take, job, options, shown } = ending();
      const found: unknown[] = [];
      options.history = {
        find: async (question, read) => {
          found.push([question, read.readAt]);
          return { question: last, at: 5, isNewer, isOtherHost: false, found: undefined };
        },
      };
      const asked = job({ againstLast: true, question: { ...job().question, set: 'hit' } });
      const { againstLast: _known, ...rest } = asked;
      expect(await take(asked)).toEqual({
        done: false,
        job: isNewer
          ? { ...rest, before: asked.question, question: { ...LATER, set: 'hit' } }
          : { ...rest, before: { ...EARLIER, set: 'hit' } },
        at: START,
      });
      expect([shown, found]).toEqual([[], [[asked.question, START]]]);
    },
  );

  test('says so where nothing was', async () => {
    const { take, job, shown } = ending();
    expect(await take(job({ againstLast: true }))).toEqual({ done: true });
    expect(shown).toEqual([{ kind: 'ready', result: RESULT, readAt: START, hasNoLast: true }]);
  });

  test('waits for a history that can’t be read now', async () => {
    const { take, job, options, shown } = ending();
    options.history = { find: () => Promise.reject(new Error('the store is away')) };
    await expect(take(job({ againstLast: true }))).rejects.toThrow('the store is away');
    expect(shown).toEqual([]);
  });

  test('is not looked for where it was not asked for', async () => {
    const { take, job, options, shown } = ending();
    options.history = { find: () => Promise.reject(new Error('not asked for')) };
    await take(job());
    expect(shown).toEqual([{ kind: 'ready', result: RESULT, readAt: START }]);
  });
});

test('Any error in the making of a message is a CompositionFailed', () => {
  const cause = new TypeError('no');
  const fail = () => {
    throw cause;
  };
  expect(composing(() => 'made')).toBe('made');
  expect(() => composing(fail)).toThrow(CompositionFailed);
  expect(() => composing(fail)).toThrow(expect.objectContaining({ cause }));
});
