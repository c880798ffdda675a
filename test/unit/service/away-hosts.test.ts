import { expect, test, vi } from 'vitest';
import { Unreachable } from '../../../src/core/faults.ts';
import { awayHosts } from '../../../src/service/connections.ts';

const ONE = 'one.example';
const FAULT = new Unreachable('diagnostics service', ONE, 'connection');

test('A host is away once no connection could be made for so long, and is tried by one at a time until it is back', ({
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const hosts = awayHosts(10_000);
  /** Whether a connection is tried after so many milliseconds more. */
  const isTried = (ms: number, host = ONE) => {
    vi.advanceTimersByTime(ms);
    try {
      hosts.claimTry(host);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ originalError: FAULT });
      return false;
    }
  };
  expect(isTried(0)).toBe(true);
  hosts.missed(FAULT);
  expect(isTried(6_000)).toBe(true);
  hosts.missed(FAULT);
  expect([isTried(3_999), isTried(0)]).toEqual([true, true]);
  hosts.missed(FAULT);
  expect([isTried(1), isTried(0, 'other.example'), isTried(498)]).toEqual([false, true, false]);
  // One tries it, for however long that takes.
  expect([isTried(1), isTried(0), isTried(60_000)]).toEqual([true, false, false]);
  hosts.missed(FAULT);
  expect([isTried(499), isTried(1)]).toEqual([false, true]);
  hosts.reached(ONE);
  expect([isTried(0), isTried(0)]).toEqual([true, true]);
  hosts.missed(FAULT);
  expect([isTried(9_999), isTried(0)]).toEqual([true, true]);
});
