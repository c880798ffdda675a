import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { inTime, LATE, steadyClock } from '../../../src/core/time.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const MS = 20;
const STANDSTILL_MS = 300;

/** Stops this process for longer than a timer is ever late. */
function standStill(): void {
  const until = performance.now() + STANDSTILL_MS;
  while (performance.now() < until);
}

/** Done after a few turns of the event loop, as is whatever has arrived while the process stood still. */
async function aFewTurns(): Promise<string> {
  for (let turns = 0; turns < 5; turns += 1) await turn();
  return 'done';
}

test('Work that is done before its time is over gives its outcome', async () => {
  expect(await inTime(60_000, aFewTurns())).toBe('done');
  await expect(inTime(60_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
});

test('Work that is not done by then is late', async () => {
  expect(await inTime(MS, Promise.withResolvers<string>().promise)).toBe(LATE);
});

test('A process that stood still until the time was over still takes what had arrived', async () => {
  const outcome = inTime(MS, aFewTurns());
  standStill();
  expect(await outcome).toBe('done');
});

test('A steady clock goes on where the machine’s goes back', () => {
  const machine = { wall: 10_000, at: 0 };
  vi.spyOn(performance, 'now').mockImplementation(() => machine.at);
  const now = steadyClock(() => machine.wall);
  const after = (ms: number, wallMs: number) => {
    machine.at += ms;
    machine.wall += wallMs;
    return now();
  };
  expect(after(100, 90), 'corrected').toBe(10_090);
  expect([after(100, -3_599_900), after(100, 100), after(50, -950)]).toEqual([10_190, 10_290, 10_340]);
});

test('Work that had not arrived by then is late too', async () => {
  const outcome = inTime(MS, Promise.withResolvers<string>().promise);
  standStill();
  expect(await outcome).toBe(LATE);
});
