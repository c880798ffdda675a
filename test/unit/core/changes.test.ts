import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { changesOf } from '../../../src/core/changes.ts';
import type { Leases } from '../../../src/core/lease.ts';
import { aStore } from '../../support/embedded.ts';

type Names = readonly string[];

/** Stored lists of names, whose calls are counted, and what adds a name to one. */
function lists(stored = new Map<string, Names>()) {
  const get = vi.fn(async (key: string) => stored.get(key));
  const set = vi.fn(async (key: string, names: Names, _ttlMs?: number) => void stored.set(key, names));
  const remove = vi.fn(async (key: string) => void stored.delete(key));
  const adding = (leases?: Leases) => {
    const change = changesOf<Names>({ get, set, delete: remove }, 'recents', leases);
    return (key: string, name: string) =>
      change(
        key,
        (before = []) => [...before, name],
        (after) => after.length * 1_000,
      );
  };
  return { stored, get, set, remove, adding };
}

const ways = [
  ['of one process', () => undefined],
  ['among several', () => aStore().leases],
] as const;

afterEach(() => void vi.useRealTimers());

test.each(ways)(
  'Changes %s that come at once are all made, in their order, and each learns its own',
  async (_, leases) => {
    const { stored, adding } = lists();
    const add = adding(leases());
    const changed = await Promise.all(['a', 'b', 'c'].map((name) => add('U1', name)));
    expect(stored.get('U1')).toEqual(['a', 'b', 'c']);
    expect(changed).toEqual([
      [undefined, ['a']],
      [['a'], ['a', 'b']],
      [
        ['a', 'b'],
        ['a', 'b', 'c'],
      ],
    ]);
  },
);

test('Changes that wait at the same time are made under one lease, with one read and one write', async () => {
  const { leases } = aStore();
  const acquire = vi.spyOn(leases, 'acquire');
  const { get, set, adding } = lists();
  const add = adding(leases);
  await Promise.all(Array.from({ length: 41 }, (_, index) => add('U1', String(index))));
  expect([acquire, get, set].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
  expect(set.mock.lastCall?.[2], 'the time of the last one').toBe(41_000);
});

test('A change that comes while others are made is made after them', async () => {
  const { stored, get, adding } = lists();
  const reading = Promise.withResolvers<undefined>();
  const add = adding();
  get.mockReturnValueOnce(reading.promise);
  const first = add('U1', 'a');
  const writing = vi.waitUntil(() => stored.has('U1'));
  reading.resolve(undefined);
  await writing;
  await Promise.all([first, add('U1', 'b')]);
  expect(stored.get('U1')).toEqual(['a', 'b']);
});

test.each(ways)(
  'Changes %s of one value do not wait for those of another, nor for those of another kind',
  async (_, leasesOf) => {
    const leases = leasesOf();
    const { stored, get, adding } = lists();
    const reading = Promise.withResolvers<undefined>();
    get.mockReturnValueOnce(reading.promise);
    const add = adding(leases);
    const first = add('U1', 'a');
    await vi.waitUntil(() => get.mock.calls.length > 0);
    await add('U2', 'b');
    expect([...stored]).toEqual([['U2', ['b']]]);
    const { set, remove } = lists(stored);
    const owners = changesOf<Names>({ get: async () => [], set, delete: remove }, 'owners', leases);
    await owners(
      'U1',
      () => ['c'],
      () => 1,
    );
    expect(stored.get('U1')).toEqual(['c']);
    reading.resolve(undefined);
    await first;
  },
);

test('A change that throws fails alone', async () => {
  const { stored, adding } = lists();
  const change = changesOf<Names>(
    {
      get: async (key) => stored.get(key),
      set: async (key, names) => void stored.set(key, names),
      delete: async () => {},
    },
    'recents',
    undefined,
  );
  const bad = change(
    'U1',
    () => Promise.reject(new Error('no')),
    () => 1,
  );
  const good = change(
    'U1',
    () => ['b'],
    () => 1,
  );
  await expect(bad).rejects.toThrow('no');
  expect(await good).toEqual([undefined, ['b']]);
  await adding()('U1', 'c');
  expect(stored.get('U1')).toEqual(['b', 'c']);
});

test('Nothing is written where nothing changes, and nothing is kept of an empty list', async () => {
  const { set, remove } = lists();
  const change = changesOf<Names>({ get: async () => ['a'], set, delete: remove }, 'recents', undefined);
  expect(
    await change(
      'U1',
      () => ['a'],
      () => 1,
    ),
  ).toEqual([['a'], ['a']]);
  expect([set.mock.calls, remove.mock.calls]).toEqual([[], []]);
  await change(
    'U1',
    () => [],
    () => 1,
  );
  await change(
    'U2',
    () => undefined,
    () => 1,
  );
  expect([set.mock.calls, remove.mock.calls]).toEqual([[], [['U1'], ['U2']]]);
});

test.each([
  ['the lease can’t be taken', (leases: Leases) => vi.spyOn(leases, 'acquire')],
  ['nothing can be read', (_: Leases, { get }: ReturnType<typeof lists>) => get],
  ['nothing can be written', (_: Leases, { set }: ReturnType<typeof lists>) => set],
])('Where %s, all that wait fail, and later changes are made', async (_, spy) => {
  const { leases } = aStore();
  const all = lists();
  spy(leases, all).mockRejectedValueOnce(new Error('away'));
  const add = all.adding(leases);
  const outcomes = await Promise.allSettled([add('U1', 'a'), add('U1', 'b')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await add('U1', 'c');
  expect(all.stored.get('U1')).toEqual(['c']);
});

test('Other processes wait as long as a change takes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  const { leases } = aStore(() => Date.now());
  const { stored, get, adding } = lists();
  const reading = Promise.withResolvers<undefined>();
  get.mockReturnValueOnce(reading.promise);
  const first = adding(leases)('U1', 'a');
  await vi.advanceTimersByTimeAsync(0);
  const second = adding(leases)('U1', 'b');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(get).toHaveBeenCalledTimes(1);
  reading.resolve(undefined);
  await first;
  await vi.advanceTimersByTimeAsync(20);
  await second;
  expect(stored.get('U1')).toEqual(['a', 'b']);
});

test('A process that stood still for longer than its lease makes its changes anew, after those of others', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { leases } = aStore(() => Date.now());
  const { stored, get, adding } = lists();
  const standing = Promise.withResolvers<undefined>();
  get.mockReturnValueOnce(standing.promise);
  const add = adding(leases);
  const late = add('U1', 'late');
  await vi.waitUntil(() => get.mock.calls.length > 0);
  vi.advanceTimersByTime(5_000);
  await adding(leases)('U1', 'other');
  // What comes while the lease turns out to be lost is made after what waited before.
  const { promise: later, resolve } = Promise.withResolvers<unknown>();
  const renew = leases.renew.bind(leases);
  vi.spyOn(leases, 'renew').mockImplementationOnce((...lease) => {
    resolve(add('U1', 'later'));
    return renew(...lease);
  });
  standing.resolve(undefined);
  expect(await late).toEqual([['other'], ['other', 'late']]);
  await later;
  expect(stored.get('U1')).toEqual(['other', 'late', 'later']);
});
