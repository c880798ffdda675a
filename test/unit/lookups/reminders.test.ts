import { expect, test } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import type { LastRead } from '../../../src/lookups/lookup-status.ts';
import type { OpenReminder } from '../../../src/lookups/open-reminder.ts';
import type { JobQueue, Processor } from '../../../src/lookups/queue.ts';
import { REMINDER_FORMAT, type Reminder } from '../../../src/lookups/reminder.ts';
import { Reminders } from '../../../src/lookups/reminders.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const LIST = 'device';
const NEWER = arrived('26808470');

function arrived(id: string) {
  return { question: { snapshotId: snapshotId(id), set: 'all' as const }, host: '' };
}

function aReminder(user: string, at = 1_000): Reminder {
  return {
    id: `of-${user}-${at}`,
    acceptedAt: 0,
    at,
    question: { snapshotId: snapshotId('26808463'), set: 'all' },
    readAt: 0,
    destination: { channel: 'C1', user, messageTs: '1.1' },
    list: LIST,
  };
}

/** Reminders on a queue whose steps the test takes, with a function of the test in place of Slack. */
function fixture() {
  const state = { now: 0, mayRemind: true, isTaken: true, isWritable: true, canWake: true };
  const store = new MemoryStore(() => state.now);
  const jobs = new Map<string, Reminder>();
  const told: OpenReminder[] = [];
  const outcomes: string[] = [];
  let processor: Processor<Reminder> = async () => ({ done: true });
  const queue: JobQueue<Reminder> = {
    add: async (job) => {
      if (!state.isWritable) throw new StorageFailed(new Error('the disk is full'));
      jobs.set(job.id, job);
    },
    find: async () => undefined,
    wake: async (id) => {
      if (!state.canWake) throw new StorageFailed(new Error('away'));
      await step(id);
    },
    start: async (given) => {
      processor = given;
    },
    stop: async () => {},
    async *entries() {
      yield* jobs.values();
    },
    remove: async (id) => void jobs.delete(id),
    countOpen: async () => jobs.size,
    oldestAcceptedAt: async () => undefined,
  };
  const step = async (id: string) => {
    const job = jobs.get(id);
    if (job === undefined) throw new Error(`no job ${id}`);
    const taken = await processor(job, async () => {}, 0);
    if (taken.done) jobs.delete(id);
    return taken;
  };
  const reminders = new Reminders({
    queue,
    namespace: store.namespace('reminders'),
    mutex: store.mutex,
    delivery: {
      mayRemind: async () => state.mayRemind,
      remind: async (reminder) => {
        told.push(reminder);
        return state.isTaken;
      },
    },
    now: () => state.now,
    dayMs: 100,
    onOutcome: (outcome) => void outcomes.push(outcome),
  });
  return { reminders, jobs, told, outcomes, state, step, started: reminders.start() };
}

test('A reminder comes at its time, reminds once, and is deleted', async () => {
  const { reminders, jobs, told, outcomes, state, step } = fixture();
  const reminder = aReminder('U1');
  await reminders.set(reminder);
  expect(await step(reminder.id)).toEqual({ done: false, job: reminder, at: 1_000 });
  expect(told).toEqual([]);
  state.now = 1_000;
  expect(await step(reminder.id)).toEqual({ done: true });
  expect(told).toEqual([reminder]);
  expect(await reminders.find(reminder)).toBeUndefined();
  expect(jobs.size).toBe(0);
  expect(outcomes).toEqual(['set', 'reminded']);
});

test('A second reminder of a person about the same message replaces the first; that of another person does not', async () => {
  const { reminders, jobs } = fixture();
  await reminders.set(aReminder('U1'));
  await reminders.set(aReminder('U2'));
  await reminders.set(aReminder('U1', 2_000));
  expect([...jobs.keys()].toSorted()).toEqual(['of-U1-2000', 'of-U2-1000']);
  expect(await reminders.find(aReminder('U1'))).toMatchObject({ at: 2_000 });
});

test('A new result fulfils a reminder early, once for each snapshot; the reminder’s own snapshot does not', async () => {
  const { reminders, told, outcomes } = fixture();
  const found = { new: [{}, {}], changed: [], cleared: [{}] };
  const compare = async ({ question, readAt }: Reminder) =>
    ({ question, at: readAt, found }) as unknown as LastRead;
  await reminders.set(aReminder('U1'));
  await reminders.fulfil(LIST, arrived('26808463'), compare);
  await reminders.fulfil(LIST, arrived('26808462'), compare);
  await reminders.fulfil('other', NEWER, compare);
  expect(told).toEqual([]);
  await reminders.fulfil(LIST, NEWER, compare);
  await reminders.fulfil(LIST, NEWER, compare);
  expect(told.map(({ fulfilledBy }) => fulfilledBy)).toEqual([
    { question: NEWER.question, changes: { new: 2, changed: 0, cleared: 1 } },
  ]);
  expect(outcomes).toEqual(['set', 'fulfilled']);
});

test('A reminder is stored until its time, however far, and a week longer for a bot that was away', async () => {
  const { reminders, state } = fixture();
  const [day, week] = [24 * 3_600_000, 7 * 24 * 3_600_000];
  const late = aReminder('U1', 90 * day);
  await reminders.set(late);
  await reminders.set(aReminder('U2', day));
  state.now = 90 * day + week - 1;
  expect(await reminders.find(late)).toEqual(late);
  state.now += 1;
  expect(await reminders.find(late)).toBeUndefined();
});

test('A fulfilment that was stored but woke no job does so when the same result comes again; another result does not', async () => {
  const { reminders, told, state } = fixture();
  const compare = async () => undefined;
  await reminders.set(aReminder('U1'));
  state.canWake = false;
  await expect(reminders.fulfil(LIST, NEWER, compare)).rejects.toThrow(StorageFailed);
  state.canWake = true;
  await reminders.fulfil(LIST, arrived('26808471'), compare);
  expect(told).toEqual([]);
  await reminders.fulfil(LIST, NEWER, compare);
  expect(told.map(({ fulfilledBy }) => fulfilledBy)).toEqual([{ question: NEWER.question }]);
});

test('Only its owner can cancel a reminder, and then its job does nothing', async () => {
  const { reminders, jobs, told, step } = fixture();
  const reminder = aReminder('U1');
  await reminders.set(reminder);
  expect(await reminders.cancel(reminder, 'U2')).toBeUndefined();
  expect(await reminders.cancel(reminder, 'U1')).toEqual(reminder);
  // As when a replica takes a step just then.
  jobs.set(reminder.id, reminder);
  expect(await step(reminder.id)).toEqual({ done: true });
  expect(told).toEqual([]);
});

test('A reminder ends if Slack refuses it everywhere, and if the person may not see the result any more', async () => {
  const { reminders, told, outcomes, state, step } = fixture();
  for (const user of ['U1', 'U2']) await reminders.set(aReminder(user));
  Object.assign(state, { now: 1_000, isTaken: false });
  await step('of-U1-1000');
  state.mayRemind = false;
  await step('of-U2-1000');
  expect(told).toHaveLength(1);
  expect(outcomes.slice(2)).toEqual(['undeliverable', 'withheld']);
});

test('A reminder that can not be stored does not exist, and a list takes no more than fifty', async () => {
  const { reminders, state } = fixture();
  state.isWritable = false;
  await expect(reminders.set(aReminder('U1'))).rejects.toThrow(StorageFailed);
  expect(await reminders.find(aReminder('U1'))).toBeUndefined();
  state.isWritable = true;
  for (let user = 0; user < 50; user += 1) expect(await reminders.set(aReminder(`U${user}`))).toBe(true);
  expect(await reminders.set(aReminder('U50'))).toBe(false);
  expect(await reminders.set(aReminder('U49', 2_000))).toBe(true);
});

test('A reminder that a newer release wrote is left to that release', () => {
  const { read, version } = REMINDER_FORMAT;
  expect(read(version, aReminder('U1'))).toEqual(aReminder('U1'));
  expect(() => read(version + 1, aReminder('U1'))).toThrow(`state version ${version + 1}`);
});
