import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SerializedCookieJar } from 'tough-cookie';
import { LoginRefused, SessionRefused } from '../core/faults.ts';
import { whileHolding } from '../core/lease.ts';
import { SingleFlight } from '../core/single-flight.ts';
import type { Claims, Kept, Store } from '../core/store.ts';
import type { Authentication, LoginHealth, Proof } from './authentication.ts';
import { LONGEST_TRUST_MS } from './expiry.ts';
import { cookieHeader, login } from './login.ts';
import { type RetryPolicy, withRetries } from './retry.ts';
import type { ServiceSettings } from './service-settings.ts';
import type { Transport } from './transport.ts';

/** One session serves every host, user and replica: there is one entry of each kind. */
const KEY = 'shared';
const LOGIN_CLAIM = 'login';
/** A replica that dies in a login frees it by this. */
const LOGIN_CLAIM_MS = 15_000;
const LOOK_AGAIN_MS = 200;

type KeptSession = {
  readonly generation: string;
  readonly account: string;
  readonly cookies: SerializedCookieJar;
  readonly trustedUntil: number;
};
/** A login that must not be repeated yet. `refusedWith` is the status, or 'session' when the new session was refused. */
type CoolDown = {
  readonly account: string;
  readonly until: number;
  readonly refusedWith: number | 'session';
};

export type SessionOptions = {
  readonly transport: Transport;
  readonly settings: ServiceSettings;
  readonly store: Store;
  readonly retry: RetryPolicy;
  readonly coolDownMs: number;
  readonly now: () => number;
};

/** The session that everyone shares, kept through restarts. Any number of concurrent needs cost one login. */
export class SharedSession implements Authentication {
  readonly #options: SessionOptions;
  readonly #sessions: Kept<KeptSession>;
  readonly #coolDowns: Kept<CoolDown>;
  readonly #claims: Claims;
  readonly #logins = new SingleFlight<KeptSession>();
  /** Changes with the account: another password is the change that a cool-down waits for. */
  readonly #account: string;

  constructor(options: SessionOptions) {
    const { store, settings } = options;
    this.#options = options;
    this.#sessions = store.kept('session');
    this.#coolDowns = store.kept('login-cool-down');
    this.#claims = store.claims;
    this.#account = createHash('sha256')
      .update(JSON.stringify([settings.authUrl, settings.userId, settings.userSecret]))
      .digest('base64url');
  }

  async prove(url: URL): Promise<Proof> {
    const session = (await this.#usable()) ?? (await this.#logins.do(KEY, () => this.#loginOnce()));
    const cookie = await cookieHeader(session.cookies, url);
    const proof = { headers: { cookie: cookie ?? '' }, generation: session.generation };
    if (cookie === undefined) {
      await this.refusedAgain(proof);
      throw new SessionRefused({ cause: new Error(`the session's cookies do not reach ${url.host}`) });
    }
    return proof;
  }

  /** The refusal is kept, not the session deleted: somebody else may have put its successor there in between. */
  async refused({ generation }: Proof): Promise<void> {
    await this.#claims.hold(refusalOf(generation), LONGEST_TRUST_MS);
  }

  /** The cool-down comes first: between the two steps nobody may find neither a session nor a reason not to log in. */
  async refusedAgain(proof: Proof): Promise<void> {
    await this.#coolDown('session');
    await this.refused(proof);
  }

  async health(): Promise<LoginHealth> {
    const session = await this.#usable();
    if (session !== undefined) return { state: 'working', until: session.trustedUntil };
    const coolDown = await this.#presentCoolDown();
    return coolDown === undefined ? { state: 'not-needed' } : { state: 'refused', until: coolDown.until };
  }

  async #usable(): Promise<KeptSession | undefined> {
    const kept = await this.#sessions.get(KEY);
    if (kept?.account !== this.#account || kept.trustedUntil <= this.#options.now()) return undefined;
    const isRefused = (await this.#claims.remaining(refusalOf(kept.generation))) > 0;
    return isRefused ? undefined : kept;
  }

  /** One login across every replica: whoever has the claim logs in, the others wait for what it keeps. */
  async #loginOnce(): Promise<KeptSession> {
    for (;;) {
      const session = await whileHolding(this.#claims, LOGIN_CLAIM, LOGIN_CLAIM_MS, async () => {
        // Before the claim was free, another replica may have finished, or have been refused.
        const kept = await this.#usable();
        if (kept !== undefined) return kept;
        await this.#throwInCoolDown();
        return this.#login();
      });
      if (session !== undefined) return session;
      await delay(LOOK_AGAIN_MS);
    }
  }

  async #login(): Promise<KeptSession> {
    const { transport, settings, retry, now } = this.#options;
    const outcome = await withRetries(retry, () => login(transport, settings, now), now);
    if ('refusedWith' in outcome) {
      const until = await this.#coolDown(outcome.refusedWith);
      throw new LoginRefused(outcome.refusedWith, until);
    }
    const session = { ...outcome, generation: randomUUID(), account: this.#account };
    await this.#sessions.set(KEY, session, session.trustedUntil - now());
    return session;
  }

  async #coolDown(refusedWith: CoolDown['refusedWith']): Promise<number> {
    const { coolDownMs, now } = this.#options;
    const until = now() + coolDownMs;
    await this.#coolDowns.set(KEY, { account: this.#account, until, refusedWith }, coolDownMs);
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
    if (coolDown.refusedWith === 'session') throw new SessionRefused();
    throw new LoginRefused(coolDown.refusedWith, coolDown.until);
  }
}

/** Held from the refusal of a session for as long as anybody could still use it. */
function refusalOf(generation: string): string {
  return `refused:${generation}`;
}
