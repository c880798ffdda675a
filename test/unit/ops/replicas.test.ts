import { afterEach, expect, test, vi } from 'vitest';
import { replicasIn, USER_AGENT, VERSION } from '../../../src/ops/replicas.ts';

afterEach(() => void vi.useRealTimers());

/** A store that lists what is done to it. */
function replica(work: () => Promise<void> = async () => {}) {
  const done: unknown[][] = [];
  const note =
    (what: string) =>
    async (...args: unknown[]) => {
      done.push([what, ...args]);
      await work();
    };
  const namespace = { set: note('set'), delete: note('delete') };
  return { done, replicas: replicasIn({ namespace: () => namespace as never }) };
}

test('A replica tells of itself at once, and every half minute: three heartbeats may be missed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { done, replicas } = replica();
  replicas.start();
  expect(done).toEqual([['set', expect.any(String), { version: VERSION }, 100_000]]);
  vi.advanceTimersByTime(29_999);
  expect(done).toHaveLength(1);
  vi.advanceTimersByTime(60_001);
  expect(done).toHaveLength(4);
  expect(new Set(done.map(([, id]) => id)).size).toBe(1);
  await replicas.stop();
  expect(done.at(-1)).toEqual(['delete', done[0]?.[1]]);
  vi.advanceTimersByTime(90_000);
  expect(done).toHaveLength(5);
});

test('The versions are those that the replicas have told, each once for each, and the service is told that of this one', async () => {
  const versions = ['1.0.0', '1.1.0', '1.1.0'];
  const entries = async function* () {
    for (const version of versions) yield ['id', { version }];
  };
  expect(await replicasIn({ namespace: () => ({ entries }) as never }).versions()).toEqual(versions);
  expect(USER_AGENT).toMatch(new RegExp(`^snapshot-bot/${VERSION.replaceAll('.', '\\.')} \\(`));
});

test('A store that is away stops neither the start nor the stop of a replica', async () => {
  const { replicas } = replica(() => Promise.reject(new Error('away')));
  replicas.start();
  await expect(replicas.stop()).resolves.toBeUndefined();
});
