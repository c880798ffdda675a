import { RETRY_POLICY, type RetryPolicy } from '../service/parts.ts';
import { HTTP_TIMEOUTS, type HttpTimeouts } from '../service/transport.ts';

/** How long things take, in milliseconds. Fixed by the specification or by design, not by the configuration. */
export type Timing = {
  /** The least time between a 202 and the next request for the same question (specification, 4.2). */
  readonly intervalMs: number;
  /**
   * An answer that the service gives within this time is followed by a whole interval even if the process that asked
   * dies or stands still before it reads the answer.
   */
  readonly answerMs: number;
  /** How long a request may take before the message says that the bot is waiting. */
  readonly progressAfterMs: number;
  /** After a wait of this length its end gets a message of its own, because an edit notifies nobody. */
  readonly notifyAfterMs: number;
  /** After a refused login, no other one is tried for this long. */
  readonly coolDownMs: number;
  /** How long commands are still taken after a signal to stop, because a load balancer learns of it a little later. */
  readonly shutdownDelayMs: number;
  /** The longest that a step can take: the service's slowest answer, and the work around it. */
  readonly longestStepMs: number;
  /** The length of a day for reminders and watches; tests make it shorter. */
  readonly dayMs: number;
  readonly retry: RetryPolicy;
  readonly http: HttpTimeouts;
};

export const DEFAULT_TIMING: Timing = {
  intervalMs: 10_000,
  answerMs: 5_000,
  progressAfterMs: 1_000,
  notifyAfterMs: 60_000,
  coolDownMs: 5 * 60_000,
  shutdownDelayMs: 1_000,
  longestStepMs: 150_000,
  dayMs: 24 * 3_600_000,
  retry: RETRY_POLICY,
  http: HTTP_TIMEOUTS,
};
