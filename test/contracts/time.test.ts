import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inTime, LATE } from '../../src/core/time.ts';

const MS = 20;
const STANDSTILL_MS = 300;

/** Blocks this process for longer than a timer is usually late. */
function standStill(): void {
  const until = performance.now() + STANDSTILL_MS;
  while (performance.now() < until);
}

/** Resolves after a few iterations of the event loop, like data that arrived while the process was blocked. */
async function aFewTurns(): Promise<string> {
  for (let turns = 0; turns < 5; turns += 1) await turn();
  return 'done';
}

test('Work that ends before the timeout returns its outcome', async () => {
  expect(await inTime(60_000, aFewTurns())).toBe('done');
  await expect(inTime(60_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
});

test('Work that takes longer than the timeout is late', async () => {
  expect(await inTime(MS, Promise.withResolvers<string>().promise)).toBe(LATE);
});

test('A process that was suspended past the timeout still gets an outcome that had arrived', async () => {
  const outcome = inTime(MS, aFewTurns());
  standStill();
  expect(await outcome).toBe('done');
});

test('Work that did not end while the process was suspended is late', async () => {
  const outcome = inTime(MS, Promise.withResolvers<string>().promise);
  standStill();
  expect(await outcome).toBe(LATE);
});
