import { describe, expect, test } from 'vitest';
import { StorageFailed } from '../../../../../src/core/faults.ts';
import type { Processor, Reminder } from '../../../../../src/lookups/queue.ts';
import { Reminders } from '../../../../../src/slack/features/remind/reminders.ts';
import type { DeliveryEvent } from '../../../../../src/slack/front/feature.ts';
import { aDiagnostic, aResult } from '../../../../support/a-diagnostic.ts';
import { aLookup } from '../../../../support/a-lookup.ts';
import { featureParts } from '../../../../support/feature-parts.ts';
import type { ScriptedAnswer, ScriptedCall } from '../../../../support/scripted-slack.ts';
import { snapshotId } from '../../../../support/snapshot-id.ts';

const DUE_AT = 1_000;
const CRASH = aDiagnostic({ name: 'D2' });

/** Reminders on a queue whose steps the test takes; Slack takes every post unless `answer` says something else. */
async function reminding(answer: (call: ScriptedCall) => ScriptedAnswer | undefined = () => undefined) {
  const state = { isWritable: true, canWake: true, canRemove: true, watched: [] as string[] };
  const jobs = new Map<string, Reminder>();
  let processor: Processor<Reminder> = async () => ({ done: true });
  const step = async (id: string) => {
    const job = jobs.get(id);
    if (job === undefined) throw new Error(`no job ${id}`);
    const taken = await processor(job, async () => {}, 0);
    if (taken.done) jobs.delete(id);
    return taken;
  };
  const parts = featureParts((call) => answer(call) ?? { channel: 'C9', ts: '9.9' }, {
    add: async (job) => {
      if (!state.isWritable) throw new StorageFailed();
      return jobs.set(job.id, job).size > 0;
    },
    wake: async (id) => {
      if (!state.canWake) throw new StorageFailed();
      await step(id);
    },
    start: async (given) => {
      processor = given;
    },
    remove: async (id) => {
      if (!state.canRemove) throw new StorageFailed();
      jobs.delete(id);
    },
  });
  const watching = async () =>
    state.watched.map((id) => ({ snapshotId: snapshotId(id), worth: 'any' as const, until: 0, device: '' }));
  const reminders = new Reminders(parts, { of: watching });
  await reminders.start();
  const list = (await parts.history.nameOf(aResult([]))) ?? '';
  const aReminder = (user: string, changes: Partial<Reminder> = {}): Reminder => ({
    id: `of-${user}`,
    acceptedAt: 0,
    at: DUE_AT,
    question: { snapshotId: snapshotId('99'), set: 'all' },
    readAt: 0,
    destination: { channel: 'C1', user, messageTs: '1.1' },
    list,
    host: 'a',
    ...changes,
  });
  /** The outcome of a reminder whose time has come. */
  const due = async (changes: Partial<Reminder> = {}) => {
    const reminder = aReminder('U1', changes);
    await reminders.set(reminder);
    parts.clock.now = reminder.at;
    await step(reminder.id);
    return parts.outcomes.at(-1);
  };
  const posts = () => parts.calls.filter(({ method }) => method === 'chat.postMessage');
  const places = () => posts().map(({ args: { channel, thread_ts } }) => [channel, thread_ts]);
  return { ...parts, state, jobs, step, reminders, aReminder, due, posts, places };
}

/** A snapshot of the device has a result. */
function read(id: string, changes: Partial<Reminder['question']> = {}, device: object = {}) {
  const result = aResult([CRASH]);
  return {
    kind: 'ready' as const,
    question: { snapshotId: snapshotId(id), set: 'all' as const, ...changes },
    result: { ...result, device: { ...result.device, hostname: 'a', ...device } },
    readAt: 500,
  };
}

/** It has arrived, in whatever conversation. */
function arrival(...of: Parameters<typeof read>): DeliveryEvent {
  const { question, ...status } = read(...of);
  const shown = { destination: { channel: 'D1', user: 'U9' }, isShown: true };
  return { lookup: { ...aLookup('one'), question }, status, shown };
}

const OTHER = { chassisSerial: 'chs2', hostname: 'b' };

describe('A reminder', () => {
  test.each<[string, Partial<Reminder>, boolean]>([
    ['the same message, whatever it shows', { question: { snapshotId: snapshotId('98'), set: 'hit' } }, true],
    ['another message', { destination: { channel: 'C1', user: 'U1', messageTs: '2.2' } }, false],
    ['another conversation', { destination: { channel: 'C2', user: 'U1', messageTs: '1.1' } }, false],
    ['another person', { destination: { channel: 'C1', user: 'U2', messageTs: '1.1' } }, false],
    ['a private message', { destination: { channel: 'C1', user: 'U1' } }, false],
  ])('about %s: takes the place of the first: %#', async (_what, changes, isReplaced) => {
    const { reminders, aReminder, jobs } = await reminding();
    await reminders.set(aReminder('U1'));
    await reminders.set(aReminder('U1', { id: 'second', at: 2_000, ...changes }));
    expect([...jobs.keys()]).toEqual(isReplaced ? ['second'] : ['of-U1', 'second']);
    expect(await reminders.find(aReminder('U1'))).toMatchObject({ at: isReplaced ? 2_000 : DUE_AT });
  });

  test('of private messages: there is one for each snapshot', async () => {
    const { reminders, aReminder, jobs } = await reminding();
    const destination = { channel: 'C1', user: 'U1' };
    const other = { snapshotId: snapshotId('98'), set: 'all' } as const;
    await reminders.set(aReminder('U1', { id: 'one', destination }));
    await reminders.set(aReminder('U1', { id: 'two', destination, question: other }));
    await reminders.set(aReminder('U1', { id: 'three', destination }));
    expect([...jobs.keys()]).toEqual(['two', 'three']);
  });

  test('is stored until its time, however far, and a week longer for a bot that was away', async () => {
    const { reminders, aReminder, clock } = await reminding();
    const [day, week] = [24 * 3_600_000, 7 * 24 * 3_600_000];
    const late = aReminder('U1', { at: 90 * day });
    await reminders.set(late);
    await reminders.set(aReminder('U2', { at: day }));
    clock.now = 90 * day + week - 1;
    expect(await reminders.find(late)).toEqual(late);
    clock.now += 1;
    expect(await reminders.find(late)).toBeUndefined();
  });

  test('can be cancelled by its owner alone, and then its job does nothing', async () => {
    const { reminders, aReminder, jobs, step, clock, calls } = await reminding();
    const reminder = aReminder('U1');
    const other = aReminder('U1', { id: 'other', destination: { channel: 'C1', user: 'U1' } });
    await reminders.set(other);
    await reminders.set(reminder);
    expect(await reminders.cancel(reminder, 'U2')).toBeUndefined();
    expect(await reminders.cancel(reminder, 'U1')).toEqual(reminder);
    expect(await reminders.find(other)).toEqual(other);
    // As when a replica takes a step just then.
    jobs.set(reminder.id, reminder);
    clock.now = DUE_AT;
    expect(await step(reminder.id)).toEqual({ done: true });
    expect(calls).toEqual([]);
  });

  test('is replaced and cancelled also where its job can’t be removed', async () => {
    const { reminders, aReminder, state } = await reminding();
    const second = aReminder('U1', { id: 'second' });
    await reminders.set(aReminder('U1'));
    state.canRemove = false;
    expect(await reminders.set(second)).toBe(true);
    expect(await reminders.cancel(second, 'U1')).toEqual(second);
  });

  test('waits for its time, and is over after it; from who lost access it is withheld', async () => {
    const { reminders, aReminder, step, due, calls } = await reminding();
    const gone = { destination: { channel: 'C0GONE', user: 'U1', messageTs: '1.1' } };
    const first = aReminder('U1', { ...gone, id: 'first' });
    await reminders.set(first);
    expect(await step('first')).toEqual({ done: false, job: first, at: DUE_AT });
    expect(await due(gone)).toBe('withheld');
    expect([calls, await reminders.find(first)]).toEqual([[], undefined]);
  });

  test('that can not be stored does not exist, and a device has no more than fifty', async () => {
    const { reminders, aReminder, state } = await reminding();
    state.isWritable = false;
    await expect(reminders.set(aReminder('U1'))).rejects.toThrow(StorageFailed);
    expect(await reminders.find(aReminder('U1'))).toBeUndefined();
    state.isWritable = true;
    for (let user = 0; user < 50; user += 1) expect(await reminders.set(aReminder(`U${user}`))).toBe(true);
    expect(await reminders.set(aReminder('U50'))).toBe(false);
    expect(await reminders.set(aReminder('U49', { id: 'again' }))).toBe(true);
  });
});

describe('The reply of a reminder', () => {
  const ARCHIVED = (to: string) => (call: ScriptedCall) =>
    call.args.channel === 'C1' ? 'is_archived' : to === '' ? undefined : to;

  test('comes in the thread in which its message is, and names a watch of that snapshot alone', async () => {
    const { due, places, posts, state } = await reminding();
    state.watched = ['98'];
    await due({ destination: { channel: 'C1', user: 'U1', messageTs: '1.1', threadTs: '0.5' } });
    expect(places()).toEqual([['C1', '0.5']]);
    expect(posts()[0]?.args.text).not.toContain('You watch it');
  });

  test('comes directly for a private message, also for one in a thread', async () => {
    const { due, places } = await reminding();
    await due({ destination: { channel: 'C1', user: 'U1', threadTs: '0.5' } });
    expect(places()).toEqual([['U1', undefined]]);
  });

  test.each([
    ['', 'reminded', 0],
    ['user_disabled', 'undeliverable', 1],
  ])(
    'comes directly where Slack refuses it there; refused with “%s” it is given up',
    async (to, said, warned) => {
      const { due, places, log } = await reminding(ARCHIVED(to));
      expect(await due()).toBe(said);
      expect(places()).toEqual([
        ['C1', '1.1'],
        ['U1', undefined],
      ]);
      expect(log.filter((line) => line.includes('user_disabled'))).toHaveLength(warned);
    },
  );

  test('that has not arrived is posted after all', async () => {
    let tries = 0;
    const { due, step, places } = await reminding(({ method }) => {
      if (method !== 'chat.postMessage') return { messages: [] };
      tries += 1;
      return tries === 1 ? 'internal_error' : undefined;
    });
    await expect(due()).rejects.toThrow();
    await step('of-U1');
    expect(places()).toEqual(Array(2).fill(['C1', '1.1']));
  });

  test('that can’t be made, because of a bug, is given up: its step would only be repeated', async () => {
    const { due, calls, log } = await reminding();
    expect(await due({ fulfilledBy: {} } as Partial<Reminder>)).toBe('undeliverable');
    expect(log.join()).toContain('a message could not be made');
    expect(calls).toEqual([]);
  });
});

describe('A new result of the device', () => {
  test.each<[string, DeliveryEvent, boolean]>([
    ['a newer snapshot', arrival('100'), true],
    ['a newer one of a host whose name is not known', arrival('100', {}, { hostname: '' }), true],
    ['an older one with more digits', arrival('0098'), false],
    ['passed checks alone', arrival('100', { set: 'miss' }), false],
    ['a device without a serial number', arrival('100', {}, { chassisSerial: '' }), false],
    ['a wait', { ...arrival('100'), status: { kind: 'cancelled' } }, false],
  ])('fulfils a reminder early if it is of a newer snapshot: %s', async (_what, event, isFulfilled) => {
    const { reminders, aReminder, outcomes } = await reminding();
    await reminders.set(aReminder('U1'));
    await reminders.after(event);
    expect(outcomes).toEqual(isFulfilled ? ['set', 'fulfilled'] : ['set']);
  });

  test.each([
    ['a newer', read('200', {}, OTHER), read('100'), [expect.stringContaining('the same device, 100')]],
    ['an older', read('98'), read('200', {}, OTHER), []],
  ])(
    'of several that were read together is one of its own device, here %s one',
    async (_what, first, last, told) => {
      const units = [first, last];
      const { reminders, aReminder, posts } = await reminding();
      await reminders.set(aReminder('U1'));
      for (const { question } of units) {
        const { lookup, shown } = arrival(question.snapshotId);
        // The answer to several has the result of the first one.
        await reminders.after({ lookup, status: { ...first, units }, shown });
      }
      expect(posts().map(({ args }) => args.text)).toEqual(told);
    },
  );

  test('that was stored but woke no job does so when it comes again; another one does not', async () => {
    const { reminders, aReminder, outcomes, posts, state } = await reminding();
    await reminders.set(aReminder('U1'));
    state.canWake = false;
    // Two that come at once both find it open: the first stays the one.
    const came = await Promise.allSettled(['100', '101'].map((id) => reminders.after(arrival(id))));
    expect(came).toMatchObject(came.map(() => ({ reason: new StorageFailed() })));
    state.canWake = true;
    await reminders.after(arrival('101'));
    expect(outcomes).toEqual(['set']);
    await reminders.after(arrival('100'));
    expect(posts().map(({ args }) => String(args.text))).toEqual([expect.stringContaining(', 100')]);
  });
});
