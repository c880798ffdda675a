import { describe, expect, test, vi } from 'vitest';
import { Forbidden } from '../../../src/core/faults.ts';
import { responseUrl } from '../../../src/core/lookup.ts';
import {
  CompositionFailed,
  composing,
  type Delivery,
  type LookupStatus,
} from '../../../src/lookups/lookup-status.ts';
import { lookupFixture, RESULT } from '../../support/lookup-fixture.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const START = 1_795_000_000_000;
const EARLIER = { snapshotId: snapshotId('26808400'), set: 'all' as const };
const LATER = { snapshotId: snapshotId('126808463'), set: 'all' as const };
const FAILED = new CompositionFailed({ cause: new TypeError('undefined is no list') });
const REFERENCE = expect.stringMatching(/^[0-9a-f]{8}$/);

function stepping() {
  const fixture = lookupFixture(() => START);
  const { options } = fixture;
  const change = (changes: Partial<Delivery>) => {
    options.delivery = { ...options.delivery, ...changes };
  };
  const { deliver } = options.delivery;
  /** Does this before each delivery. */
  const beforeDelivery = (work: (...delivery: Parameters<Delivery['deliver']>) => unknown) =>
    change({
      deliver: async (...delivery) => {
        await work(...delivery);
        return deliver(...delivery);
      },
    });
  const cancel = (how = {}) => options.cancellations.set('a-lookup', how, 60_000);
  return { ...fixture, change, beforeDelivery, cancel };
}

test('Acknowledgements go first: a step waits for them before it asks, and before it delivers', async () => {
  const { take, job, options, before, beforeDelivery } = stepping();
  const order: string[] = [];
  vi.spyOn(options.precedence, 'turn').mockImplementation(async () => void order.push('turn'));
  before.push(async () => order.push('asked'));
  beforeDelivery(() => order.push('delivered'));
  await take(job());
  expect(order).toEqual(['turn', 'asked', 'turn', 'delivered']);
});

test('The end of a lookup is counted once, with what was told', async () => {
  const { take, job, ends } = stepping();
  await take(job());
  expect(ends).toEqual([{ status: { kind: 'ready', result: RESULT, readAt: START }, job: job() }]);
});

test('A fault is told with the question that it leaves open', async () => {
  const { take, job, answers, shown } = stepping();
  answers.unshift(new Forbidden(), RESULT);
  await take(job({ before: EARLIER }));
  expect(shown).toEqual([{ kind: 'failed', fault: expect.any(Forbidden), question: EARLIER }]);
});

describe('What must be known first and can’t be now has the step taken again, and nothing is told:', () => {
  const away = () => Promise.reject(new Error('away'));

  test.each<[string, (fixture: ReturnType<typeof stepping>) => unknown]>([
    ['whether that person may see it', ({ change }) => change({ mayStillSee: away })],
    ['whether Slack has the answer', ({ change }) => change({ deliver: away })],
    ['whether it was cancelled', ({ options }) => Object.assign(options.cancellations, { get: away })],
    ['what was read last', ({ options }) => Object.assign(options, { history: { find: away } })],
  ])('%s', async (_what, lose) => {
    const fixture = stepping();
    lose(fixture);
    const { take, job, shown, ends, bugs } = fixture;
    await expect(take(job({ mayBeShown: true, againstLast: true }))).rejects.toThrow('away');
    expect([shown, ends, bugs]).toEqual([[], [], []]);
  });
});

test('Nobody can cancel what was never shown, and only “compare last” asks what was read last', async () => {
  const { take, job, options, shown } = stepping();
  const unasked = () => Promise.reject(new Error('it was read'));
  Object.assign(options, { history: { find: unasked } });
  options.cancellations.get = unasked;
  await take(job());
  expect(shown).toEqual([{ kind: 'ready', result: RESULT, readAt: START }]);
});

describe('A bug', () => {
  test('is told with the reference that the log has', async () => {
    const { take, job, answers, shown, bugs } = stepping();
    const bug = new TypeError('undefined is no list');
    answers.splice(0, 1, bug);
    expect(await take(job())).toEqual({ done: true });
    expect(bugs).toEqual([{ error: bug, reference: REFERENCE, job: job() }]);
    expect(shown).toEqual([{ kind: 'broken', reference: bugs[0]?.reference }]);
  });

  test.each<LookupStatus['kind']>(['ready', 'waiting', 'cancelled'])(
    'in the making of a message ends the lookup with such a reference: %s',
    async (kind) => {
      const { take, job, answers, bugs, shown, beforeDelivery, cancel } = stepping();
      if (kind === 'waiting') answers.splice(0, 1, { reason: 'Busy.' });
      if (kind === 'cancelled') await cancel();
      beforeDelivery((_lookup, status) => {
        if (status.kind === kind) throw FAILED;
      });
      expect(await take(job({ mayBeShown: true }))).toEqual({ done: true });
      expect(bugs).toMatchObject([{ error: FAILED, reference: REFERENCE }]);
      expect(shown).toEqual([{ kind: 'broken', reference: bugs[0]?.reference }]);
    },
  );

  test('of which not even the message can be made ends the lookup all the same: another try would only repeat it', async () => {
    const { take, job, beforeDelivery, bugs, ends } = stepping();
    const deliveries: unknown[] = [];
    beforeDelivery((_lookup, status) => {
      deliveries.push(status.kind);
      throw FAILED;
    });
    expect(await take(job())).toEqual({ done: true });
    expect(deliveries).toEqual(['ready', 'broken']);
    expect(bugs.map(({ error }) => error)).toEqual([FAILED, FAILED]);
    // The log names both by the one reference that the message would have had.
    expect(new Set(bugs.map(({ reference }) => reference)).size).toBe(1);
    expect(ends.map(({ status }) => status.kind)).toEqual(['broken']);
  });

  test('that ended the process four times in a step ends the lookup; after three the step is tried once more', async () => {
    const { take, job, requests, shown, bugs } = stepping();
    expect(await take(job(), 4)).toEqual({ done: true });
    expect(requests()).toBe(0);
    expect(shown).toEqual([{ kind: 'broken', reference: bugs[0]?.reference }]);
    expect(String(bugs[0]?.error)).toContain('the process died 4 times in the same step');
    await take(job(), 3);
    expect(shown.map(({ kind }) => kind)).toEqual(['broken', 'ready']);
  });
});

test('A result is withheld from a person who lost access, and ends as that; all else is told', async () => {
  const { take, job, change, shown, ends, answers } = stepping();
  change({ mayStillSee: async () => false });
  answers.splice(0, 1, new Forbidden(), RESULT);
  for (const _step of [1, 2]) await take(job());
  expect(shown).toMatchObject([{ kind: 'failed' }, { kind: 'withheld' }]);
  expect(ends.map(({ status }) => status)).toEqual(shown);
});

describe('“Cancel”', () => {
  test('that was pressed before a step ends the lookup without a request', async () => {
    const { take, job, cancel, shown, requests } = stepping();
    await cancel();
    expect(await take(job({ shown: '::' }))).toEqual({ done: true });
    expect([shown, requests()]).toEqual([[{ kind: 'cancelled' }], 0]);
  });

  test('that is pressed while a step asks the service is obeyed before anything is shown', async () => {
    const { take, job, answers, cancel, shown } = stepping();
    answers.splice(0, 1, cancel);
    expect(await take(job({ mayBeShown: true }))).toEqual({ done: true });
    expect(shown).toEqual([{ kind: 'cancelled' }]);
  });

  test('that is pressed while a step delivers is obeyed at its end, through the response URL of that click', async () => {
    const { take, job, answers, cancel, shown, beforeDelivery } = stepping();
    const response = responseUrl('https://hooks.slack.com/actions/1', true, START);
    answers.splice(0, 1, { reason: 'Busy.' });
    const responses: unknown[] = [];
    beforeDelivery((lookup) => {
      responses.push(lookup.destination.response);
      return cancel({ response });
    });
    expect(await take(job())).toEqual({ done: true });
    expect(shown.map(({ kind }) => kind)).toEqual(['waiting', 'cancelled']);
    expect(responses).toEqual([undefined, response]);
  });
});

describe('A comparison with what was read last', () => {
  test.each([
    [EARLIER, false],
    [LATER, true],
  ])(
    'goes on at once as one with that snapshot, about the same side, from the earlier one: %#',
    async (last, isNewer) => {
      const { take, job, options, shown } = stepping();
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
    const { take, job, shown } = stepping();
    expect(await take(job({ againstLast: true }))).toEqual({ done: true });
    expect(shown).toEqual([{ kind: 'ready', result: RESULT, readAt: START, hasNoLast: true }]);
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
