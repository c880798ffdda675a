type FairShareOptions = {
  /** How many requests one person may make in a minute, and at once. */
  readonly perMinute: number;
  readonly now: () => number;
};

type Share = { readonly left: number; readonly at: number };

const MINUTE_MS = 60_000;
/** A person who is refused is told so this often in a minute, whatever they do. */
const TOLD_PER_MINUTE = 3;
/** Above this, whoever has used nothing for a minute is forgotten. */
const MOST_KNOWN = 10_000;

/**
 * How much of the bot one person may use: a bucket for each, which fills evenly. Counted in this process alone; a
 * person's share grows with the number of replicas.
 */
export class FairShare {
  readonly #options: FairShareOptions;
  readonly #requests = new Map<string, Share>();
  readonly #told = new Map<string, Share>();

  constructor(options: FairShareOptions) {
    this.#options = options;
  }

  /** Counts one thing that a person does; false when their share is used up. `cost`: 1 is a request. */
  take(user: string, cost: number): boolean {
    return this.#take(this.#requests, user, cost, this.#options.perMinute);
  }

  /** Whether a person who gets no further should hear of it once more. */
  shouldTell(user: string): boolean {
    return this.#take(this.#told, user, 1, TOLD_PER_MINUTE);
  }

  #take(shares: Map<string, Share>, user: string, cost: number, perMinute: number): boolean {
    const now = this.#options.now();
    const { left, at } = shares.get(user) ?? { left: perMinute, at: now };
    const full = Math.max(perMinute, 1);
    const available = Math.min(full, left + (Math.max(0, now - at) * perMinute) / MINUTE_MS);
    const isEnough = available >= cost;
    shares.set(user, { left: isEnough ? available - cost : available, at: now });
    if (shares.size > MOST_KNOWN) this.#forgetOld(shares, now);
    return isEnough;
  }

  #forgetOld(shares: Map<string, Share>, now: number): void {
    for (const [user, { at }] of shares) if (now - at > MINUTE_MS) shares.delete(user);
  }
}
