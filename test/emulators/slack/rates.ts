/** How often the bot may call a method. By default calls are not limited. */
export interface RateLimit {
  /** Edits a minute in the whole workspace; Slack promises 50. */
  readonly updatesPerMinute?: number;
  /** New messages a second in one channel; Slack promises 1. */
  readonly postsPerSecond?: number;
  /** How many new messages a channel takes at once before `postsPerSecond` applies. */
  readonly burst?: number;
  /**
   * Used instead of `updatesPerMinute`: after this many edits, all further ones are refused for a second, no matter how
   * slowly the edits came.
   */
  readonly stopAfterUpdates?: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const STOP_SECONDS = 1;
const POSTS = new Set(['chat.postMessage', 'chat.postEphemeral']);

/** Token buckets that say when a call comes too early. */
export class Rates {
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  #limit: (Required<Omit<RateLimit, 'stopAfterUpdates'>> & RateLimit) | undefined;
  #updates = 0;
  #stoppedUntil = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get isLimited(): boolean {
    return this.#limit !== undefined;
  }

  /** Starts to limit, or stops with `undefined`. */
  set(limit: RateLimit | undefined): void {
    this.#buckets.clear();
    this.#updates = 0;
    this.#stoppedUntil = 0;
    this.#limit = limit && { updatesPerMinute: 50, postsPerSecond: 1, burst: 5, ...limit };
  }

  /** The seconds to wait before this call may be made; 0 when it may be made now. */
  wait(method: string, channel: string): number {
    if (!this.#limit) return 0;
    if (POSTS.has(method))
      return this.#take(`post ${channel}`, this.#limit.postsPerSecond, this.#limit.burst);
    if (method !== 'chat.update') return 0;
    const { updatesPerMinute, stopAfterUpdates } = this.#limit;
    return stopAfterUpdates === undefined
      ? this.#take('update', updatesPerMinute / 60, updatesPerMinute)
      : this.#stop(stopAfterUpdates);
  }

  #stop(after: number): number {
    const now = this.#now();
    if (now < this.#stoppedUntil) return STOP_SECONDS;
    this.#updates += 1;
    if (this.#updates <= after) return 0;
    this.#updates = 0;
    this.#stoppedUntil = now + STOP_SECONDS * 1_000;
    return STOP_SECONDS;
  }

  #take(key: string, perSecond: number, most: number): number {
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { tokens: most, at: now };
    const refilled = Math.min(most, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    const allowed = refilled >= 1;
    this.#buckets.set(key, { tokens: allowed ? refilled - 1 : refilled, at: now });
    return allowed ? 0 : Math.max(1, Math.ceil((1 - refilled) / perSecond));
  }
}
