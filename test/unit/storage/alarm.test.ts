import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Alarm } from '../../../src/storage/sqlite/alarm.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000 }));
afterEach(() => void vi.useRealTimers());

function setting() {
  const rung: number[] = [];
  const alarm = new Alarm(Date.now, () => void rung.push(Date.now()));
  return { alarm, rung };
}

test('It goes off once, at the earliest time that was set', () => {
  const { alarm, rung } = setting();
  for (const at of [1_500, 1_200, 1_200, 1_300]) alarm.setFor(at);
  vi.advanceTimersByTime(199);
  expect(rung).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(rung).toEqual([1_200]);
});

test('It can be set again once it went off, for a time that is past too', () => {
  const { alarm, rung } = setting();
  alarm.setFor(1_100);
  vi.advanceTimersByTime(100);
  alarm.setFor(1_400);
  vi.advanceTimersByTime(300);
  alarm.setFor(5);
  vi.advanceTimersByTime(1);
  expect(rung).toEqual([1_100, 1_400, 1_400]);
});

test('One that is stopped goes off no more', () => {
  const { alarm, rung } = setting();
  alarm.setFor(1_100);
  alarm.stop();
  alarm.setFor(1_050);
  vi.advanceTimersByTime(1_000);
  expect([rung, vi.getTimerCount()]).toEqual([[], 0]);
});

test('A time that is further away than a timer of Node runs is not rung for in a hurry', () => {
  const { alarm, rung } = setting();
  const longest = 2 ** 31 - 1;
  alarm.setFor(1_000 + 2 * longest);
  vi.advanceTimersByTime(longest - 1);
  expect(rung).toEqual([]);
  vi.advanceTimersByTime(1);
  // Early, so that whoever has set it looks and sets it again.
  expect(rung).toEqual([1_000 + longest]);
});
