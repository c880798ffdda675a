import { describe, expect, test } from 'vitest';
import type { Destination } from '../../../../src/core/destination.ts';
import { StorageFailed } from '../../../../src/core/faults.ts';
import type { Lookup, Question } from '../../../../src/core/lookup.ts';
import { DeviceHistory } from '../../../../src/lookups/device-history.ts';
import { HitSummaries } from '../../../../src/lookups/hit-summaries.ts';
import type { LookupStatus } from '../../../../src/lookups/lookup-status.ts';
import type { OpenReminder } from '../../../../src/lookups/open-reminder.ts';
import type { JobQueue } from '../../../../src/lookups/queue.ts';
import type { Reminder } from '../../../../src/lookups/reminder.ts';
import { Reminders } from '../../../../src/lookups/reminders.ts';
import { HistoryHook } from '../../../../src/slack/delivery/history-hook.ts';
import { HookedDelivery } from '../../../../src/slack/delivery/hooked-delivery.ts';
import { searchPreparation } from '../../../../src/slack/delivery/search-preparation.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { aLookup } from '../../../support/a-lookup.ts';
import { aReminder } from '../../../support/a-reminder.ts';
import { MemoryStore } from '../../../support/memory-store.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const AT = 1_000_000;
const SHOWN: Destination = { channel: 'C1', user: 'U1', messageTs: '1.1' };
const PRIVATE: Destination = {
  ...SHOWN,
  response: { url: 'https://hooks.slack.test/x', expiresAt: AT, replaces: false, isInUse: true },
};
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
  await reminders.set({ ...aReminder('due'), question: question('1'), readAt: AT, list: device, host: 'a' });
  const open = async () => (await namespace.get(device)) ?? [];
  const hook = new HistoryHook(history, reminders);
  return { history, hitSummaries, hook, namespace, errors, woken, open };
}

describe('The history of a device', () => {
  test('adds the last result of the device to a result, and to nothing else', async () => {
    const { hook, errors } = await remembering();
    const result = ready(AT + 1, LEAK);
    expect(await hook.before(asking('2'), result)).toBe(result);
    await hook.after(event(asking('1'), ready(AT, LEAK)));
    expect(await hook.before(asking('2'), result)).toEqual({
      ...result,
      lastRead: expect.objectContaining({ question: question('1'), at: AT, isNewer: false }),
    });
    const compared = asking('2', { before: question('0') });
    expect(await hook.before(compared, result)).toBe(result);
    expect(await hook.before(asking('2'), WAITING)).toBe(WAITING);
    expect(errors).toEqual([]);
  });

  test('records a result, both of a comparison, the earlier one first, and nothing else', async () => {
    const { history, hook, errors } = await remembering();
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
  test.each([SHOWN, { ...SHOWN, channel: 'C2' }, { ...SHOWN, channel: 'D1' }, PRIVATE])(
    'are told of one, wherever it was read, with what changed since theirs: %#',
    async (shown) => {
      const { hook, hitSummaries, woken, open } = await remembering();
      await hitSummaries.keep(question('1'), aResult([LEAK]), AT);
      await hook.after(event(asking('2'), ready(AT + 1, CRASH), shown));
      const changes = { new: 1, changed: 0, cleared: 1 };
      expect(await open()).toMatchObject([{ id: 'due', fulfilledBy: { question: question('2'), changes } }]);
      expect(woken).toEqual(['due']);
    },
  );

  test.each<[string, Lookup, LookupStatus]>([
    ['a wait', asking('2'), WAITING],
    ['passed checks alone', asking('2', { question: question('2', 'miss') }), ready(AT + 1, LEAK)],
    ['their own snapshot', asking('1'), ready(AT + 1)],
    ['an older snapshot', asking('0'), ready(AT + 1)],
    [
      'another host of the chassis',
      asking('2'),
      { ...ready(AT + 1), result: { ...aResult([]), device: { ...aResult([]).device, hostname: 'b' } } },
    ],
    [
      'a device without a serial number',
      asking('2'),
      {
        ...ready(AT + 1),
        result: { ...aResult([]), device: { hostname: 'a', chassisSerial: '', platform: '' } },
      },
    ],
  ])('are not told of %s', async (_what, lookup, status) => {
    const { hook, open } = await remembering();
    await hook.after(event(lookup, status));
    expect((await open())[0]).not.toHaveProperty('fulfilledBy');
  });

  test('are told of a snapshot that was read before they asked', async () => {
    const { hook, history, woken } = await remembering();
    await history.keep(question('2'), ready(AT, LEAK));
    await hook.after(event(asking('2'), ready(AT + 1, LEAK)));
    expect(woken).toEqual(['due']);
  });

  test('are told by the next try where the store was away', async () => {
    const { hook, namespace, woken } = await remembering();
    const delivery = new HookedDelivery(
      {
        mayStillSee: async () => true,
        deliver: async () => ({ destination: SHOWN, isShown: true }),
      },
      [hook],
      () => {},
    );
    const { get } = namespace;
    namespace.get = () => Promise.reject(new StorageFailed());
    const deliver = () => delivery.deliver(asking('2'), ready(AT + 1, LEAK), async () => {});
    await expect(deliver()).rejects.toThrow(StorageFailed);
    namespace.get = get;
    await deliver();
    expect(woken).toEqual(['due']);
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
