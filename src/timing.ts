import { RETRY_POLICY, type RetryPolicy } from './service/retry.ts';
import { HTTP_TIMEOUTS, type HttpTimeouts } from './service/transport.ts';

/** How long things take, in milliseconds. Fixed by the specification or by design, not by the configuration. */
export type Timing = {
  /** The least time between a 202 and the next request for the same question (specification, 4.2). */
  readonly intervalMs: number;
  /** How long an answer may take before the message says that it is awaited. */
  readonly progressAfterMs: number;
  /** After how long the end of a wait is worth a message of its own, because an edit notifies nobody. */
  readonly notifyAfterMs: number;
  /** How long no login is tried after one was refused. */
  readonly coolDownMs: number;
  /** How long commands are still taken after a signal to stop: a load balancer hears of it a little later. */
  readonly shutdownDelayMs: number;
  /** How long a day is, for those who want to be reminded in some. */
  readonly dayMs: number;
  readonly retry: RetryPolicy;
  readonly http: HttpTimeouts;
};

export const DEFAULT_TIMING: Timing = {
  intervalMs: 10_000,
  progressAfterMs: 1_000,
  notifyAfterMs: 60_000,
  coolDownMs: 5 * 60_000,
  shutdownDelayMs: 1_000,
  dayMs: 24 * 3_600_000,
  retry: RETRY_POLICY,
  http: HTTP_TIMEOUTS,
};
