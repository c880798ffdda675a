import type { Store } from '../core/store.ts';
import type { RetryPolicy } from './retry.ts';
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
  /** How long nobody logs in after a refusal, or because of an answer that a new login did not change. Milliseconds. */
  readonly coolDownMs: number;
  readonly now: () => number;
};
