import { string } from './json.ts';
import type { ApiCall } from './model.ts';

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

type Called = Pick<ApiCall, 'method' | 'args'>;

/** Edits are limited in the whole workspace, all else in each channel. */
function subjectOf({ method, args }: Called): string {
  return method === 'chat.update' ? method : `${method} ${string(args.channel)}`;
}

/** Token buckets that say when a call comes too early. */
export class Rates {
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  readonly #pauses = new Map<string, { readonly at: number; readonly ms: number }>();
  #limit: (Required<Omit<RateLimit, 'stopAfterUpdates'>> & RateLimit) | undefined;
  #updates = 0;
  #stoppedUntil = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Starts to limit, or stops with `undefined`. */
  set(limit: RateLimit | undefined): void {
    this.#buckets.clear();
    this.#updates = 0;
    this.#stoppedUntil = 0;
    this.#limit = limit && { updatesPerMinute: 50, postsPerSecond: 1, burst: 5, ...limit };
  }

  /** Slack has told the caller to wait so long, with a 429. */
  pause(call: Called, seconds: number): void {
    this.#pauses.set(subjectOf(call), { at: this.#now(), ms: seconds * 1_000 });
  }

  /**
   * Whether a call comes in a pause. One in its first half counts as begun before the bot heard of it; the last tenth is
   * left to clocks.
   */
  isInPause(call: Called): boolean {
    const pause = this.#pauses.get(subjectOf(call));
    const elapsed = pause && (this.#now() - pause.at) / pause.ms;
    return elapsed !== undefined && elapsed > 0.5 && elapsed < 0.9;
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
