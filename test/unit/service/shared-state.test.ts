import { expect, onTestFinished, test, vi } from 'vitest';
import { changesOf } from '../../../src/core/changes.ts';
import { RateLimited } from '../../../src/core/faults.ts';
import { LONGEST_TRUST_MS, SharedState, type State } from '../../../src/service/shared-state.ts';
import { aStore } from '../../support/embedded.ts';

/** What replicas share, with the calls of its store; the time goes on only when it is told to. */
function fixture(isShared = true) {
  vi.useFakeTimers({ toFake: ['performance', 'Date'], now: Date.UTC(2026, 10, 20, 9) });
  onTestFinished(() => void vi.useRealTimers());
  const stored = new Map<string, State>();
  const get = vi.fn(async (key: string) => stored.get(key));
  const set = vi.fn(async (key: string, state: State, _ttlMs?: number) => void stored.set(key, state));
  const leases = isShared ? aStore().leases : undefined;
  const change = changesOf<State>({ get, set, delete: async () => {} }, 'service', leases);
  const state = new SharedState({ get, change }, isShared, Date.now);
  return { state, get, set };
}

test('All is stored as one value of the same name as ever, for as long as a session is trusted', async () => {
  const { state, set } = fixture();
  await state.begin('one', 1_000);
  expect(set.mock.lastCall).toEqual(['shared', expect.anything(), LONGEST_TRUST_MS]);
});

test('Spans that begin at once are all kept, until each is over', async () => {
  const { state } = fixture();
  await Promise.all([state.begin('short', 1_000), state.begin('long', 5_000)]);
  expect(Object.keys((await state.read()).spans).sort()).toEqual(['long', 'short']);
  vi.advanceTimersByTime(1_000);
  await state.begin('another', 1_000);
  expect(Object.keys((await state.read()).spans).sort()).toEqual(['another', 'long']);
});

test('A span that begins again lasts from then on', async () => {
  const { state } = fixture();
  await state.begin('one', 5_000);
  vi.advanceTimersByTime(1_000);
  await state.begin('one', 1_000);
  expect((await state.read()).spans).toEqual({ one: state.span(1_000) });
});

test('Requests of the same moment read a pause once, and later ones anew', async () => {
  const { state, get } = fixture();
  for (const [ms, reads] of [
    [0, 1],
    [99, 1],
    [1, 2],
  ] as const) {
    vi.advanceTimersByTime(ms);
    await state.checkPause('login servers');
    expect(get).toHaveBeenCalledTimes(reads);
  }
});

test('A process that shares it with no other reads it once, and knows what it changes', async () => {
  const { state, get } = fixture(false);
  await state.checkPause('login servers');
  vi.advanceTimersByTime(60_000);
  await state.checkPause('login servers');
  expect(get).toHaveBeenCalledTimes(1);
  await state.begin('login servers', 1_000);
  await expect(state.checkPause('login servers')).rejects.toThrow(RateLimited);
});

test('What was read before a pause began does not end it', async () => {
  const { state, get } = fixture();
  const { promise: nothing, resolve: answer } = Promise.withResolvers<undefined>();
  get.mockReturnValueOnce(nothing);
  const before = state.checkPause('login servers');
  await state.begin('login servers', 1_000);
  answer(undefined);
  await before;
  await expect(state.checkPause('login servers')).rejects.toThrow(RateLimited);
});
