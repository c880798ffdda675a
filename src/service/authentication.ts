import type { CookieDomainMismatch, SessionRefused } from '../core/faults.ts';

/** The headers that authenticate a request. `generation` identifies the session: a refusal ends that session only, not a newer one. */
export type AuthHeaders = {
  readonly headers: Readonly<Record<string, string>>;
  readonly generation: string;
};

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
  /** Reports that the service refused this session: the next `authenticate` logs in again. */
  refused(authHeaders: AuthHeaders): Promise<void>;
  /**
   * Reports that the service refused a new session: nobody logs in until the cool-down has passed. Gives the fault that
   * says so.
   */
  refusedAgain(authHeaders: AuthHeaders): Promise<SessionRefused>;
  /** The state of the login as far as it is known; never logs in. Throws `StorageFailed`. */
  health(): Promise<LoginHealth>;
}
