import { describe, expect, test } from 'vitest';
import type { Destination } from '../../../../src/core/destination.ts';
import type { Lookup, Question } from '../../../../src/core/lookup.ts';
import { DeviceHistory } from '../../../../src/lookups/device-history.ts';
import { HitSummaries } from '../../../../src/lookups/hit-summaries.ts';
import type { LookupStatus } from '../../../../src/lookups/lookup-status.ts';
import { HistoryHook } from '../../../../src/slack/delivery/history-hook.ts';
import { searchPreparation } from '../../../../src/slack/delivery/search-preparation.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { aLookup } from '../../../support/a-lookup.ts';
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
const event = (lookup: Lookup, status: LookupStatus) => ({
  lookup,
  status,
  shown: { destination: SHOWN, isShown: true },
});

/** The history of devices, on a store. */
function remembering() {
  const store = new MemoryStore();
  const errors: unknown[] = [];
  const history = new DeviceHistory({
    namespace: store.namespace('device-reads'),
    hitSummaries: new HitSummaries(store.namespace('hit-summaries'), 60_000),
    mutex: store.mutex,
    historyMs: 60_000,
    workspace: async () => 'T1',
    onError: (error) => void errors.push(error),
  });
  return { history, hook: new HistoryHook(history), errors };
}

describe('The history of a device', () => {
  test('adds the last result of the device to a result, and to nothing else', async () => {
    const { hook, errors } = remembering();
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
    const { history, hook, errors } = remembering();
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
