import { afterEach, expect, test, vi } from 'vitest';
import { Stopping } from '../../../src/core/errors.ts';
import { Forbidden, RateLimited, ServiceFailed, Unreachable } from '../../../src/core/faults.ts';
import { RETRY_POLICY, type RetryPolicy, withRetries } from '../../../src/service/shared-state.ts';

const POLICY = { retries: 2, firstDelayMs: 1, longestDelayMs: 2, maxRetryAfterMs: 50 };
/** The clock stands still: what is named is as far away as it says. */
const NOW = 1_000_000;
const now = () => NOW;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function retrying<T>(
  retry: RetryPolicy,
  work: () => Promise<T>,
  stopping = new AbortController(),
): Promise<T> {
  const transport = {
    send: () => Promise.reject(new Error('not called')),
    stopping: stopping.signal,
  };
  return withRetries({ retry, transport, now }, work);
}

/** Work that fails so often with this error, and when it was tried. Milliseconds. */
function failing(error: Error, times = Number.POSITIVE_INFINITY) {
  const tries: number[] = [];
  const work = async () => {
    tries.push(performance.now());
    if (tries.length <= times) throw error;
    return 'done';
  };
  return { work, tries };
}

test.each<[what: string, error: Error, tries: number]>([
  ['a service that failed', new ServiceFailed('login servers', 500), 3],
  ['no answer', new Unreachable('login servers', 'a.example', 'timeout'), 3],
  ['a certificate that nobody vouches for', new Unreachable('login servers', 'a.example', 'certificate'), 1],
  ['a refusal', new Forbidden(), 1],
  ['a bug', new Error('a bug'), 1],
  ['a time that is past', new RateLimited(NOW - 5_000), 3],
  ['a time that is far away', new RateLimited(NOW + 51), 1],
  ['a time that is far away, of a failure', new ServiceFailed('login servers', 503, NOW + 51), 1],
])('Only what may pass by itself is tried again: %s', async (_what, error, expected) => {
  const { work, tries } = failing(error);
  await expect(retrying(POLICY, work)).rejects.toBe(error);
  expect(tries).toHaveLength(expected);
});

test.each([20, 50])('A time that is %i ms away is waited for', async (ms) => {
  const { work, tries } = failing(new RateLimited(NOW + ms), 1);
  expect(await retrying(POLICY, work)).toBe('done');
  const [first = 0, second = 0] = tries;
  expect(tries).toHaveLength(2);
  // A timer may fire up to a millisecond early.
  expect(second - first).toBeGreaterThanOrEqual(ms - 1);
});

test('There is no wait after the last try', async () => {
  const error = new RateLimited(NOW + 600_000);
  const policy = { ...POLICY, retries: 0, maxRetryAfterMs: 600_000 };
  await expect(retrying(policy, failing(error).work)).rejects.toBe(error);
});

test.each([
  [
    'the next try',
    new ServiceFailed('login servers', 500),
    { firstDelayMs: 600_000, longestDelayMs: 600_000 },
  ],
  ['the time that was named', new RateLimited(NOW + 600_000), { maxRetryAfterMs: 600_000 }],
])('Who waits for %s hears at once that the bot stops', async (_what, error, waits) => {
  const stopping = new AbortController();
  const work = async () => {
    setImmediate(() => stopping.abort(new Stopping()));
    throw error;
  };
  await expect(retrying({ ...POLICY, ...waits }, work, stopping)).rejects.toThrow(Stopping);
});

test('An answer that comes after the bot was told to stop counts: after an unread 202 another replica would ask too early', async () => {
  const stopping = new AbortController();
  const work = async () => {
    stopping.abort(new Stopping());
    return 'answered';
  };
  expect(await retrying(POLICY, work, stopping)).toBe('answered');
});

test('The shipped policy is three more tries, with pauses that grow and differ', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const { work, tries } = failing(new ServiceFailed('diagnostics service', 500));
  const outcome = retrying(RETRY_POLICY, work).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await outcome).toBeInstanceOf(ServiceFailed);
  expect(tries.map((at) => at - (tries[0] ?? 0))).toEqual([0, 750, 2_250, 5_250]);
  expect(RETRY_POLICY).toEqual({
    retries: 3,
    firstDelayMs: 500,
    longestDelayMs: 5_000,
    maxRetryAfterMs: 30_000,
  });
});
