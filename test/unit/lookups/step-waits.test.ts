import { describe, expect, test, vi } from 'vitest';
import { Stopping } from '../../../src/core/errors.ts';
import {
  CookieDomainMismatch,
  Forbidden,
  LoginRefused,
  RateLimited,
  ServiceFailed,
  SessionRefused,
  StorageFailed,
  Unreachable,
} from '../../../src/core/faults.ts';
import { questionKey } from '../../../src/core/lookup.ts';
import type { Job, Step } from '../../../src/lookups/queue.ts';
import { clockedFixture, lookupFixture } from '../../support/lookup-fixture.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const START = 1_795_000_000_000;
const INTERVAL_MS = 10_000;
const FAILED = new ServiceFailed('diagnostics service', 503);

/** A job whose snapshot is processed. */
const PROCESSING: Partial<Job> = {
  waitingSince: START - 5_000,
  shown: '{"kind":"open","isProcessing":true,"reason":""}',
  units: [{ kind: 'open', isProcessing: true, reason: '' }],
};

const waiting = () => clockedFixture(START, INTERVAL_MS);

function jobOf(step: Step): Job {
  if (step.done) throw new Error('the lookup has ended');
  return step.job;
}

test('A 202 is shown with its reason and stored, and the service is asked again after the interval', async () => {
  const { take, job, answers, shown, saved } = waiting();
  answers.unshift({ reason: 'Unpacking.' });
  const step = await take(job());
  const destination = { channel: 'C0SUPPORT', user: 'U0ANA', messageTs: '1.1' };
  const units = [{ kind: 'open', isProcessing: true, reason: 'Unpacking.' }];
  const left = {
    ...job(),
    destination,
    waitingSince: START,
    shown: JSON.stringify({ kind: 'open', isProcessing: true, reason: 'Unpacking.' }),
    units,
  };
  expect(step).toEqual({ done: false, job: left, at: START + INTERVAL_MS + 20 });
  expect(shown).toEqual([{ kind: 'waiting', since: START, reason: 'Unpacking.', isProcessing: true }]);
  expect(saved.at(-1)).toEqual(left);
});

test('After the clock went back an hour, a wait lasts no longer than before and began no later than now', async () => {
  const { take, job, answers, shown, clock } = waiting();
  answers.unshift({ reason: 'One.' }, { reason: 'Two.' });
  const accepted = job();
  const { waitingSince, deadline } = jobOf(await take(accepted));
  expect([waitingSince, deadline]).toEqual([START, accepted.deadline]);
  clock.now -= 3_600_000;
  const later = jobOf(await take({ ...accepted, waitingSince: START }));
  expect(later.deadline - clock.now).toBe(accepted.deadline - accepted.acceptedAt);
  expect([later.acceptedAt, later.waitingSince]).toEqual([clock.now, clock.now]);
  for (const status of shown.slice(1)) expect(status).toMatchObject({ since: clock.now });
  const silent = waiting();
  silent.answers.unshift(FAILED);
  silent.clock.now -= 3_600_000;
  await silent.take({ ...accepted, ...PROCESSING, waitingSince: START });
  expect(silent.shown).toMatchObject([{ since: silent.clock.now, trouble: FAILED }]);
});

/** A lookup on a clock that can be set back an hour. */
function settable() {
  const clock = { now: START };
  const fixture = lookupFixture(
    () => clock.now,
    INTERVAL_MS,
    () => 0,
  );
  const setBack = () => {
    clock.now -= 3_600_000;
  };
  return { ...fixture, clock, setBack };
}

const OTHERS = { others: [{ snapshotId: snapshotId('26808470'), set: 'all' as const }] };

test.each<[when: string, others: Partial<Job>, set: (fixture: ReturnType<typeof settable>) => void]>([
  [
    'while the first message is sent',
    {},
    ({ options, setBack }) => {
      const { deliver } = options.delivery;
      options.delivery = { ...options.delivery, deliver: (...all) => deliver(...all).finally(setBack) };
    },
  ],
  [
    'between the answers of several',
    OTHERS,
    ({ before, store, job, setBack }) => {
      const isStored = () => store.namespace('processing').get(questionKey(job().question));
      before.push(
        async () => {},
        () => vi.waitUntil(isStored).then(setBack),
      );
    },
  ],
  [
    'while a 202 is stored',
    OTHERS,
    ({ store, setBack }) => {
      const stored = store.namespace('processing');
      const set = stored.set.bind(stored);
      vi.spyOn(stored, 'set').mockImplementationOnce((...all) => set(...all).finally(setBack));
    },
  ],
  [
    'after the service has named a time',
    OTHERS,
    ({ answers, store, setBack }) => {
      answers.unshift(new ServiceFailed('diagnostics service', 503, START + 5_000));
      vi.spyOn(store.leases, 'release').mockImplementationOnce(async () => setBack());
    },
  ],
])('A clock that goes back an hour %s makes nobody wait for longer', async (_when, others, set) => {
  const fixture = settable();
  const { take, job, answers, clock } = fixture;
  answers.unshift({ reason: 'One.' }, { reason: 'Two.' });
  set(fixture);
  const step = await take(job(others));
  if (step.done) throw new Error('the lookup has ended');
  expect(clock.now).toBe(START - 3_600_000);
  expect(step.at - clock.now).toBeLessThanOrEqual(INTERVAL_MS + 20);
  for (const { laterMs = 0 } of step.job.units ?? []) expect(laterMs).toBeLessThanOrEqual(60_000);
});

test('Progress that the delivery left out is delivered with the next step', async () => {
  const { take, job, answers, options, shown } = waiting();
  answers.unshift({ reason: 'One.' });
  const { deliver } = options.delivery;
  options.delivery = {
    ...options.delivery,
    deliver: async (...args) => ({ ...(await deliver(...args)), isShown: false }),
  };
  const step = await take(job());
  expect(jobOf(step).shown).toBeUndefined();
  await take(jobOf(step));
  expect(shown).toHaveLength(2);
});

test('A wait ends at its limit, and a step comes no later than that', async () => {
  const { take, job, answers, shown, next } = waiting();
  answers.splice(0, 1, { reason: 'Busy.' });
  const step = await take(job({ deadline: START + 4_000 }));
  expect(step).toMatchObject({ at: START + 4_000 });
  expect(await next(step)).toEqual({ done: true });
  expect(shown.at(-1)).toEqual({ kind: 'timed-out', reason: 'Busy.' });
  const inTrouble = waiting();
  inTrouble.answers.unshift(FAILED);
  await inTrouble.take(job({ deadline: START }));
  expect(inTrouble.shown).toEqual([{ kind: 'timed-out', reason: '', trouble: FAILED }]);
});

test('A destination is stored in the middle of a step, when the delivery asks for that', async () => {
  const { take, job, options, saved } = waiting();
  const { deliver } = options.delivery;
  const destination = { channel: 'C0SUPPORT', user: 'U0ANA', unconfirmed: { at: 5 } };
  options.delivery = {
    ...options.delivery,
    deliver: async (lookup, status, save) => {
      await save(destination);
      return deliver(lookup, status, save);
    },
  };
  await take(job());
  expect(saved).toEqual([job({ destination, mayBeShown: true })]);
});

describe('A slow answer', () => {
  test('is announced with the time since which somebody waits for it', async () => {
    const { take, job, options, answers, shown } = waiting();
    options.timing = { progressAfterMs: 0, intervalMs: INTERVAL_MS };
    answers.splice(0, 1, () => new Promise((done) => setTimeout(done, 20)));
    const acceptedAt = START - 3_000;
    await take(job({ acceptedAt }));
    expect(shown[0]).toEqual({ kind: 'waiting', since: acceptedAt, reason: '', isProcessing: false });
  });

  test('is not announced where the message says something already', async () => {
    const { take, job, options, answers, shown } = waiting();
    options.timing = { progressAfterMs: 0, intervalMs: INTERVAL_MS };
    answers.splice(0, 1, () => new Promise((done) => setTimeout(done, 20)));
    await take(job({ shown: 'processing::' }));
    expect(shown.map(({ kind }) => kind)).toEqual(['ready']);
  });

  test('that fails while it can’t be announced has the step taken again, and ends nothing else', async () => {
    const { take, job, options, answers } = waiting();
    options.timing = { progressAfterMs: 0, intervalMs: INTERVAL_MS };
    const answering = Promise.withResolvers<void>();
    answers.splice(0, 1, () => answering.promise);
    options.delivery = {
      ...options.delivery,
      deliver: async () => {
        answering.reject(new Forbidden());
        await new Promise((done) => setImmediate(done));
        throw new Error('Slack is away');
      },
    };
    await expect(take(job())).rejects.toThrow('Slack is away');
  });
});

describe('A fault that may pass', () => {
  test('is waited out with pauses that double, up to a minute, and is forgotten with the next answer', async () => {
    const { take, job, answers, clock, next, shown } = waiting();
    answers.splice(0, 1, FAILED, FAILED, FAILED, FAILED, FAILED, { reason: '' }, FAILED);
    let step = await take(job());
    const pauses: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      if (step.done) throw new Error('the lookup has ended');
      pauses.push(step.at - clock.now);
      step = await next(step);
    }
    expect(pauses).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(jobOf(step).units?.[0]).not.toHaveProperty('troubles');
    step = await next(step);
    expect(step).toMatchObject({ at: clock.now + 10_000, job: { units: [{ troubles: 1 }] } });
    expect(shown).toEqual([
      { kind: 'waiting', since: START, reason: '', isProcessing: false, trouble: FAILED },
      { kind: 'waiting', since: START + 190_000, reason: '', isProcessing: true },
      { kind: 'waiting', since: START + 190_000, reason: '', isProcessing: true, trouble: FAILED },
    ]);
  });

  test('is waited out for as long as the service asks, and no longer than the lookup may wait', async () => {
    const { take, job, answers } = waiting();
    answers.splice(0, 1, new RateLimited(START + 25_000));
    expect(await take(job())).toMatchObject({ at: START + 25_000 });
    expect(await take(job({ deadline: START + 15_000 }))).toMatchObject({ at: START + 15_000 });
    answers.splice(0, 1, new ServiceFailed('diagnostics service', 503, START + 5_000));
    expect(await take(job())).toMatchObject({ at: START + 10_000 });
  });

  test('is waited out with one pause as long as the service can’t be reached, so that nobody waits for it once it is back', async () => {
    const { take, job, answers, clock, next } = waiting();
    answers.splice(0, 1, new Unreachable('diagnostics service', 'ihealth', 'connection'));
    let step = await take(job());
    for (let times = 0; times < 3; times += 1) {
      expect(step).toMatchObject({ at: clock.now + 10_000 });
      step = await next(step);
    }
  });

  test.each([
    ['of the bot’s own storage', new StorageFailed()],
    ['of a process that stops', new Stopping()],
  ])('%s says nothing: the step is taken again', async (_whose, error) => {
    const { take, job, answers, shown, bugs } = waiting();
    answers.splice(0, 1, error);
    await expect(take(job())).rejects.toThrow(error);
    expect([shown, bugs]).toEqual([[], []]);
  });
});

describe('A refused login', () => {
  test.each([new LoginRefused(401, START + 90_000), new SessionRefused()])(
    'is the answer at first: $code',
    async (fault) => {
      const { take, job, answers, shown } = waiting();
      answers.splice(0, 1, fault);
      expect(await take(job())).toEqual({ done: true });
      expect(shown).toEqual([{ kind: 'failed', fault, question: job().question }]);
    },
  );

  test('is waited out in the middle of a wait, until trying is allowed', async () => {
    const { take, job, answers, shown, clock } = waiting();
    const [refused, again] = [new LoginRefused(401, START + 90_000), new LoginRefused(401, START + 80_000)];
    const mismatch = new CookieDomainMismatch('api.example.com', 'example.net');
    answers.splice(0, 1, refused, again, new SessionRefused(), mismatch);
    const wait = job({ ...PROCESSING, acceptedAt: START - 5_000 });
    // The clock may be set before then, so that the time is looked at again each minute; that is no further refusal.
    const first = await take(wait);
    expect(first).toMatchObject({ at: START + 60_000, job: { units: [{ troubles: 0 }] } });
    clock.now += 60_000;
    expect(await take(wait)).toMatchObject({ at: START + 80_000 });
    clock.now = START;
    for (const _fault of ['SessionRefused', 'mismatch'])
      expect(await take(wait)).toMatchObject({ at: START + 10_000 });
    expect(shown.slice(0, 2)).toEqual([
      { kind: 'waiting', since: START - 5_000, reason: '', isProcessing: true, trouble: refused },
      { kind: 'waiting', since: START - 5_000, reason: '', isProcessing: true, trouble: again },
    ]);
  });

  test('that is another fault in the middle of a wait ends it', async () => {
    const { take, job, answers, shown } = waiting();
    answers.splice(0, 1, new Forbidden());
    expect(await take(job(PROCESSING))).toEqual({ done: true });
    expect(shown.map(({ kind }) => kind)).toEqual(['failed']);
  });
});
