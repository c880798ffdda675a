import { createHash, randomUUID } from 'node:crypto';
import { type FaultOf, fault, isFault, retryAtOf, type Upstream } from '../core/faults.ts';
import { withLeaseWhenFree } from '../core/lease.ts';
import type { Namespace, Store } from '../core/store.ts';
import { lazily, SingleFlight } from '../core/time.ts';
import type { LoginSuccess, ServiceParts } from './login.ts';
import { LONGEST_RETRY_AFTER_MS, withRetries } from './retries.ts';
import type { HttpRequest, HttpResponse } from './transport.ts';

const LOGIN_LEASE = 'login';
/** How long a login lease lasts. If this replica dies, another replica may log in after that time. Milliseconds. */
const LOGIN_LEASE_MS = 15_000;
/** A refused session is replaced at most once within this time, or within a shorter `coolDownMs`. Milliseconds. */
const REPLACE_AT_MOST_EVERY_MS = 60_000;
/** The one key of the state, which all users and replicas share. */
const KEY = 'shared';
/** How long the state is stored; after that, all of it is outdated. Milliseconds. */
const STATE_TTL_MS = 4 * 3_600_000;
/** How long the state is used before it is read again. Milliseconds. */
const RECENT_MS = 100;

/** Loaded at the first login, because it brings a large list of public suffixes. */
const loadLogin = lazily(() => import('./login.ts'));

/** A stored session. `account`: a hash of the login settings; a session or refusal of other settings is ignored. */
type StoredSession = LoginSuccess & { readonly generation: string; readonly account: string };

/** What replicas share about the service, also after a restart. Times are epoch milliseconds. */
export type State = {
  readonly session?: StoredSession | undefined;
  /** When a refused session was last dropped. */
  readonly replacedAt?: number;
  /** The login servers refused the account; no login before `until`. */
  readonly refusal?: { readonly account: string; readonly status: number; readonly until: number };
  /** When an upstream accepts requests again, after the `Retry-After` of a 429 or 5xx. */
  readonly pauses?: Partial<Record<Upstream, number>>;
};

type SessionParts = ServiceParts & {
  readonly values: Pick<Namespace<State>, 'get' | 'change'>;
  readonly store: Pick<Store, 'leases' | 'isShared'>;
  /** How long the bot waits after a refused login. Milliseconds. */
  readonly coolDownMs: number;
  /** Called after each login; 'failed' means no answer, or an error of the servers. */
  readonly onLogin?: (outcome: LoginOutcome) => void;
};

export type LoginOutcome = 'succeeded' | 'refused' | 'failed';

/** Authenticates a request. `generation` identifies the session, so that a late refusal can't end a newer one. */
export type SessionCookie = { readonly cookie: string; readonly generation: string };

/** Whether the service accepts the account, as far as the bot knows without a request. Times are epoch milliseconds. */
export type LoginHealth =
  | { readonly state: 'working' | 'refused'; readonly until: number }
  | { readonly state: 'mismatched'; readonly fault: FaultOf<'cookie-domain'> }
  | { readonly state: 'not-needed' };

/**
 * The session that all requests share, stored across restarts, and the pauses that upstreams asked for. Simultaneous
 * callers share one login. Every method throws `storage-failed`.
 */
export class SharedSession {
  readonly #parts: SessionParts;
  readonly #logins = new SingleFlight<StoredSession>();
  readonly #account: string;
  /** The state as it was last read or written. `at`: monotonic milliseconds. */
  #latest: { readonly state: State; readonly at: number } = { state: {}, at: Number.NEGATIVE_INFINITY };

  constructor(parts: SessionParts) {
    const { authUrl, userId, userSecret } = parts.settings;
    this.#parts = parts;
    this.#account = createHash('sha256')
      .update(JSON.stringify([authUrl, userId, userSecret]))
      .digest('base64url');
  }

  /** Returns the cookie for a request to `url`, after a login if there is no session. Throws the faults of a login. */
  async authenticate(url: URL): Promise<SessionCookie> {
    const known = this.#usable(await this.#read());
    const session = known ?? (await this.#logins.do(LOGIN_LEASE, () => this.#loginOnce()));
    const { cookieHeader } = await loadLogin();
    return { cookie: cookieHeader(session.cookies, url), generation: session.generation };
  }

  /**
   * Call this when the service refused a session. True: the session was dropped, and the next `authenticate` logs in
   * again. False: another session was dropped within the last minute, so the refusal is the final answer.
   */
  async refused({ generation }: SessionCookie): Promise<boolean> {
    const { coolDownMs, now } = this.#parts;
    let isReplaced = true;
    await this.#change((state) => {
      // Keeps a newer session, which another replica may have stored meanwhile.
      if (state.session?.generation !== generation) return state;
      const since = now() - (state.replacedAt ?? Number.NEGATIVE_INFINITY);
      isReplaced = since < 0 || since >= Math.min(coolDownMs, REPLACE_AT_MOST_EVERY_MS);
      return isReplaced ? { ...state, session: undefined, replacedAt: now() } : state;
    });
    return isReplaced;
  }

  /** The state of the login, as far as it is known; never logs in. */
  async health(): Promise<LoginHealth> {
    const state = await this.#read();
    const session = this.#usable(state);
    if (session === undefined) {
      const refusal = this.#refusalIn(state);
      return refusal === undefined ? { state: 'not-needed' } : { state: 'refused', until: refusal.until };
    }
    const { cookieHeader } = await loadLogin();
    try {
      cookieHeader(session.cookies, new URL(this.#parts.settings.baseUrl));
      return { state: 'working', until: session.trustedUntil };
    } catch (error) {
      if (isFault(error, 'cookie-domain')) return { state: 'mismatched', fault: error };
      throw error;
    }
  }

  /**
   * Sends a request, but throws `rate-limited` during a pause of its upstream. If `read` throws a fault with a
   * `Retry-After`, the pause is stored for all replicas before the fault is thrown.
   */
  send<T>(asked: HttpRequest, read: (answer: HttpResponse) => T | Promise<T>): Promise<T> {
    const { upstream } = asked;
    const mayStart = async () => {
      // While this request was queued, the answer to another request may have asked for a pause.
      const until = (await this.#read()).pauses?.[upstream];
      if (this.#isAhead(until)) throw fault('rate-limited', { retryAt: until });
      // Called last: it confirms a lease, whose time a slow read of the state would use up.
      await asked.mayStart?.();
    };
    return this.#parts.transport.send({ ...asked, mayStart }, async (answer) => {
      try {
        return await read(answer);
      } catch (error) {
        const until = retryAtOf(error);
        if (this.#isAhead(until))
          await this.#change((state) => ({ ...state, pauses: { ...state.pauses, [upstream]: until } }));
        throw error;
      }
    });
  }

  /** Whether a time is at most an hour ahead. A later time came from a wrong clock. */
  #isAhead(until: number | undefined): until is number {
    const ms = (until ?? 0) - this.#parts.now();
    return ms > 0 && ms <= LONGEST_RETRY_AFTER_MS;
  }

  #usable({ session }: State): StoredSession | undefined {
    const ms = (session?.trustedUntil ?? 0) - this.#parts.now();
    return session?.account === this.#account && ms > 0 && ms <= STATE_TTL_MS ? session : undefined;
  }

  #refusalIn({ refusal }: State): State['refusal'] {
    return refusal?.account === this.#account && this.#isAhead(refusal.until) ? refusal : undefined;
  }

  /** Logs in once for all replicas: the holder of the lease logs in; the others wait, then use the stored session. */
  #loginOnce(): Promise<StoredSession> {
    const { store } = this.#parts;
    const login = async () => {
      const state = await this.#read(true);
      const refusal = this.#refusalIn(state);
      const session = this.#usable(state);
      if (session === undefined && refusal !== undefined)
        throw fault('login-refused', { status: refusal.status, retryAt: refusal.until });
      return session ?? this.#login();
    };
    return withLeaseWhenFree(store.leases, LOGIN_LEASE, LOGIN_LEASE_MS, login);
  }

  async #login(): Promise<StoredSession> {
    const { coolDownMs, now, onLogin = () => {} } = this.#parts;
    const { login } = await loadLogin();
    const outcome = await withRetries(this.#parts, () => login(this.#parts, this)).catch((error: unknown) => {
      onLogin('failed');
      throw error;
    });
    const account = this.#account;
    if ('refusedWith' in outcome) {
      onLogin('refused');
      const until = Math.max(now() + coolDownMs, outcome.retryAt ?? 0);
      const refusal = { account, status: outcome.refusedWith, until };
      await this.#change((state) => ({ ...state, refusal }));
      throw fault('login-refused', { status: refusal.status, retryAt: until });
    }
    onLogin('succeeded');
    const session = { ...outcome, generation: randomUUID(), account };
    await this.#change((state) => ({ ...state, session }));
    return session;
  }

  /** Reads the state: from the store if `fresh`, else at most 100 ms old. A single process reads the store only once. */
  async #read(fresh = false): Promise<State> {
    const { values, store } = this.#parts;
    const asked = performance.now();
    const maxAgeMs = !store.isShared ? Number.POSITIVE_INFINITY : fresh ? 0 : RECENT_MS;
    if (asked - this.#latest.at < maxAgeMs) return this.#latest.state;
    const state = (await values.get(KEY)) ?? {};
    // A state that was stored during the read is newer.
    if (this.#latest.at < asked) this.#latest = { state, at: asked };
    return state;
  }

  async #change(make: (before: State) => State): Promise<void> {
    const [, after = {}] = await this.#parts.values.change(
      KEY,
      (before = {}) => make(before),
      () => STATE_TTL_MS,
    );
    this.#latest = { state: after, at: performance.now() };
  }
}
