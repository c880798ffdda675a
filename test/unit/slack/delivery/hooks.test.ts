import { describe, expect, test } from 'vitest';
import type { Destination } from '../../../../src/core/destination.ts';
import { StorageFailed } from '../../../../src/core/faults.ts';
import type { Lookup, Question } from '../../../../src/core/lookup.ts';
import { DeviceHistory } from '../../../../src/lookups/device-history.ts';
import { HitSummaries } from '../../../../src/lookups/hit-summaries.ts';
import type { LookupStatus } from '../../../../src/lookups/lookup-status.ts';
import type { OpenReminder } from '../../../../src/lookups/open-reminder.ts';
import type { JobQueue } from '../../../../src/lookups/queue.ts';
import { listOf, type Reminder } from '../../../../src/lookups/reminder.ts';
import { Reminders } from '../../../../src/lookups/reminders.ts';
import { HistoryHook } from '../../../../src/slack/delivery/history-hook.ts';
import { HookedDelivery } from '../../../../src/slack/delivery/hooked-delivery.ts';
import { ReminderHook } from '../../../../src/slack/delivery/reminder-hook.ts';
import { searchPreparation } from '../../../../src/slack/delivery/search-preparation.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { aLookup } from '../../../support/a-lookup.ts';
import { aReminder } from '../../../support/a-reminder.ts';
import { MemoryStore } from '../../../support/memory-store.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const AT = 1_000_000;
const SHOWN: Destination = { channel: 'C1', user: 'U1', messageTs: '1.1' };
const [LEAK, CRASH] = [aDiagnostic({ name: 'D1', title: 'tmm leaks' }), aDiagnostic({ name: 'D2' })];
const WAITING: LookupStatus = { kind: 'waiting', since: AT, reason: '', isProcessing: true };

const question = (id: string, set: Question['set'] = 'all'): Question => ({
  snapshotId: snapshotId(id),
  set,
});
const ready = (readAt: number, ...hits: Parameters<typeof aResult>[0]) => ({
  kind: 'ready' as const,
  result: aResult(hits),
  readAt,
});
const asking = (id: string, asked: Partial<Lookup> = {}): Lookup => ({
  ...aLookup('one'),
  question: question(id),
  ...asked,
});
const event = (lookup: Lookup, status: LookupStatus, destination = SHOWN) => ({
  lookup,
  status,
  shown: { destination, isShown: true },
});

/** The history of devices and the reminders, on one store; a reminder of U1 about snapshot 1 in C1. */
async function remembering() {
  const store = new MemoryStore();
  const errors: unknown[] = [];
  const woken: string[] = [];
  const hitSummaries = new HitSummaries(store.namespace('hit-summaries'), 60_000);
  const history = new DeviceHistory({
    namespace: store.namespace('device-reads'),
    hitSummaries,
    mutex: store.mutex,
    historyMs: 60_000,
    workspace: async () => 'T1',
    onError: (error) => void errors.push(error),
  });
  const queue = { add: async () => {}, wake: async (id: string) => void woken.push(id) };
  const namespace = store.namespace<readonly OpenReminder[]>('reminders');
  const reminders = new Reminders({
    queue: queue as unknown as JobQueue<Reminder>,
    namespace,
    mutex: store.mutex,
    delivery: { mayRemind: async () => true, remind: async () => true },
    now: () => AT,
    dayMs: 1,
    onOutcome: () => {},
  });
  const device = (await history.nameOf(aResult([]))) ?? '';
  const list = listOf('C1', device);
  await reminders.set({ ...aReminder('due'), question: question('1'), readAt: AT, list });
  const open = async () => (await namespace.get(list)) ?? [];
  const reminding = new ReminderHook(history, reminders);
  return { history, hitSummaries, reminding, namespace, errors, woken, open };
}

describe('The history of a device', () => {
  test('adds the last result of the device to a result, and to nothing else', async () => {
    const { history, reminding, errors } = await remembering();
    const hook = new HistoryHook(history, reminding);
    const result = ready(AT + 1, LEAK);
    expect(await hook.before(asking('2'), result)).toBe(result);
    await hook.after(event(asking('1'), ready(AT, LEAK)));
    expect(await hook.before(asking('2'), result)).toEqual({
      ...result,
      lastRead: { question: question('1'), at: AT, found: undefined },
    });
    const compared = asking('2', { before: question('0') });
    expect(await hook.before(compared, result)).toBe(result);
    expect(await hook.before(asking('2'), WAITING)).toBe(WAITING);
    expect(errors).toEqual([]);
  });

  test('records a result, both of a comparison, the earlier one first, and nothing else', async () => {
    const { history, reminding, errors } = await remembering();
    const hook = new HistoryHook(history, reminding);
    const last = async () => (await history.find(question('9'), ready(AT + 9)))?.question.snapshotId;
    await hook.after(event(asking('1'), WAITING));
    expect(await last()).toBeUndefined();
    const before = { result: aResult([LEAK]), readAt: AT };
    const compared = asking('3', { before: question('2') });
    await hook.after(event(compared, { ...ready(AT + 1, CRASH), before }));
    expect(await last()).toBe('3');
    expect(await history.find(question('9'), ready(AT + 1))).toMatchObject({ question: question('2') });
    await hook.after(event(asking('5', { before: question('4') }), ready(AT + 2, CRASH)));
    expect(await last()).toBe('5');
    await hook.after(event(asking('6'), { ...ready(AT + 3, CRASH), before }));
    expect(await last()).toBe('6');
    expect(errors).toEqual([]);
  });
});

describe('Those who wait for a new result of a device', () => {
  test('are told of one in their conversation, with what changed since theirs', async () => {
    const { reminding, hitSummaries, woken, open } = await remembering();
    await hitSummaries.keep(question('1'), aResult([LEAK]), AT);
    await reminding.after(event(asking('2'), ready(AT + 1, CRASH)));
    const changes = { new: 1, changed: 0, cleared: 1 };
    expect(await open()).toMatchObject([{ id: 'due', fulfilledBy: { question: question('2'), changes } }]);
    expect(woken).toEqual(['due']);
  });

  const url = { url: 'https://hooks.slack.test/x', expiresAt: AT, replaces: false };
  test.each<[string, Lookup, LookupStatus, Destination]>([
    ['a wait', asking('2'), WAITING, SHOWN],
    ['passed checks alone', asking('2', { question: question('2', 'miss') }), ready(AT + 1, LEAK), SHOWN],
    ['a private result', asking('2'), ready(AT + 1), { ...SHOWN, response: { ...url, isInUse: true } }],
    ['a result elsewhere', asking('2'), ready(AT + 1), { ...SHOWN, channel: 'C2' }],
    ['their own snapshot', asking('1'), ready(AT + 1), SHOWN],
    [
      'a device without a serial number',
      asking('2'),
      {
        ...ready(AT + 1),
        result: { ...aResult([]), device: { hostname: 'a', chassisSerial: '', platform: '' } },
      },
      SHOWN,
    ],
  ])('are not told of %s', async (_what, lookup, status, shown) => {
    const { reminding, open } = await remembering();
    await reminding.after(event(lookup, status, shown));
    expect((await open())[0]).not.toHaveProperty('fulfilledBy');
  });

  test('are not told of a snapshot that was read before', async () => {
    const { reminding, history, open } = await remembering();
    await history.keep(question('2'), ready(AT, LEAK));
    await reminding.after(event(asking('2'), ready(AT + 1, LEAK)));
    expect((await open())[0]).not.toHaveProperty('fulfilledBy');
  });

  test('are told by the next try where the store was away: until then the result is not recorded as read', async () => {
    const { history, reminding, namespace, woken } = await remembering();
    const delivery = new HookedDelivery(
      {
        mayStillSee: async () => true,
        deliver: async () => ({ destination: SHOWN, isShown: true }),
      },
      [new HistoryHook(history, reminding)],
      () => {},
    );
    const { get } = namespace;
    namespace.get = () => Promise.reject(new StorageFailed());
    const deliver = () => delivery.deliver(asking('2'), ready(AT + 1, LEAK), async () => {});
    await expect(deliver()).rejects.toThrow(StorageFailed);
    namespace.get = get;
    await deliver();
    expect(woken).toEqual(['due']);
    expect(await history.wasRead(question('2'), ready(AT + 2))).toBe(true);
  });
});

describe('A search', () => {
  test('is made in a result before its message is', async () => {
    const status = ready(AT, LEAK, CRASH);
    const found = await searchPreparation.before?.(asking('1', { search: ['tmm'] }), status);
    expect(found).toEqual({ ...status, found: { matches: new Set([LEAK]), verdicts: [] } });
  });

  test('is made only where one was asked for, and in a result', async () => {
    const status = ready(AT, LEAK);
    expect(await searchPreparation.before?.(asking('1'), status)).toBe(status);
    expect(await searchPreparation.before?.(asking('1', { search: ['tmm'] }), WAITING)).toBe(WAITING);
  });
});
