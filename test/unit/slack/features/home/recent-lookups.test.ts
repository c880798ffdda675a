import { expect, test } from 'vitest';
import { type Fault, Forbidden, SnapshotNotFound, StorageFailed } from '../../../../../src/core/faults.ts';
import type { Destination, Lookup } from '../../../../../src/core/lookup.ts';
import type { Namespace } from '../../../../../src/core/store.ts';
import type { LookupStatus } from '../../../../../src/lookups/lookup-status.ts';
import {
  listRecent,
  type RecentLookup,
  recentLookups,
} from '../../../../../src/slack/features/home/recent-lookups.ts';
import { aDiagnostic, aResult } from '../../../../support/a-diagnostic.ts';
import { aLookup } from '../../../../support/a-lookup.ts';
import { featureParts } from '../../../../support/feature-parts.ts';
import { snapshotId } from '../../../../support/snapshot-id.ts';

const START = 1_000_000;
const DAY_MS = 24 * 3_600_000;
const WAITING: LookupStatus = { kind: 'waiting', since: START, reason: '', isProcessing: true };
const READY: LookupStatus = { kind: 'ready', result: aResult([aDiagnostic(), aDiagnostic()]), readAt: START };
const SHOWN: Destination = { channel: 'C1', user: 'U1', messageTs: '1.1' };

/** A snapshot of its own for each lookup. */
function of(id: string) {
  const number = [...id].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7) % 100_000_000;
  return { snapshotId: snapshotId(String(number)), set: 'all' as const };
}

function listing(historyMs = 30 * DAY_MS) {
  const parts = featureParts();
  const { clock, log, store } = parts;
  clock.now = START;
  const namespace = store.namespace<readonly RecentLookup[]>('recents');
  store.namespace = <Value>() => namespace as Namespace<Value>;
  const kept = { ...parts, retention: { ...parts.retention, historyMs } };
  const recents = { of: (user: string) => recentLookups(user, kept) };
  const tell = (lookup: Partial<Lookup>, status: LookupStatus, destination = SHOWN) =>
    listRecent(
      {
        lookup: { ...aLookup('one'), question: of(lookup.id ?? 'one'), acceptedAt: START, ...lookup },
        status,
        shown: { destination, isShown: true },
      },
      kept,
    );
  return { clock, namespace, recents, log, tell };
}

const named = (name: string) => aDiagnostic({ name });
const [LEAK, CRASH, HANG] = [named('D1'), named('D2'), named('D3')];
const before = { snapshotId: snapshotId('1'), set: 'hit' as const };
const miss = { snapshotId: snapshotId('1'), set: 'miss' as const };
const failed = (fault: Fault) => ({ kind: 'failed' as const, fault, question: miss });
const compared = (was: Parameters<typeof aResult>[0], stated = {}, now = { hits: 1 }): LookupStatus => {
  const result = { ...aResult([CRASH]), stated: now };
  return {
    kind: 'ready',
    result,
    readAt: START,
    before: { result: { ...aResult(was), stated }, readAt: START },
  };
};
const eight: LookupStatus = {
  ...READY,
  units: Array.from({ length: 8 }, (_, at) => {
    const hostname = at === 5 ? 'balancer-05' : `balance-${at}`;
    const device = { hostname, chassisSerial: `chs${at}`, platform: '' };
    const result = { ...aResult(Array.from({ length: 30 }, () => aDiagnostic())), device };
    return { kind: 'ready', question: of(`${at}`), result, readAt: START };
  }),
};
const passed = aResult([aDiagnostic({ match: 'miss' }), aDiagnostic({ match: 'miss' }), LEAK]);

test.each<[string, Partial<Lookup>, LookupStatus, string]>([
  ['a wait', {}, WAITING, ''],
  ['passed checks', { question: miss }, { kind: 'ready', result: passed, readAt: START }, '2 checks passed'],
  ['a comparison', { before }, compared([LEAK, HANG], { hits: 2 }), '1 new, 2 cleared'],
  ['a comparison with a document that is not whole', { before }, compared([LEAK], { hits: 9 }), ''],
  ['a comparison of which the later one is not whole', { before }, compared([LEAK], {}, { hits: 9 }), ''],
  [
    'eight snapshots',
    {},
    eight,
    'balance-0: 30 hits; balance-1: 30 hits; balance-2: 30 hits; balance-3: 30 hits; balance-4: 30 hits; balancer-05: 30 hits; +2',
  ],
  ['a snapshot that is not there', {}, failed(new SnapshotNotFound()), 'the service has no snapshot 1'],
  ['a snapshot of others', {}, failed(new Forbidden()), 'the bot’s account has no access to 1'],
  ['a store that is away', {}, failed(new StorageFailed()), ''],
])('What came of %s is said in a word', async (_what, asked, status, expected) => {
  const { recents, tell } = listing();
  await tell(asked, status);
  expect((await recents.of('U1'))[0]?.findings).toBe(expected);
});

test('A device is named by its host, else by its serial number, else not at all, and never at length', async () => {
  const { recents, tell } = listing();
  const deviceOf = async (hostname: string, chassisSerial: string) => {
    const result = { ...aResult([]), device: { hostname, chassisSerial, platform: '' } };
    await tell({ id: hostname + chassisSerial }, { kind: 'ready', result, readAt: START });
    return (await recents.of('U1')).find(({ lookupId }) => lookupId === hostname + chassisSerial)?.device;
  };
  expect(await deviceOf('edge-7', 'chs1')).toBe('edge-7');
  expect(await deviceOf('', 'chs1')).toBe('chs1');
  expect(await deviceOf('', '')).toBeUndefined();
  expect((await deviceOf('x'.repeat(100), 'chs1'))?.length).toBe(60);
});

test('Of one snapshot only the latest lookup is listed, and the one that waits before it', async () => {
  const { recents, tell } = listing();
  const question = { snapshotId: snapshotId('5'), set: 'hit' as const };
  await tell({ id: 'first', question, acceptedAt: START }, READY);
  await tell({ id: 'second', question: { ...question, set: 'all' }, acceptedAt: START + 1 }, READY);
  await tell({ id: 'compared', question, before: question, acceptedAt: START + 2 }, READY);
  const ids = async () => (await recents.of('U1')).map(({ lookupId }) => lookupId);
  expect(await ids()).toEqual(['compared', 'second']);
  const earlier = { ...question, snapshotId: snapshotId('4') };
  await tell({ id: 'with another', question, before: earlier, acceptedAt: START - 1 }, READY);
  await tell({ id: 'the other way', question: earlier, before: question, acceptedAt: START - 2 }, READY);
  await tell({ id: 'side by side', question, others: [earlier], acceptedAt: START - 3 }, READY);
  expect(await ids()).toEqual(['compared', 'second', 'with another', 'the other way', 'side by side']);
  await tell({ id: 'first', question, acceptedAt: START }, WAITING);
  expect(await ids()).toEqual(['first', 'compared', 'with another', 'the other way', 'side by side']);
});

const url = { url: 'https://hooks.slack.test/x', expiresAt: START, replaces: false };
test.each<[string, Destination, string | undefined]>([
  ['goes on privately', { ...SHOWN, response: { ...url, isInUse: true } }, undefined],
  ['is replaced privately', { ...SHOWN, response: { ...url, replaces: true } }, undefined],
  ['has no name yet', { channel: 'C1', user: 'U1' }, undefined],
  ['did not need its address', { ...SHOWN, response: url }, '1.1'],
])('A message that %s is linked to if everybody sees it', async (_what, destination, ts) => {
  const { recents, tell } = listing();
  await tell({}, READY, destination);
  expect((await recents.of('U1'))[0]?.ts).toBe(ts);
});

test('Ten are listed and thirty kept, and the oldest are lost', async () => {
  const { recents, tell, namespace } = listing();
  for (let index = 0; index < 32; index += 1) {
    await tell({ id: `lookup-${index}`, acceptedAt: START + index }, READY);
  }
  const newest = (count: number) => Array.from({ length: count }, (_, index) => `lookup-${31 - index}`);
  const ids = (list: readonly RecentLookup[] | undefined) => list?.map(({ lookupId }) => lookupId);
  expect(ids(await recents.of('U1'))).toEqual(newest(10));
  expect(ids(await namespace.get('U1'))).toEqual(newest(30));
});

test.each([
  [30 * DAY_MS, 7 * DAY_MS],
  [2 * DAY_MS, 2 * DAY_MS],
])('Where history is kept for %i ms, the list is for %i', async (historyMs, ttlMs) => {
  const { recents, tell, clock } = listing(historyMs);
  await tell({}, READY);
  clock.now += ttlMs - 1;
  expect(await recents.of('U1')).toHaveLength(1);
  clock.now += 1;
  expect(await recents.of('U1')).toEqual([]);
});

test('A step that changes nothing writes nothing; another message or state does', async () => {
  const { tell, namespace, log } = listing();
  let writes = 0;
  const set = namespace.set.bind(namespace);
  namespace.set = (...args) => {
    writes += 1;
    return set(...args);
  };
  await tell({}, WAITING);
  await tell({}, WAITING);
  expect(writes).toBe(1);
  await tell({}, WAITING, { ...SHOWN, messageTs: '2.2' });
  await tell({}, READY, { ...SHOWN, messageTs: '2.2' });
  await tell({ id: 'two' }, READY, { ...SHOWN, messageTs: '2.2' });
  expect(writes).toBe(4);
  // A write that fails is only logged.
  expect(log).toEqual([]);
});

test('Several that end at once are all listed', async () => {
  const { recents, tell } = listing();
  await Promise.all(['one', 'two', 'three'].map((id) => tell({ id }, READY)));
  expect(await recents.of('U1')).toHaveLength(3);
});

test('A list that can’t be stored delays no answer; the failure to read one is thrown', async () => {
  const { recents, tell, namespace, log } = listing();
  namespace.get = () => Promise.reject(new StorageFailed());
  await tell({}, READY);
  expect(log).toHaveLength(1);
  await expect(recents.of('U1')).rejects.toThrow(StorageFailed);
});
