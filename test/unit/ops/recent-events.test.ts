import { expect, test } from 'vitest';
import { RecentEvents } from '../../../src/ops/recent-events.ts';

test('The latest ten faults are kept, the latest first', () => {
  const events = new RecentEvents();
  for (let at = 1; at <= 12; at += 1) events.noteFault({ at, code: 'bug', reference: `r${at}` });
  expect(events.faults.map(({ at }) => at)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
});

test('Of logins the last that succeeded and the last that was refused are known, each by itself', () => {
  const events = new RecentEvents();
  expect([events.lastLogin('succeeded'), events.lastLogin('refused')]).toEqual([undefined, undefined]);
  events.noteLogin('succeeded', 1);
  events.noteLogin('refused', 2);
  events.noteLogin('succeeded', 3);
  events.noteLogin('failed', 4);
  expect([events.lastLogin('succeeded'), events.lastLogin('refused')]).toEqual([3, 2]);
});
