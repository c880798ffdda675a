import { expect, test, vi } from 'vitest';
import { ServiceFailed, StorageFailed } from '../../../src/core/faults.ts';
import { Lookups } from '../../../src/lookups/lookups.ts';
import { backOff, type Job } from '../../../src/lookups/queue.ts';
import { eventually } from '../../support/eventually.ts';
import { lookupFixture, RESULT } from '../../support/lookup-fixture.ts';

const START = 1_795_000_000_000;
const WAIT_LIMIT_MS = 3_600_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

function using() {
  const clock = { now: START };
  const fixture = lookupFixture(() => clock.now);
  const accepted: Job[] = [];
  const { id: _id, acceptedAt: _at, deadline: _deadline, ...request } = fixture.job();
  const options = {
    ...fixture.options,
    queue: fixture.queue,
    waitLimitMs: WAIT_LIMIT_MS,
    onAccept: (job: Job) => void accepted.push(job),
  };
  return { ...fixture, clock, accepted, request, options, lookups: new Lookups(options) };
}

test('A request is stored with its deadline, and then counts as accepted', async () => {
  const { lookups, queue, request, accepted } = using();
  await lookups.accept(request);
  const job = { ...request, id: expect.stringMatching(UUID), acceptedAt: START };
  expect(accepted).toEqual([{ ...job, deadline: START + WAIT_LIMIT_MS }]);
  expect(await Array.fromAsync(queue.entries())).toEqual(accepted);
});

test('A click that meets a fault costs one request, and is told of it', async () => {
  const { lookups, answers, requests, job } = using();
  answers.splice(0, 1, new ServiceFailed('diagnostics service', 503));
  await expect(lookups.read(job().question)).rejects.toThrow(ServiceFailed);
  expect(requests()).toBe(1);
});

test('A click that finds no cached result says so before it asks, and asks for nothing where there is no room for that', async () => {
  const { lookups, requests, job } = using();
  const asked: number[] = [];
  const noRoom = () => {
    asked.push(requests());
    throw new Error('no room');
  };
  await expect(lookups.read(job().question, noRoom)).rejects.toThrow('no room');
  await lookups.read(job().question);
  await lookups.read(job().question, noRoom);
  expect([asked, requests()]).toEqual([[0], 1]);
});

test('A request that can’t be stored is not accepted', async () => {
  const { lookups, queue, request, accepted } = using();
  vi.spyOn(queue, 'add').mockRejectedValue(new StorageFailed());
  await expect(lookups.accept(request)).rejects.toThrow(StorageFailed);
  expect(accepted).toEqual([]);
});

test('A lookup that was accepted before the start is worked on, each step inside `around`', async () => {
  const { options: heard, request, ends, queue } = using();
  const { onAccept: _nobodyHears, ...options } = heard;
  const around: string[] = [];
  const lookups = new Lookups({
    ...options,
    around: async (job, work) => {
      around.push(job.askedBy);
      return work();
    },
  });
  await lookups.accept(request);
  await lookups.start();
  await eventually(async () => expect(await queue.countOpen()).toBe(0));
  expect(ends.map(({ status }) => status.kind)).toEqual(['ready']);
  expect(around).toEqual(['U0ANA']);
});

test('A wait that is cancelled ends at once, and not at its next step', async () => {
  const { lookups, request, answers, accepted, shown, queue } = using();
  answers.splice(0, 1, { reason: 'Busy.' });
  await lookups.start();
  await lookups.accept(request);
  await eventually(() => expect(shown).toHaveLength(1));
  await lookups.cancel(accepted[0]?.id ?? '');
  await eventually(async () => expect(await queue.countOpen()).toBe(0));
  expect(shown.map(({ kind }) => kind)).toEqual(['waiting', 'cancelled']);
});

test('A cancellation is stored before anybody takes the next step, and for as long as a wait may last', async () => {
  const { lookups, options, clock, queue } = using();
  const { cancellations } = options;
  const woken: unknown[] = [];
  vi.spyOn(queue, 'wake').mockImplementation(async (id) => void woken.push(await cancellations.get(id)));
  const response = { url: 'https://hooks.slack.com/x', expiresAt: START, replaces: true };
  await lookups.cancel('one', { response });
  await lookups.cancel('two');
  expect(woken).toEqual([{ response }, {}]);
  clock.now += WAIT_LIMIT_MS - 1;
  expect([await cancellations.get('one'), await cancellations.get('two')]).toEqual([{ response }, {}]);
  expect(await cancellations.get('three')).toBeUndefined();
  clock.now += 1;
  expect(await cancellations.get('one')).toBeUndefined();
});

test('A click gets the cached result; the service is asked only without one, or for a refresh', async () => {
  const { lookups, request, requests, clock } = using();
  const { question } = request;
  expect(await lookups.cached(question)).toBeUndefined();
  expect(await lookups.read(question)).toEqual({ kind: 'ready', result: RESULT, readAt: START });
  clock.now += 1_000;
  expect(await lookups.read(question)).toMatchObject({ readAt: START });
  expect(await lookups.cached(question)).toMatchObject({ readAt: START });
  expect(requests()).toBe(1);
  expect(await lookups.readAnew(question)).toMatchObject({ readAt: START + 1_000 });
  expect(requests()).toBe(2);
});

test('A step that fails is repeated after a second, then after pauses that double up to a minute', () => {
  expect([1, 2, 3, 6, 7, 50].map(backOff)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
});
