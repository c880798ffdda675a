type FairShareOptions = {
  /** The most requests of one person in a minute, and at once. */
  readonly perMinute: number;
  readonly now: () => number;
};

type Share = { readonly left: number; readonly at: number };

const MINUTE_MS = 60_000;
/** How often in a minute a person is told that they are refused. */
const TOLD_PER_MINUTE = 3;
/** Above this number of people, those who have used nothing for a minute are dropped. */
const MOST_KNOWN = 10_000;

/**
 * Limits requests per person with token buckets that fill evenly. They are counted in this process alone, so the limit
 * grows with the number of replicas.
 */
export class FairShare {
  readonly #options: FairShareOptions;
  readonly #requests = new Map<string, Share>();
  readonly #told = new Map<string, Share>();

  constructor(options: FairShareOptions) {
    this.#options = options;
  }

  /** Counts a request; false if the person's bucket is empty. `cost`: 1 is a command. */
  take(user: string, cost: number): boolean {
    return this.#take(this.#requests, user, cost, this.#options.perMinute);
  }

  /** Whether to tell a person once more that they are refused. */
  shouldTell(user: string): boolean {
    return this.#take(this.#told, user, 1, TOLD_PER_MINUTE);
  }

  #take(shares: Map<string, Share>, user: string, cost: number, perMinute: number): boolean {
    const now = this.#options.now();
    const { left, at } = shares.get(user) ?? { left: perMinute, at: now };
    const full = Math.max(perMinute, 1);
    const available = Math.min(full, left + (Math.max(0, now - at) * perMinute) / MINUTE_MS);
    const isEnough = available >= cost;
    // The map is in the order of use: who has used nothing for the longest time comes first.
    shares.delete(user);
    shares.set(user, { left: isEnough ? available - cost : available, at: now });
    if (shares.size > MOST_KNOWN) this.#forgetOld(shares, now);
    return isEnough;
  }

  #forgetOld(shares: Map<string, Share>, now: number): void {
    for (const [user, { at }] of shares) {
      if (now - at <= MINUTE_MS) return;
      shares.delete(user);
    }
  }
}
