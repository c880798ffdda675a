import { setTimeout as delay } from 'node:timers/promises';
import pRetry from 'p-retry';
import { type CookieDomainMismatch, isFault, retryAtOf } from '../core/faults.ts';
import type { Store } from '../core/store.ts';
import type { SharedState } from './shared-state.ts';
import type { Transport } from './transport.ts';

/** Where the service is and who asks it. The URLs are https, without a trailing slash. */
export type ServiceSettings = {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly loginUrl: string;
  /** Names the media type and one of the cookies (specification, 4.2 and 5.2). */
  readonly vendor: string;
  readonly userId: string;
  readonly userSecret: string;
  /** Tells the service's operators who is calling. */
  readonly userAgent: string;
};

/** What the session and the client of one service have in common. */
export type ServiceParts = {
  readonly transport: Pick<Transport, 'send' | 'stopping'>;
  readonly settings: ServiceSettings;
  readonly store: Pick<Store, 'leases'>;
  readonly state: SharedState;
  readonly retry: RetryPolicy;
  /** How long nobody logs in after a refusal, or for what was refused to a new session too. Milliseconds. */
  readonly coolDownMs: number;
  readonly now: () => number;
};

/** The headers that authenticate a request. `generation` identifies the session: a refusal ends that session only, not a newer one. */
export type AuthHeaders = {
  readonly headers: Readonly<Record<string, string>>;
  readonly generation: string;
  /** There while the session replaces a refused one and nothing has proved it: to be called once the service accepts it. */
  readonly prove?: () => Promise<void>;
};

/** What was refused: its path, whether nothing else can be meant, and whether another session was refused just before. */
export type Refusal = { readonly path: string; readonly isCertain: boolean; readonly isRepeated: boolean };

/**
 * Whether the service accepts the bot's account, as far as is known without a request. Times are epoch milliseconds.
 */
export type LoginHealth =
  | { readonly state: 'working'; readonly until: number }
  | { readonly state: 'refused'; readonly until: number }
  | { readonly state: 'mismatched'; readonly fault: CookieDomainMismatch }
  | { readonly state: 'not-needed' };

/** How the bot authenticates: session cookies today. Another way to log in is another implementation. */
export interface Authentication {
  /** The headers for a request to `url`; logs in if there is no session. Throws the faults of a login. */
  authenticate(url: URL): Promise<AuthHeaders>;
  /**
   * Reports that the service refused the session, or may have. True if it counts as ended: then the next `authenticate`
   * logs in again, or throws why not. False if that is the answer to what was asked, with any session.
   */
  refused(authHeaders: AuthHeaders, refusal: Refusal): Promise<boolean>;
  /** The state of the login as far as it is known; never logs in. Throws `StorageFailed`. */
  health(): Promise<LoginHealth>;
}

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
 * so is `Stopping` instead of waiting on.
 */
export function withRetries<T>(
  { retry: policy, transport, now }: Pick<ServiceParts, 'retry' | 'transport' | 'now'>,
  work: () => Promise<T>,
): Promise<T> {
  const signal = transport.stopping;
  const pause = (error: Error) => (retryAtOf(error) ?? 0) - now();
  return pRetry(work, {
    retries: policy.retries,
    minTimeout: policy.firstDelayMs,
    maxTimeout: policy.longestDelayMs,
    randomize: true,
    signal,
    shouldRetry: ({ error }) => isFault(error) && error.isTransient && pause(error) <= policy.maxRetryAfterMs,
    onFailedAttempt: async ({ error, retriesLeft }) => {
      const ms = pause(error);
      if (retriesLeft > 0 && ms > 0 && ms <= policy.maxRetryAfterMs)
        await delay(ms, undefined, { signal }).catch(() => {});
    },
  });
}
