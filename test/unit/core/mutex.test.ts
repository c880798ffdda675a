import { expect, onTestFinished, test, vi } from 'vitest';
import { GatheredChanges, Mutex } from '../../../src/core/mutex.ts';
import type { Namespace } from '../../../src/core/store.ts';
import { aStore } from '../../support/embedded.ts';

function gathering() {
  const counts = { reads: 0, writes: 0 };
  const values = aStore().namespace<readonly string[]>('recents');
  const namespace: Pick<Namespace<readonly string[]>, 'get' | 'set'> = {
    get: async (key) => {
      counts.reads += 1;
      return values.get(key);
    },
    set: async (...args) => {
      counts.writes += 1;
      await values.set(...args);
    },
  };
  const of = (mutex: Mutex, on = namespace) =>
    new GatheredChanges({ name: 'recent', namespace: on, mutex, ttlMs: 60_000 });
  return { counts, values, of, changes: of(new Mutex()) };
}

const adding =
  (...names: string[]) =>
  (before: readonly string[] = []) => [...before, ...names];

test('Changes that come while a value is being changed are all made, in their order, with one write', async () => {
  const { counts, values, changes } = gathering();
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => changes.make('U1', adding(name))));
  expect(await values.get('U1')).toEqual(['a', 'b', 'c', 'd']);
  expect(counts).toEqual({ reads: 2, writes: 2 });
  await changes.make('U1', adding('e'));
  expect(await values.get('U1')).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('Each value is changed by itself, and nothing is written where nothing changes', async () => {
  const { counts, values, changes } = gathering();
  await Promise.all([changes.make('U1', adding('a')), changes.make('U2', adding('b'))]);
  await changes.make('U1', (before = []) => before);
  expect([await values.get('U1'), await values.get('U2')]).toEqual([['a'], ['b']]);
  expect(counts).toEqual({ reads: 3, writes: 2 });
});

test('Changes of one value do not wait for those of another', async () => {
  const { values, of } = gathering();
  const stuck = Promise.withResolvers<undefined>();
  const namespace = {
    get: (key: string) => (key === 'U1' ? stuck.promise : values.get(key)),
    set: values.set.bind(values),
  };
  const changes = of(new Mutex(), namespace);
  const first = changes.make('U1', adding('a'));
  await changes.make('U2', adding('b'));
  expect([await values.get('U1'), await values.get('U2')]).toEqual([undefined, ['b']]);
  stuck.resolve(undefined);
  await first;
});

test('A change whose mutex can’t be acquired fails, and later changes are made all the same', async () => {
  const { values, of } = gathering();
  const { leases } = aStore();
  const acquire = leases.acquire.bind(leases);
  const refusals = [new Error('away')];
  leases.acquire = async (...args) => {
    const refusal = refusals.shift();
    if (refusal !== undefined) throw refusal;
    return acquire(...args);
  };
  const changes = of(new Mutex(leases));
  await expect(changes.make('U1', adding('a'))).rejects.toThrow('away');
  await changes.make('U1', adding('b'));
  expect(await values.get('U1')).toEqual(['b']);
});

test('A process that stood still for longer than its lease makes its change anew, after those of others', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { values, of } = gathering();
  const { leases } = aStore(() => Date.now());
  const read = Promise.withResolvers<void>();
  const standing = Promise.withResolvers<void>();
  const get = async (key: string) => {
    const before = await values.get(key);
    read.resolve();
    await standing.promise;
    return before;
  };
  const late = of(new Mutex(leases), { get, set: values.set.bind(values) }).make('U1', adding('late'));
  await read.promise;
  vi.advanceTimersByTime(5_000);
  await of(new Mutex(leases)).make('U1', adding('other'));
  standing.resolve();
  await late;
  expect(await values.get('U1')).toEqual(['other', 'late']);
});
