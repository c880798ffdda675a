import { setTimeout as delay } from 'node:timers/promises';
import pRetry from 'p-retry';
import { isFault, RateLimited } from '../core/faults.ts';

/** How a single request is repeated. Milliseconds. */
export type RetryPolicy = {
  readonly retries: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** The longest `Retry-After` that is waited for inside a request; a longer one is for the caller to plan. */
  readonly patienceMs: number;
};
export const RETRY_POLICY: RetryPolicy = {
  retries: 3,
  firstDelayMs: 500,
  longestDelayMs: 5_000,
  patienceMs: 30_000,
};

/** Repeats what may pass by itself, bounded and with jitter; a final fault, or a bug, is thrown at once. */
export function withRetries<T>(policy: RetryPolicy, work: () => Promise<T>, now: () => number): Promise<T> {
  const pause = (error: Error) => (error instanceof RateLimited ? error.retryAt - now() : 0);
  return pRetry(work, {
    retries: policy.retries,
    minTimeout: policy.firstDelayMs,
    maxTimeout: policy.longestDelayMs,
    randomize: true,
    shouldRetry: ({ error }) => isFault(error) && error.isTransient && pause(error) <= policy.patienceMs,
    onFailedAttempt: async ({ error, retriesLeft }) => {
      const ms = pause(error);
      if (retriesLeft > 0 && ms > 0 && ms <= policy.patienceMs) await delay(ms);
    },
  });
}
