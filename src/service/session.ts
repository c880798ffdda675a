import { createHash, randomUUID } from 'node:crypto';
import { CookieDomainMismatch, LoginRefused, SessionRefused } from '../core/faults.ts';
import { withLeaseWhenFree } from '../core/lease.ts';
import { lazily, SingleFlight } from '../core/time.ts';
import { type ServiceParts, type State, type StoredSession, withRetries } from './shared-state.ts';

const LOGIN_LEASE = 'login';
/** If a replica dies during a login, another one may log in after this. Milliseconds. */
const LOGIN_LEASE_MS = 15_000;
/**
 * A new session that is refused for so many snapshots, and has worked for none, is refused for all. One command names up
 * to eight, which may all be of an owner who keeps them from the bot.
 */
const FOR_ALL = 10;
/** How many logins at most change nothing within a cool-down, for one snapshot each; more could lock the account. */
const MOST_IN_VAIN = 3;
/** How many refusals are remembered besides the latest: what is forgotten costs at most another login. */
const MOST_REMEMBERED = 50;

/** Loaded at the first login, because the list of public suffixes comes with it. */
const loadLogin = lazily(() => import('./login.ts'));

/** What authenticates a request. `generation` identifies the session: a refusal ends that session only, not a newer one. */
export type SessionCookie = {
  readonly cookie: string;
  readonly generation: string;
  /** There while the session replaces a refused one and nothing has proved it: to be called once the service accepts it. */
  readonly prove?: () => Promise<void>;
};

/** What was refused: its path, whether nothing else can be meant, and whether another session was refused just before. */
type Refusal = { readonly path: string; readonly isCertain: boolean; readonly isRepeated: boolean };

/**
 * Whether the service accepts the bot's account, as far as is known without a request. Times are epoch milliseconds.
 */
export type LoginHealth =
  | { readonly state: 'working' | 'refused'; readonly until: number }
  | { readonly state: 'mismatched'; readonly fault: CookieDomainMismatch }
  | { readonly state: 'not-needed' };

/** The session that everyone shares, kept through restarts. Any number of concurrent needs cost one login. */
export class SharedSession {
  readonly #parts: ServiceParts;
  readonly #onLogin: (outcome: 'succeeded' | 'refused' | 'failed') => void;
  readonly #logins = new SingleFlight<StoredSession>();
  readonly #account: string;

  /** `onLogin` is called after each login: the account was accepted or refused, or there was no answer ('failed'). */
  constructor(
    parts: ServiceParts,
    onLogin: (outcome: 'succeeded' | 'refused' | 'failed') => void = () => {},
  ) {
    const { authUrl, userId, userSecret } = parts.settings;
    this.#parts = parts;
    this.#onLogin = onLogin;
    this.#account = createHash('sha256')
      .update(JSON.stringify([authUrl, userId, userSecret]))
      .digest('base64url');
  }

  /** The cookie for a request to `url`; logs in if there is no session. Throws the faults of a login. */
  async authenticate(url: URL): Promise<SessionCookie> {
    const { state, now } = this.#parts;
    const known = this.#usable(await state.read());
    const session = known ?? (await this.#logins.do(LOGIN_LEASE, () => this.#loginOnce()));
    const { cookieHeader } = await loadLogin();
    const cookie = await cookieHeader(session.cookies, url, now());
    const { generation, doubt } = session;
    const prove = () => state.change((known) => proved(known, generation));
    return { cookie, generation, ...(doubt && { prove }) };
  }

  /**
   * Reports that the service refused the session, or may have. True if it counts as ended: then the next `authenticate`
   * logs in again, or throws why not. False if that is the answer to what was asked, with any session.
   */
  async refused({ generation }: SessionCookie, { path, isCertain, isRepeated }: Refusal): Promise<boolean> {
    const { state, coolDownMs } = this.#parts;
    let isEnded = !isRepeated;
    await state.change((known) => {
      const { session } = known;
      // Another replica may have stored a newer one in the meantime, which stays.
      if (session?.generation !== generation) return known;
      const refusals = this.#openRefusals(known);
      // Each of these sessions was a login that changed nothing.
      const inVain = new Set(Object.values(refusals).map((each) => each.generation));
      const isInVain = path in refusals || inVain.size >= MOST_IN_VAIN;
      isEnded = !isRepeated && !isInVain && !state.isIn(session.doubt);
      if (isEnded) return { ...known, session: undefined, wasRefused: true };
      if (refusals[path]?.generation === generation) return known;
      const others = Object.entries(refusals).slice(-MOST_REMEMBERED);
      const refusal = { ...state.span(coolDownMs), generation, isCertain };
      return this.#ofAll({ ...known, refusals: { ...Object.fromEntries(others), [path]: refusal } });
    });
    return isEnded;
  }

  #openRefusals({ refusals = {} }: State): NonNullable<State['refusals']> {
    return Object.fromEntries(Object.entries(refusals).filter(([, span]) => this.#parts.state.isIn(span)));
  }

  /** Begins the cool-down for all where a session was refused for so much, and is not known to have worked for anything. */
  #ofAll(known: State): State {
    const { state, coolDownMs } = this.#parts;
    const { session, refusals = {} } = known;
    const ofIt = Object.values(refusals).filter(
      (each) => each.isCertain && each.generation === session?.generation,
    );
    if (session?.doubt === undefined || ofIt.length < FOR_ALL) return known;
    const coolDown = { ...state.span(coolDownMs), account: this.#account, refusedWith: 'session' } as const;
    return { ...known, session: undefined, wasRefused: true, coolDown };
  }

  /** The state of the login as far as it is known; never logs in. Throws `StorageFailed`. */
  async health(): Promise<LoginHealth> {
    const { settings, state, now } = this.#parts;
    const known = await state.read();
    const session = this.#usable(known);
    if (session === undefined) {
      const coolDown = this.#presentCoolDown(known);
      return coolDown === undefined ? { state: 'not-needed' } : { state: 'refused', until: coolDown.until };
    }
    const { cookieHeader } = await loadLogin();
    try {
      await cookieHeader(session.cookies, new URL(settings.baseUrl), now());
      return { state: 'working', until: session.trustedUntil };
    } catch (error) {
      if (error instanceof CookieDomainMismatch) return { state: 'mismatched', fault: error };
      throw error;
    }
  }

  #usable({ session }: State): StoredSession | undefined {
    const isUsable = session?.account === this.#account && session.trustedUntil > this.#parts.now();
    return isUsable ? session : undefined;
  }

  #presentCoolDown({ coolDown }: State): State['coolDown'] {
    return coolDown?.account === this.#account && this.#parts.state.isIn(coolDown) ? coolDown : undefined;
  }

  /** One login for all replicas: the holder of the lease logs in, the others wait and then use the stored session. */
  #loginOnce(): Promise<StoredSession> {
    const { store, state } = this.#parts;
    return withLeaseWhenFree(store.leases, LOGIN_LEASE, { ms: LOGIN_LEASE_MS }, async () => {
      // While this replica waited for the lease, another one may have logged in, or may have been refused.
      const known = await state.read();
      const session = this.#usable(known);
      if (session !== undefined) return session;
      const coolDown = this.#presentCoolDown(known);
      if (coolDown === undefined) return this.#login();
      if (coolDown.refusedWith === 'session') throw new SessionRefused(coolDown.until);
      throw new LoginRefused(coolDown.refusedWith, coolDown.until);
    });
  }

  async #login(): Promise<StoredSession> {
    const { state, coolDownMs, now } = this.#parts;
    const account = this.#account;
    const { login } = await loadLogin();
    const outcome = await withRetries(this.#parts, () => login(this.#parts)).catch((error: unknown) => {
      this.#onLogin('failed');
      throw error;
    });
    this.#onLogin('refusedWith' in outcome ? 'refused' : 'succeeded');
    if ('refusedWith' in outcome) {
      const { refusedWith, retryAt = 0 } = outcome;
      const coolDown = { ...state.span(Math.max(coolDownMs, retryAt - now())), account, refusedWith };
      await state.change((known) => ({ ...known, coolDown }));
      throw new LoginRefused(refusedWith, coolDown.until);
    }
    let session: StoredSession = { ...outcome, generation: randomUUID(), account };
    await state.change(({ wasRefused = false, ...known }) => {
      session = wasRefused ? { ...session, doubt: state.span(coolDownMs) } : session;
      return { ...known, session };
    });
    return session;
  }
}

function proved(known: State, generation: string): State {
  const { session } = known;
  return session?.generation === generation ? { ...known, session: { ...session, doubt: undefined } } : known;
}
