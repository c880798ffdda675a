import { setTimeout as delay } from 'node:timers/promises';
import pRetry from 'p-retry';
import type { SerializedCookieJar } from 'tough-cookie';
import { changesOf } from '../core/changes.ts';
import { isFault, RateLimited, retryAtOf, type Upstream } from '../core/faults.ts';
import type { Namespace, Store } from '../core/store.ts';
import type { Transport } from './transport.ts';

/** All hosts, users and replicas share one session, so there is one value. */
const KEY = 'shared';
/** The longest that a session is used without doubt; nothing that is kept here is of use for longer. */
export const LONGEST_TRUST_MS = 4 * 3_600_000;
/** What was read this short a time ago need not be read again before a request is sent. */
const RECENT_MS = 100;
/** By how much the clocks of replicas may differ. Milliseconds. */
const CLOCKS_DIFFER_MS = 60_000;

/** Epoch milliseconds. */
type Span = { readonly from: number; readonly until: number };

export type StoredSession = {
  readonly generation: string;
  /** A hash of the account. With another password a stored session or cool-down no longer applies. */
  readonly account: string;
  readonly cookies: SerializedCookieJar;
  readonly trustedUntil: number;
  /** There if it replaces a refused one and no request is known to have worked with it: for how long no other replaces it. */
  readonly doubt?: Span | undefined;
};
/** That a session was refused for something although it was new. */
type RefusedAnew = Span & { readonly generation: string; readonly isCertain: boolean };
/** When nobody logs in. `refusedWith` is the status of the refused login, or 'session' if the service refused the new session. */
type CoolDown = Span & { readonly account: string; readonly refusedWith: number | 'session' };

export type State = {
  readonly session?: StoredSession | undefined;
  /** Whether the latest session was refused, so that the next one replaces it. */
  readonly wasRefused?: boolean;
  readonly coolDown?: CoolDown | undefined;
  /** By path: until when a refusal of that says nothing of a session. */
  readonly refusals?: Readonly<Record<string, RefusedAnew>>;
  /** When an upstream asked not to be asked (`Retry-After` of a 429 or a 5xx). */
  readonly spans: Readonly<Record<string, Span>>;
};
const NOTHING: State = { spans: {} };

/**
 * What all replicas and restarts share about the service, stored as one value: a request needs to read it once. Every
 * method throws `StorageFailed`.
 */
export class SharedState {
  readonly #values: Pick<Namespace<State>, 'get' | 'change'>;
  readonly #isShared: boolean;
  readonly #now: () => number;
  /** What was read last, and when, by `performance.now()`. */
  #latest = { state: NOTHING, at: Number.NEGATIVE_INFINITY };
  #changes = 0;

  /** `isShared`: whether other processes may change it, too. */
  constructor(values: Pick<Namespace<State>, 'get' | 'change'>, isShared: boolean, now: () => number) {
    this.#values = values;
    this.#isShared = isShared;
    this.#now = now;
  }

  /** The state of a process that shares it with no other. */
  static alone(now: () => number): SharedState {
    const stored = new Map<string, State>();
    const values = {
      get: async (key: string) => stored.get(key),
      set: async (key: string, state: State) => void stored.set(key, state),
      delete: async (key: string) => void stored.delete(key),
    };
    return new SharedState({ ...values, change: changesOf(values, 'service', undefined) }, false, now);
  }

  /** The state, as it was at most so long ago. */
  async read(maxAgeMs = 0): Promise<State> {
    const asked = performance.now();
    // A process that shares it with no other knows it once it has read it.
    const mayBeOld = this.#isShared ? maxAgeMs : Number.POSITIVE_INFINITY;
    if (asked - this.#latest.at < mayBeOld) return this.#latest.state;
    const changes = this.#changes;
    const state = (await this.#values.get(KEY)) ?? NOTHING;
    if (changes === this.#changes) this.#latest = { state, at: asked };
    return state;
  }

  /** Stores what `make` gives, unless it gives the same state back. */
  async change(make: (before: State) => State): Promise<void> {
    const change = (before?: State) => {
      const after = make(before ?? NOTHING);
      return after === NOTHING ? before : after;
    };
    const [, after = NOTHING] = await this.#values.change(KEY, change, () => LONGEST_TRUST_MS);
    this.#changes += 1;
    this.#latest = { state: after, at: performance.now() };
  }

  /** Whether a span has begun and is not over. One that begins later is of a clock that has gone back since. */
  isIn(span: Span | undefined): span is Span {
    const now = this.#now();
    return span !== undefined && span.until > now && span.from <= now + CLOCKS_DIFFER_MS;
  }

  /** A span from now on. */
  span(ms: number): Span {
    const from = this.#now();
    return { from, until: from + ms };
  }

  /** Begins a span of that name, for everybody. */
  begin(name: string, ms: number): Promise<void> {
    return this.change(({ spans, ...others }) => {
      const open = Object.entries(spans).filter(([, span]) => this.isIn(span));
      return { ...others, spans: { ...Object.fromEntries(open), [name]: this.span(ms) } };
    });
  }

  /** Throws `RateLimited` while the upstream may not be asked. */
  async checkPause(upstream: Upstream): Promise<void> {
    const span = (await this.read(RECENT_MS)).spans[upstream];
    if (this.isIn(span)) throw new RateLimited(span.until);
  }

  /** Does the work; a fault that names a time starts a pause before it is thrown on. */
  async heedingPauses<T>(upstream: Upstream, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const ms = (retryAtOf(error) ?? 0) - this.#now();
      if (ms > 0) await this.begin(upstream, ms);
      throw error;
    }
  }
}

/** How one request is retried. Milliseconds. */
export const RETRY_POLICY = {
  retries: 3,
  firstDelayMs: 500,
  longestDelayMs: 5_000,
  /** A `Retry-After` up to this is waited for here. A longer one is thrown, so that the caller can schedule it. */
  maxRetryAfterMs: 30_000,
};
export type RetryPolicy = Readonly<typeof RETRY_POLICY>;

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

/**
 * Retries transient faults a limited number of times, with jitter. Every other fault, and a bug, is thrown at once, and
 * so is `Stopping` instead of waiting on. An answer counts also where it comes after the bot was told to stop: after a 202
 * that nobody has read, another replica would ask too early.
 */
export async function withRetries<T>(
  { retry: policy, transport, now }: Pick<ServiceParts, 'retry' | 'transport' | 'now'>,
  work: () => Promise<T>,
): Promise<T> {
  const signal = transport.stopping;
  const pause = (error: Error) => (retryAtOf(error) ?? 0) - now();
  const answers: T[] = [];
  // The library drops what comes after the signal, and throws.
  const answered = pRetry(async () => void answers.push(await work()), {
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
  await answered.catch((error: unknown) => {
    if (answers.length === 0) throw error;
  });
  return answers[0] as T;
}
