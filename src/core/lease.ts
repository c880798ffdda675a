import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** Leases: each name has at most one holder among all processes that share the store. */
export interface Leases {
  /** Takes the lease for `ms` milliseconds; false if another holder has it. Atomic. */
  acquire(name: string, ms: number): Promise<boolean>;
  /** Takes the lease for `ms` milliseconds, even from another holder. */
  hold(name: string, ms: number): Promise<void>;
  /**
   * Extends a lease of this process to `ms` milliseconds from now, or takes it again if it is free. False if it had
   * expired or was released. Atomic.
   */
  renew(name: string, ms: number): Promise<boolean>;
  /** Releases the lease if this process holds it. */
  release(name: string): Promise<void>;
  /** How long until the lease is free, in milliseconds; 0 if it is free. */
  ttl(name: string): Promise<number>;
}

/** The most leases in memory. If there are more, the least recently used lease ends early. */
const MOST_LEASES = 1_000;

/** The leases of a single process. They need not outlast it, because no other process shares its store. */
export function leasesInMemory(): Leases {
  const held = new LRUCache<string, true>({ max: MOST_LEASES });
  const hold = (name: string, ttl: number) => void held.set(name, true, { ttl });
  return {
    acquire: async (name, ms) => {
      const isFree = !held.has(name);
      if (isFree) hold(name, ms);
      return isFree;
    },
    hold: async (name, ms) => hold(name, ms),
    renew: async (name, ms) => {
      const wasHeld = held.has(name);
      hold(name, ms);
      return wasHeld;
    },
    release: async (name) => void held.delete(name),
    ttl: async (name) => Math.max(0, held.getRemainingTTL(name)),
  };
}

/** How many times a lease is renewed within its term. */
const RENEWALS = 3;
/** `confirm` renews a lease unless at least this share of its term is left. */
const NEARLY_WHOLE = 0.95;
/** The longest time that any lease lasts. If more is left, the store's clock was set back, and the lease is ended. */
const LONGEST_MS = 11 * 60_000;

/** The lease expired before the work ended, so another process may be doing the same work. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`the lease ${name} ran out during the work`);
  }
}

/** A lease that is held while work runs. Times are monotonic milliseconds. */
export class HeldLease {
  readonly #leases: Leases;
  readonly #name: string;
  readonly #ms: number;
  #certainUntil: number;
  #keptUntil = 0;
  /** Stays true after the lease expired once, because another process may have held it since. */
  #isLost = false;

  constructor(leases: Leases, name: string, ms: number, askedAt: number) {
    this.#leases = leases;
    this.#name = name;
    this.#ms = ms;
    this.#certainUntil = askedAt + ms;
  }

  /**
   * Makes sure that the lease lasts nearly its whole term from now. Asks the store unless the lease was taken moments
   * ago, because the monotonic clock may stop while a machine is suspended. Throws `LeaseLost` and `storage-failed`.
   */
  async confirm(): Promise<void> {
    if (this.#certainUntil - performance.now() >= this.#ms * NEARLY_WHOLE) return;
    await this.#renew();
    if (this.#isLost) throw new LeaseLost(this.#name);
  }

  /** Keeps the lease for this long from now, even after the work has ended. Milliseconds. */
  keepFor(ms: number): void {
    this.#keptUntil = performance.now() + ms;
  }

  /** Renews the lease while the work runs. Afterwards releases it, or keeps it for the time of `keepFor`. */
  async during<T>(work: (lease: HeldLease) => Promise<T>): Promise<T> {
    let renewal = Promise.resolve();
    const timer = setInterval(() => {
      renewal = renewal.then(() => this.#renew()).catch(() => {});
    }, this.#ms / RENEWALS);
    try {
      return await work(this);
    } finally {
      clearInterval(timer);
      // Without this wait a renewal could arrive after the release and take the lease again.
      await renewal;
      await this.#end().catch(() => {});
    }
  }

  async #renew(): Promise<void> {
    const asked = performance.now();
    if (await this.#leases.renew(this.#name, this.#ms)) this.#certainUntil = asked + this.#ms;
    else this.#isLost = true;
  }

  async #end(): Promise<void> {
    const keptMs = this.#keptUntil - performance.now();
    await (keptMs > 0 ? this.#leases.renew(this.#name, keptMs) : this.#leases.release(this.#name));
  }
}

/** The pauses between tries to take a lease of another process: most leases end soon, some last minutes. Milliseconds. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Waits for a lease, then does `work` while holding it. Stops waiting if `instead` gives an outcome. If this process
 * dies, the lease is free after at most `ms` milliseconds. `work` must check what an earlier holder did, and confirm
 * the lease before anything that must not happen twice. Throws the errors of the work, and `storage-failed`.
 */
export async function withLeaseWhenFree<T>(
  leases: Leases,
  name: string,
  ms: number,
  work: (lease: HeldLease) => Promise<T>,
  instead: () => Promise<T | undefined> = async () => undefined,
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const askedAt = performance.now();
    if (await leases.acquire(name, ms)) return new HeldLease(leases, name, ms, askedAt).during(work);
    const outcome = await instead();
    if (outcome !== undefined) return outcome;
    if ((await leases.ttl(name)) > LONGEST_MS) await leases.hold(name, 1);
    await delay(pauseMs);
  }
}
