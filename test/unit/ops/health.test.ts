import { expect, test } from 'vitest';
import { readinessOf, recentEvents } from '../../../src/ops/health.ts';

test('A host that does not answer is told with the time since when, and never makes the bot unready', async () => {
  const clock = { now: Date.UTC(2026, 10, 20, 9, 30) };
  const events = recentEvents(() => clock.now);
  const state = () => readinessOf(events.checks());
  expect(await state()).toEqual({ ready: true, reasons: [] });
  events.noteAnswer('diagnostics service', 'none');
  clock.now += 60_000;
  events.noteAnswer('diagnostics service', 'none');
  events.noteAnswer('login servers', 503);
  expect(await state()).toEqual({
    ready: true,
    reasons: [{ part: 'diagnostics service', problem: 'no answer since 2026-11-20T09:30:00.000Z' }],
  });
  events.noteAnswer('diagnostics service', 500);
  expect((await state()).reasons).toEqual([]);
});

test('A check that throws is trouble, and of an essential part it makes the bot unready', async () => {
  const fails = (what: unknown) => () => Promise.reject(what);
  const checks = [
    { part: 'store', isEssential: true, problem: fails(new Error('Redis is away')) },
    { part: 'login', isEssential: false, problem: fails('odd') },
  ] as const;
  const reasons = [
    { part: 'store', problem: 'Redis is away' },
    { part: 'login', problem: 'it could not be checked' },
  ];
  expect(await readinessOf(checks)).toEqual({ ready: false, reasons });
});

test('The latest ten faults are kept, the latest first, and of logins the last of each outcome', () => {
  let now = 0;
  const events = recentEvents(() => (now += 1));
  for (let fault = 1; fault <= 12; fault += 1) events.noteFault('bug', `r${fault}`);
  expect(
    events
      .faults()
      .map(({ at, reference }) => `${at} ${reference}`)
      .slice(0, 2),
  ).toEqual(['12 r12', '11 r11']);
  expect(events.faults()).toHaveLength(10);
  expect([events.lastLogin('succeeded'), events.lastLogin('refused')]).toEqual([undefined, undefined]);
  for (const outcome of ['succeeded', 'refused', 'succeeded', 'failed']) events.noteLogin(outcome);
  expect([events.lastLogin('succeeded'), events.lastLogin('refused')]).toEqual([15, 14]);
});
