import { createHash, randomUUID } from 'node:crypto';
import type { SerializedCookieJar } from 'tough-cookie';
import { CookieDomainMismatch, LoginRefused, SessionRefused } from '../core/faults.ts';
import { lazily } from '../core/lazily.ts';
import type { Leases } from '../core/lease.ts';
import { withLeaseWhenFree } from '../core/lease.ts';
import { SingleFlight } from '../core/single-flight.ts';
import type { Namespace, Store } from '../core/store.ts';
import type { Authentication, AuthHeaders, LoginHealth } from './authentication.ts';
import { LONGEST_TRUST_MS } from './expiry.ts';
import { Pause } from './pause.ts';
import { type RetryPolicy, withRetries } from './retry.ts';
import type { ServiceSettings } from './service-settings.ts';
import type { Transport } from './transport.ts';

/** All hosts, users and replicas share one session, so each namespace has a single entry. */
const KEY = 'shared';
const LOGIN_LEASE = 'login';
/** If a replica dies during a login, another one may log in after this. Milliseconds. */
const LOGIN_LEASE_MS = 15_000;

type StoredSession = {
  readonly generation: string;
  readonly account: string;
  readonly cookies: SerializedCookieJar;
  readonly trustedUntil: number;
};
/** Until when nobody logs in. `refusedWith` is the status of the refused login, or 'session' if the service refused the new session. */
type CoolDown = {
  readonly account: string;
  readonly until: number;
  readonly refusedWith: number | 'session';
};

/** Called with the outcome of each login: the account was accepted or refused, or there was no answer. */
export type OnLogin = (outcome: 'succeeded' | 'refused' | 'failed') => void;

type SessionOptions = {
  readonly transport: Pick<Transport, 'send' | 'stopping'>;
  readonly settings: ServiceSettings;
  readonly store: Store;
  readonly retry: RetryPolicy;
  readonly coolDownMs: number;
  readonly now: () => number;
  readonly onLogin?: OnLogin;
};

/** Loaded at the first login, because the list of public suffixes comes with it. */
const loadLogin = lazily(() => import('./login.ts'));

/** The session that everyone shares, kept through restarts. Any number of concurrent needs cost one login. */
export class SharedSession implements Authentication {
  readonly #options: SessionOptions;
  readonly #sessions: Namespace<StoredSession>;
  readonly #coolDowns: Namespace<CoolDown>;
  readonly #leases: Leases;
  readonly #pause: Pause;
  readonly #logins = new SingleFlight<StoredSession>();
  /** A hash of the account. With another password the stored session and cool-down no longer apply. */
  readonly #account: string;

  constructor(options: SessionOptions) {
    const { store, settings } = options;
    this.#options = options;
    this.#sessions = store.namespace('session');
    this.#coolDowns = store.namespace('login-cool-down');
    this.#leases = store.leases;
    this.#pause = new Pause('login servers', store.leases, options.now);
    this.#account = createHash('sha256')
      .update(JSON.stringify([settings.authUrl, settings.userId, settings.userSecret]))
      .digest('base64url');
  }

  async authenticate(url: URL): Promise<AuthHeaders> {
    const session = (await this.#usable()) ?? (await this.#logins.do(KEY, () => this.#loginOnce()));
    const { cookieHeader } = await loadLogin();
    const cookie = await cookieHeader(session.cookies, url, this.#options.now());
    return { headers: { cookie }, generation: session.generation };
  }

  /** Stores the refusal instead of deleting the session: another replica may have stored a newer one in the meantime. */
  async refused({ generation }: AuthHeaders): Promise<void> {
    await this.#leases.hold(refusalOf(generation), LONGEST_TRUST_MS);
  }

  /** Stores the cool-down before the refusal: in the other order, another replica could log in between the two steps. */
  async refusedAgain(authHeaders: AuthHeaders): Promise<SessionRefused> {
    const until = await this.#coolDown('session');
    await this.refused(authHeaders);
    return new SessionRefused(until);
  }

  async health(): Promise<LoginHealth> {
    const session = await this.#usable();
    if (session !== undefined) return this.#healthOf(session);
    const coolDown = await this.#presentCoolDown();
    return coolDown === undefined ? { state: 'not-needed' } : { state: 'refused', until: coolDown.until };
  }

  async #healthOf({ cookies, trustedUntil }: StoredSession): Promise<LoginHealth> {
    const { settings, now } = this.#options;
    const { cookieHeader } = await loadLogin();
    try {
      await cookieHeader(cookies, new URL(settings.baseUrl), now());
      return { state: 'working', until: trustedUntil };
    } catch (error) {
      if (error instanceof CookieDomainMismatch) return { state: 'mismatched', fault: error };
      throw error;
    }
  }

  async #usable(): Promise<StoredSession | undefined> {
    const stored = await this.#sessions.get(KEY);
    if (stored?.account !== this.#account || stored.trustedUntil <= this.#options.now()) return undefined;
    const isRefused = (await this.#leases.ttl(refusalOf(stored.generation))) > 0;
    return isRefused ? undefined : stored;
  }

  /** One login for all replicas: the holder of the lease logs in, the others wait and then use the stored session. */
  #loginOnce(): Promise<StoredSession> {
    return withLeaseWhenFree(this.#leases, LOGIN_LEASE, { ms: LOGIN_LEASE_MS }, async () => {
      // While this replica waited for the lease, another one may have logged in, or may have been refused.
      const stored = await this.#usable();
      if (stored !== undefined) return stored;
      await this.#throwInCoolDown();
      return this.#login();
    });
  }

  async #login(): Promise<StoredSession> {
    const { transport, settings, retry, now, onLogin = () => {} } = this.#options;
    const { login } = await loadLogin();
    const tryIt = () => login(transport, settings, this.#pause, now);
    const outcome = await withRetries(retry, tryIt, now, transport.stopping).catch((error: unknown) => {
      onLogin('failed');
      throw error;
    });
    onLogin('refusedWith' in outcome ? 'refused' : 'succeeded');
    if ('refusedWith' in outcome) {
      const until = await this.#coolDown(outcome.refusedWith, outcome.retryAt);
      throw new LoginRefused(outcome.refusedWith, until);
    }
    const session = { ...outcome, generation: randomUUID(), account: this.#account };
    await this.#sessions.set(KEY, session, session.trustedUntil - now());
    return session;
  }

  /** Until `retryAt` (epoch ms) where that is later than the usual end. */
  async #coolDown(refusedWith: CoolDown['refusedWith'], retryAt = 0): Promise<number> {
    const { coolDownMs, now } = this.#options;
    const at = now();
    const until = Math.max(at + coolDownMs, retryAt);
    await this.#coolDowns.set(KEY, { account: this.#account, until, refusedWith }, until - at);
    return until;
  }

  async #presentCoolDown(): Promise<CoolDown | undefined> {
    const coolDown = await this.#coolDowns.get(KEY);
    return coolDown?.account !== this.#account || coolDown.until <= this.#options.now()
      ? undefined
      : coolDown;
  }

  async #throwInCoolDown(): Promise<void> {
    const coolDown = await this.#presentCoolDown();
    if (coolDown === undefined) return;
    if (coolDown.refusedWith === 'session') throw new SessionRefused(coolDown.until);
    throw new LoginRefused(coolDown.refusedWith, coolDown.until);
  }
}

/** The name of a lease that is held after a session was refused, for as long as the session could be trusted. */
function refusalOf(generation: string): string {
  return `refused:${generation}`;
}
