import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Alarm } from '../../../src/storage/sqlite/alarm.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000 }));
afterEach(() => void vi.useRealTimers());

function setting() {
  const rung: number[] = [];
  const alarm = new Alarm(Date.now, () => void rung.push(Date.now()));
  return { alarm, rung };
}

test('An alarm goes off once, at the earliest time that was set', () => {
  const { alarm, rung } = setting();
  for (const at of [1_500, 1_200, 1_200, 1_300]) alarm.setFor(at);
  vi.advanceTimersByTime(199);
  expect(rung).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(rung).toEqual([1_200]);
});

test('An alarm can be set again once it went off, for a time that is past too', () => {
  const { alarm, rung } = setting();
  alarm.setFor(1_100);
  vi.advanceTimersByTime(100);
  alarm.setFor(1_400);
  vi.advanceTimersByTime(300);
  alarm.setFor(5);
  vi.advanceTimersByTime(1);
  expect(rung).toEqual([1_100, 1_400, 1_400]);
});

test('A stopped alarm goes off no more', () => {
  const { alarm, rung } = setting();
  alarm.setFor(1_100);
  alarm.stop();
  alarm.setFor(1_050);
  vi.advanceTimersByTime(1_000);
  expect([rung, vi.getTimerCount()]).toEqual([[], 0]);
});

test('An alarm for a time beyond the longest timer of Node goes off after that timer, and not at once', () => {
  const { alarm, rung } = setting();
  const longest = 2 ** 31 - 1;
  alarm.setFor(1_000 + 2 * longest);
  vi.advanceTimersByTime(longest - 1);
  expect(rung).toEqual([]);
  vi.advanceTimersByTime(1);
  // Too early: the caller looks at the time and sets the alarm again.
  expect(rung).toEqual([1_000 + longest]);
});
