import { expect, onTestFinished, test, vi } from 'vitest';
import { Mutex } from '../../../src/core/mutex.ts';
import type { Namespace } from '../../../src/core/store.ts';
import { aStore } from '../../support/embedded.ts';

type Names = readonly string[];
type Values = Pick<Namespace<Names>, 'get' | 'set'>;

function changing() {
  const values = aStore().namespace<Names>('recents');
  /** Adds a name to a stored list, as `changeStored` does. */
  const adding =
    (mutex: Mutex, on: Values = values) =>
    (key: string, name: string) =>
      mutex.run(key, async () => {
        const before = (await on.get(key)) ?? [];
        return [undefined, () => on.set(key, [...before, name])];
      });
  return { values, adding };
}

test('Changes of one value that come at once are all made, in their order', async () => {
  const { values, adding } = changing();
  const add = adding(new Mutex());
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => add('U1', name)));
  expect(await values.get('U1')).toEqual(['a', 'b', 'c', 'd']);
});

test('Changes of one value do not wait for those of another', async () => {
  const { values, adding } = changing();
  const stuck = Promise.withResolvers<undefined>();
  const namespace = {
    get: (key: string) => (key === 'U1' ? stuck.promise : values.get(key)),
    set: values.set.bind(values),
  };
  const add = adding(new Mutex(), namespace);
  const first = add('U1', 'a');
  await add('U2', 'b');
  expect([await values.get('U1'), await values.get('U2')]).toEqual([undefined, ['b']]);
  stuck.resolve(undefined);
  await first;
});

test('A change whose mutex can’t be acquired fails, and later changes are made all the same', async () => {
  const { values, adding } = changing();
  const { leases } = aStore();
  const acquire = leases.acquire.bind(leases);
  const refusals = [new Error('away')];
  leases.acquire = async (...args) => {
    const refusal = refusals.shift();
    if (refusal !== undefined) throw refusal;
    return acquire(...args);
  };
  const add = adding(new Mutex(leases));
  await expect(add('U1', 'a')).rejects.toThrow('away');
  await add('U1', 'b');
  expect(await values.get('U1')).toEqual(['b']);
});

test('A process that stood still for longer than its lease makes its change anew, after those of others', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { values, adding } = changing();
  const { leases } = aStore(() => Date.now());
  const read = Promise.withResolvers<void>();
  const standing = Promise.withResolvers<void>();
  const get = async (key: string) => {
    const before = await values.get(key);
    read.resolve();
    await standing.promise;
    return before;
  };
  const late = adding(new Mutex(leases), { get, set: values.set.bind(values) })('U1', 'late');
  await read.promise;
  vi.advanceTimersByTime(5_000);
  await adding(new Mutex(leases))('U1', 'other');
  standing.resolve();
  await late;
  expect(await values.get('U1')).toEqual(['other', 'late']);
});
