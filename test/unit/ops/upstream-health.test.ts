import { expect, test } from 'vitest';
import { readinessOf } from '../../../src/ops/health.ts';
import { UpstreamHealth } from '../../../src/ops/upstream-health.ts';

test('A host that does not answer is told with the time since when, and never makes the bot unready', async () => {
  const clock = { now: Date.UTC(2026, 10, 20, 9, 30) };
  const health = new UpstreamHealth(() => clock.now);
  const state = () => readinessOf(health.checks());
  expect(await state()).toEqual({ ready: true, reasons: [] });
  health.noteAnswer('diagnostics service', 'none');
  clock.now += 60_000;
  health.noteAnswer('diagnostics service', 'none');
  health.noteAnswer('login servers', 503);
  expect(await state()).toEqual({
    ready: true,
    reasons: [{ part: 'diagnostics service', problem: 'no answer since 2026-11-20T09:30:00.000Z' }],
  });
  health.noteAnswer('diagnostics service', 500);
  expect((await state()).reasons).toEqual([]);
});

test('A check that throws is trouble, and of an essential part it makes the bot unready', async () => {
  const fails = (what: unknown) => () => Promise.reject(what);
  expect(
    await readinessOf([
      { part: 'store', isEssential: true, problem: fails(new Error('Redis is away')) },
      { part: 'login', isEssential: false, problem: fails('odd') },
    ]),
  ).toEqual({
    ready: false,
    reasons: [
      { part: 'store', problem: 'Redis is away' },
      { part: 'login', problem: 'it could not be checked' },
    ],
  });
});
