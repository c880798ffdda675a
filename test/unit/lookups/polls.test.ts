import { afterEach, describe, expect, test, vi } from 'vitest';
import { Stopping } from '../../../src/core/errors.ts';
import { Forbidden, SnapshotNotFound, StorageFailed } from '../../../src/core/faults.ts';
import { eventually } from '../../support/eventually.ts';
import { lookupFixture, RESULT } from '../../support/lookup-fixture.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const START = 1_795_000_000_000;
const INTERVAL_MS = 10_000;
/** What two clocks may differ by is waited beside the interval. */
const REST_MS = INTERVAL_MS + 20;
/** While a question is asked, nobody else asks it for so long, should that process die or stand still. */
const ASKING_MS = REST_MS + 5_000;
const KEY = '26808463:all';

function polling() {
  const clock = { now: START };
  const fixture = lookupFixture(() => clock.now, INTERVAL_MS);
  const { question } = fixture.job();
  return { ...fixture, clock, question, look: (notBefore = 0) => fixture.polls.look(question, notBefore) };
}

test('A cached result serves every request that accepts its age; a request for a newer one asks the service again', async () => {
  const { look, requests, clock, outcomes } = polling();
  expect(await look()).toEqual({ kind: 'ready', result: RESULT, readAt: START });
  clock.now += 60_000;
  expect(await look(START)).toMatchObject({ readAt: START });
  expect(requests()).toBe(1);
  expect(await look(START + 1)).toMatchObject({ readAt: START + 60_000 });
  expect([requests(), outcomes]).toEqual([2, ['ready', 'ready']]);
});

test('A result is kept for a quarter of an hour', async () => {
  const { look, polls, question, clock } = polling();
  await look();
  clock.now += 15 * 60_000 - 1;
  expect(await polls.cached(question)).toMatchObject({ readAt: START });
  clock.now += 1;
  expect(await polls.cached(question)).toBeUndefined();
});

test('A result that was read later than now, by a clock that went back since, is not believed to be new', async () => {
  const { look, requests, clock } = polling();
  await look();
  clock.now -= 59_000;
  expect(await look(clock.now)).toMatchObject({ readAt: START });
  clock.now -= 3_600_000;
  expect(await look(clock.now)).toMatchObject({ readAt: clock.now });
  expect(requests()).toBe(2);
});

test('After a 202 the same question is not asked for the interval, and everybody gets the reason of that 202', async () => {
  const { look, otherPolls, answers, requests, clock, question, outcomes } = polling();
  answers.unshift({ reason: 'Unpacking.' });
  const wait = { kind: 'processing', reason: 'Unpacking.', since: START };
  expect(await look()).toEqual({ ...wait, lookAgainAt: START + REST_MS });
  clock.now += REST_MS - 1;
  expect(await otherPolls().look(question, START)).toEqual({ ...wait, lookAgainAt: START + REST_MS });
  expect([requests(), outcomes]).toEqual([1, ['processing']]);
  clock.now += 1;
  expect(await look(START)).toMatchObject({ kind: 'ready' });
  expect(requests()).toBe(2);
});

/** Beside a clock that can be set, one that can't; `pass` lets time go by on both. */
function pollingOnTwoClocks() {
  const clock = { now: START, elapsed: 0 };
  const fixture = lookupFixture(
    () => clock.now,
    INTERVAL_MS,
    () => clock.elapsed,
  );
  const pass = (ms: number) => {
    clock.now += ms;
    clock.elapsed += ms;
  };
  const look = () => fixture.polls.look(fixture.job().question, 0);
  return { ...fixture, clock, pass, look };
}

test('After a 202 the interval passes also where the clock is set an hour ahead, whatever else is asked meanwhile', async () => {
  const { polls, answers, requests, clock, pass, look } = pollingOnTwoClocks();
  answers.unshift({ reason: 'Unpacking.' }, { reason: 'Another.' });
  await look();
  await polls.look({ snapshotId: snapshotId('26808470'), set: 'all' }, 0);
  clock.now += 3_600_000;
  pass(REST_MS - 1);
  expect(await look()).toMatchObject({ reason: '', lookAgainAt: clock.elapsed + 1 });
  expect(requests()).toBe(2);
  pass(1);
  expect(await look()).toMatchObject({ kind: 'ready' });
});

test('However long it takes to store a 202, nobody is kept from asking for longer than it says', async () => {
  const { look, answers, store, clock } = polling();
  answers.unshift({ reason: 'Unpacking.' });
  const stored = store.namespace('processing');
  const set = stored.set.bind(stored);
  vi.spyOn(stored, 'set').mockImplementationOnce((...all) => {
    clock.now += 3_000;
    return set(...all);
  });
  expect(await look()).toMatchObject({ lookAgainAt: START + REST_MS });
  for (const name of ['rest', 'asking'])
    expect(await store.leases.ttl(`${name}:${KEY}`), name).toBe(REST_MS - 3_000);
});

test('A wait is counted from its first 202, and forgotten with its end', async () => {
  const { look, answers, clock } = polling();
  answers.splice(0, 1, { reason: 'One.' }, { reason: 'Two.' }, RESULT, { reason: 'Anew.' });
  await look();
  clock.now += REST_MS;
  expect(await look()).toMatchObject({ reason: 'Two.', since: START });
  clock.now += REST_MS;
  expect(await look()).toMatchObject({ kind: 'ready' });
  clock.now += 1_000;
  expect(await look(clock.now)).toMatchObject({ reason: 'Anew.', since: clock.now });
});

test('The reason of a 202 is dropped after a quarter of an hour', async () => {
  const { look, answers, clock } = polling();
  answers.splice(0, 1, { reason: 'One.' }, { reason: 'Two.' }, { reason: 'Three.' });
  await look();
  clock.now += 15 * 60_000 - 1;
  expect(await look()).toMatchObject({ reason: 'Two.', since: START });
  clock.now += 15 * 60_000;
  expect(await look()).toMatchObject({ reason: 'Three.', since: clock.now });
});

test('A 202 that names a time is obeyed where it is later than the interval', async () => {
  const { look, answers, clock, requests } = polling();
  answers.splice(0, 1, { reason: '', pauseMs: 60_000 }, { reason: '', pauseMs: 0 }, RESULT);
  expect(await look()).toMatchObject({ lookAgainAt: START + 60_020 });
  clock.now = START + 60_019;
  expect(await look()).toMatchObject({ lookAgainAt: START + 60_020 });
  expect(requests()).toBe(1);
  clock.now += 1;
  expect(await look()).toMatchObject({ lookAgainAt: clock.now + REST_MS });
});

test('Within the interval, but without a stored 202, the answer is “processing” without a reason', async () => {
  const { store, look, requests } = polling();
  for (const name of ['rest', 'asking']) await store.leases.hold(`${name}:${KEY}`, 4_000);
  expect(await look()).toEqual({
    kind: 'processing',
    reason: '',
    since: START,
    lookAgainAt: START + 4_000,
  });
  expect(requests()).toBe(0);
});

test('A snapshot that is processed anew keeps the result that was read before', async () => {
  const { look, answers, polls, question, clock } = polling();
  await look();
  answers.splice(0, 1, { reason: 'Anew.' });
  clock.now += 1_000;
  expect(await look(clock.now)).toMatchObject({ kind: 'processing' });
  expect(await polls.cached(question)).toMatchObject({ readAt: START });
});

test('Who asked before a result was read gets it, although the snapshot is processed anew since', async () => {
  const { look, otherPolls, question, answers, before, clock, requests } = polling();
  await look();
  const asking = Promise.withResolvers<void>();
  const answering = Promise.withResolvers<void>();
  before.push(() => {
    asking.resolve();
    return answering.promise;
  });
  answers.unshift({ reason: 'Anew.' });
  clock.now += 1_000;
  const anew = look(clock.now);
  await asking.promise;
  const earlier = look(START);
  answering.resolve();
  expect(await anew).toMatchObject({ kind: 'processing' });
  expect(await earlier).toMatchObject({ kind: 'ready', readAt: START });
  expect(await look(START)).toMatchObject({ kind: 'ready', readAt: START });
  expect(await otherPolls().look(question, START)).toMatchObject({ kind: 'ready', readAt: START });
  expect(requests()).toBe(2);
});

test('All who ask at once cost one request, those of another replica too', async () => {
  const { look, otherPolls, question, answers, requests, store } = polling();
  const other = otherPolls();
  const asking = Promise.withResolvers<void>();
  const answering = Promise.withResolvers<void>();
  answers.splice(0, 1, async () => {
    asking.resolve();
    await answering.promise;
  });
  const [one, two] = [look(), look()];
  await asking.promise;
  // A process that dies right after a 202 leaves the rest of the interval held.
  expect(await store.leases.ttl(`asking:${KEY}`)).toBe(ASKING_MS);
  const acquire = vi.spyOn(store.leases, 'acquire');
  const three = other.look(question, 0);
  await eventually(() => expect(acquire).toHaveBeenCalled());
  answering.resolve();
  const answered = await Promise.all([one, two, three]);
  expect(answered.map((answer) => answer.kind)).toEqual(['ready', 'ready', 'ready']);
  expect(requests()).toBe(1);
  expect(await store.leases.ttl(`asking:${KEY}`)).toBe(0);
});

test('A request that comes while the same question is being asked reads nothing, and gets that answer', async () => {
  const { look, answers, requests, clock } = polling();
  await look();
  const answering = Promise.withResolvers<void>();
  answers.unshift(() => answering.promise);
  clock.now += 60_000;
  const asking = look(clock.now);
  await eventually(() => expect(requests()).toBe(2));
  clock.now += 1_000;
  // What is read is as new as its answer, and not as old as the request for it.
  const joining = look(clock.now);
  answering.resolve();
  expect(await Promise.all([asking, joining])).toMatchObject([{ readAt: clock.now }, { readAt: clock.now }]);
  expect(requests()).toBe(2);
});

test('A request that comes while an older result is given to others asks for a newer one', async () => {
  const { look, requests, clock } = polling();
  await look();
  clock.now += 60_000;
  expect(await Promise.all([look(START), look(clock.now)])).toMatchObject([
    { readAt: START },
    { readAt: clock.now },
  ]);
  expect(requests()).toBe(2);
});

describe('A process that stands still before it asks', () => {
  afterEach(() => void vi.restoreAllMocks());

  /** Every clock goes on while it stands still. */
  function pollingByOneClock() {
    const all = polling();
    vi.spyOn(performance, 'now').mockImplementation(() => all.clock.now);
    return all;
  }

  test('for longer than its lease does not ask after another one has: it gives what that one was told', async () => {
    const { look, otherPolls, question, before, answers, clock, requests, outcomes, store } =
      pollingByOneClock();
    answers.unshift({ reason: 'Unpacking.' });
    before.push(async () => {
      clock.now += ASKING_MS;
      await otherPolls().look(question, 0);
      clock.now += 267;
      vi.spyOn(store.leases, 'renew').mockResolvedValue(false);
    });
    const wait = { kind: 'processing', reason: 'Unpacking.', since: START + ASKING_MS };
    expect(await look()).toEqual({ ...wait, lookAgainAt: wait.since + REST_MS });
    expect([requests(), outcomes]).toEqual([1, ['processing']]);
    expect(await store.leases.ttl(`asking:${KEY}`)).toBe(REST_MS - 267);
  });

  test('for longer than its lease asks all the same if nobody else has', async () => {
    const { look, before, clock, requests } = pollingByOneClock();
    before.push(async () => {
      clock.now += ASKING_MS;
    });
    expect(await look()).toMatchObject({ kind: 'ready' });
    expect(requests()).toBe(1);
  });
});

test('A 202 that can’t be stored leaves the lease, so that nobody asks again at once', async () => {
  const { look, answers, store } = polling();
  answers.unshift({ reason: '' });
  vi.spyOn(store.leases, 'hold').mockRejectedValue(new StorageFailed());
  await expect(look()).rejects.toThrow(StorageFailed);
  expect(await store.leases.ttl(`asking:${KEY}`)).toBe(ASKING_MS);
});

test('Different questions are asked independently', async () => {
  const { polls, requests, answers } = polling();
  answers.unshift({ reason: 'Busy.' });
  await polls.look({ snapshotId: snapshotId('1'), set: 'hit' }, 0);
  await polls.look({ snapshotId: snapshotId('1'), set: 'miss' }, 0);
  expect(requests()).toBe(2);
});

test('A snapshot that is gone is told with when the service had it last, as far as that is known', async () => {
  const { look, answers, clock, store } = polling();
  answers.splice(0, 1, new SnapshotNotFound(), RESULT, new SnapshotNotFound(), { reason: '' });
  answers.push(new SnapshotNotFound());
  const gone = async () => {
    clock.now += REST_MS;
    return look(clock.now).catch((error: unknown) =>
      error instanceof SnapshotNotFound ? error.hadAt : error,
    );
  };
  expect(await gone()).toBeUndefined();
  await look();
  const readAt = clock.now;
  expect(await gone()).toBe(readAt);
  clock.now += 1_000;
  await look(clock.now);
  const processedAt = clock.now;
  expect(await gone()).toBe(processedAt);
  vi.spyOn(store.namespace('processing'), 'get').mockRejectedValueOnce(new StorageFailed());
  expect(await gone()).toBe(readAt);
  answers.splice(0, answers.length, RESULT, new SnapshotNotFound());
  await look(clock.now);
  expect(await gone(), 'read after it was processed').toBe(clock.now - REST_MS);
});

test('A fault is counted by its code, any other error as a bug, and a stop as nothing; the next request asks the service again', async () => {
  const { look, answers, outcomes, requests } = polling();
  answers.splice(0, 1, new Forbidden(), new TypeError('a bug'), new Stopping(), RESULT);
  await expect(look()).rejects.toThrow(Forbidden);
  await expect(look()).rejects.toThrow('a bug');
  await expect(look()).rejects.toThrow(Stopping);
  expect(await look()).toMatchObject({ kind: 'ready' });
  expect([outcomes, requests()]).toEqual([['forbidden', 'bug', 'ready'], 4]);
});
