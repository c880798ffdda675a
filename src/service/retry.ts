import { setTimeout as delay } from 'node:timers/promises';
import pRetry from 'p-retry';
import { isFault, retryAtOf } from '../core/faults.ts';

/** How one request is retried. Milliseconds. */
export type RetryPolicy = {
  readonly retries: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** A `Retry-After` up to this is waited for here. A longer one is thrown, so that the caller can schedule it. */
  readonly maxRetryAfterMs: number;
};
export const RETRY_POLICY: RetryPolicy = {
  retries: 3,
  firstDelayMs: 500,
  longestDelayMs: 5_000,
  maxRetryAfterMs: 30_000,
};

/**
 * Retries transient faults a limited number of times, with jitter. Every other fault, and a bug, is thrown at once, and
 * so is the reason of `signal` instead of waiting on.
 */
export function withRetries<T>(
  policy: RetryPolicy,
  work: () => Promise<T>,
  now: () => number,
  signal?: AbortSignal,
): Promise<T> {
  const pause = (error: Error) => (retryAtOf(error) ?? 0) - now();
  return pRetry(work, {
    retries: policy.retries,
    minTimeout: policy.firstDelayMs,
    maxTimeout: policy.longestDelayMs,
    randomize: true,
    ...(signal === undefined ? {} : { signal }),
    shouldRetry: ({ error }) => isFault(error) && error.isTransient && pause(error) <= policy.maxRetryAfterMs,
    onFailedAttempt: async ({ error, retriesLeft }) => {
      const ms = pause(error);
      if (retriesLeft > 0 && ms > 0 && ms <= policy.maxRetryAfterMs)
        await delay(ms, undefined, { signal }).catch(() => {});
    },
  });
}
