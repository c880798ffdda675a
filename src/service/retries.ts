import { setTimeout as delay } from 'node:timers/promises';
import { isFault, retryAtOf } from '../core/faults.ts';
import { type HttpResponse, header } from './transport.ts';

/** How a request is retried. Milliseconds. */
export const RETRY_POLICY = {
  retries: 3,
  firstDelayMs: 500,
  longestDelayMs: 5_000,
  /** A fault with a longer `Retry-After` is thrown, so that the caller can schedule the next attempt. */
  maxRetryAfterMs: 30_000,
};
export type RetryPolicy = Readonly<typeof RETRY_POLICY>;

type Retrying = {
  readonly retry: RetryPolicy;
  readonly transport: { readonly stopping: AbortSignal };
  readonly now: () => number;
};

/**
 * Retries temporary faults a few times, with jitter. Throws any other error at once, and `Stopping` instead of a wait
 * during a shutdown. A running request is not aborted: if its 202 were lost, another replica would ask again too early.
 */
export async function withRetries<T>(
  { retry, transport: { stopping }, now }: Retrying,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const statedMs = (retryAtOf(error) ?? 0) - now();
      const mayPass = isFault(error) && error.isTransient && statedMs <= retry.maxRetryAfterMs;
      if (!mayPass || tries === retry.retries) throw error;
      const backOffMs = Math.min(retry.firstDelayMs * 2 ** tries * (1 + Math.random()), retry.longestDelayMs);
      const pause = delay(Math.max(statedMs, backOffMs), undefined, { signal: stopping });
      await pause.catch(() => stopping.throwIfAborted());
    }
  }
}

/** The pause after a 429 without a readable `Retry-After`. Milliseconds. */
const DEFAULT_RETRY_AFTER_MS = 5_000;
/** The longest wait, because the service may recover earlier than it said. Milliseconds. */
export const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** A `Retry-After` of more than a day is a mistake and is ignored. Milliseconds. */
const ABSURD_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * When a `Retry-After` ends, in epoch milliseconds, at most an hour from `now`. Reads seconds and dates (RFC 9110,
 * 10.2.3). Undefined if it is absent or unreadable.
 */
export function retryAfter(answer: HttpResponse, now: number): number | undefined {
  const value = header(answer, 'retry-after') ?? '';
  const ms = /^\d{1,9}(?:\.\d{1,9})?$/.test(value)
    ? Number(value) * 1_000
    : value.endsWith(' GMT')
      ? Date.parse(value) - now
      : Number.NaN;
  if (!(ms <= ABSURD_RETRY_AFTER_MS)) return undefined;
  return now + Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}

/** Like `retryAfter` with a default, for a 429, which always asks for a pause. */
export function retryAt(answer: HttpResponse, now: number): number {
  return retryAfter(answer, now) ?? now + DEFAULT_RETRY_AFTER_MS;
}
