import { expect, test, vi } from 'vitest';
import { Forbidden, RateLimited, ServiceFailed, type Upstream } from '../../../src/core/faults.ts';
import { MemoryLeases } from '../../../src/core/memory-leases.ts';
import { Pause } from '../../../src/service/pause.ts';

const NOW = 1_000_000;
const UPSTREAMS: [Upstream, lease: string, other: string][] = [
  ['diagnostics service', 'slow-down', 'slow-down:login'],
  ['login servers', 'slow-down:login', 'slow-down'],
];

test.each(UPSTREAMS)(
  'A time that the %s names holds for everybody, under %s',
  async (upstream, name, other) => {
    let now = NOW;
    const leases = new MemoryLeases(() => now);
    const pause = new Pause(upstream, leases, () => now);
    const fault = new RateLimited(NOW + 6_000);
    await expect(pause.heeding(() => Promise.reject(fault))).rejects.toBe(fault);
    expect(await leases.ttl(name)).toBe(6_000);
    expect(await leases.ttl(other)).toBe(0);
    now += 1_000;
    const another = new Pause(upstream, leases, () => now);
    await expect(another.check()).rejects.toMatchObject({ code: 'rate-limited', retryAt: NOW + 6_000 });
    now += 4_999;
    await expect(another.check()).rejects.toMatchObject({ retryAt: NOW + 6_000 });
    now += 1;
    await another.check();
  },
);

test.each([
  ['a failure that names no time', new ServiceFailed('diagnostics service', 503)],
  ['a time that has come', new RateLimited(NOW)],
  ['a time that is past', new RateLimited(NOW - 1)],
  ['another fault', new Forbidden()],
  ['a bug', new Error('a bug')],
])('No pause begins with %s', async (_what, error) => {
  const leases = new MemoryLeases(() => NOW);
  const hold = vi.spyOn(leases, 'hold');
  const pause = new Pause('diagnostics service', leases, () => NOW);
  await expect(pause.heeding(() => Promise.reject(error))).rejects.toBe(error);
  expect(hold).not.toHaveBeenCalled();
});

test('A success is passed on, and so is an error that is thrown at once', async () => {
  const pause = new Pause('login servers', new MemoryLeases(() => NOW), () => NOW);
  expect(await pause.heeding(() => 7)).toBe(7);
  expect(await pause.heeding(async () => 8)).toBe(8);
  await expect(
    pause.heeding(() => {
      throw new Error('at once');
    }),
  ).rejects.toThrow('at once');
});
