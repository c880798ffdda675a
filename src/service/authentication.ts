import type { CookieDomainMismatch } from '../core/faults.ts';
import type { Store } from '../core/store.ts';
import type { RetryPolicy, SharedState } from './shared-state.ts';
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
