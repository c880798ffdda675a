import { setTimeout as delay } from 'node:timers/promises';

/** Leases: each name has at most one holder at a time, among all processes that share the store. */
export interface Leases {
  /** Takes the name for `ms` milliseconds; false when somebody holds it. Atomic. */
  acquire(name: string, ms: number): Promise<boolean>;
  /** Holds the name for `ms` milliseconds from now, no matter who held it before. */
  hold(name: string, ms: number): Promise<void>;
  /**
   * Makes a lease of this process last `ms` milliseconds from now; false when it has run out or was released. Then it is
   * taken again, unless somebody else holds it now. Atomic.
   */
  renew(name: string, ms: number): Promise<boolean>;
  /** Frees the name if this process holds it. */
  release(name: string): Promise<void>;
  /** Milliseconds until the name is free; 0 when it is. */
  ttl(name: string): Promise<number>;
}

/** A lease is renewed three times before it would run out. */
const RENEWALS = 3;
/** A lease that may have less than this share of its time left is renewed before it is relied on. */
const NEARLY_WHOLE = 0.95;
/** How often somebody who waits for a lease asks for it again. Milliseconds. */
const ASK_AGAIN_MS = 100;

/** `ms`: how long a lease lasts unless it is renewed. `askAgainMs`: how often to ask for one that somebody else holds. */
type Terms = { readonly ms: number; readonly askAgainMs?: number };

/**
 * Takes a lease as soon as nobody else holds it, and gives when it asked for it, in milliseconds of `performance.now()`.
 * Before each wait it asks `isOver`; if that is true, gives undefined without the lease. Throws `StorageFailed`.
 */
export async function acquireWhenFree(
  leases: Leases,
  name: string,
  { ms, askAgainMs = ASK_AGAIN_MS }: Terms,
  isOver?: () => Promise<boolean>,
): Promise<number | undefined> {
  for (;;) {
    const asked = performance.now();
    if (await leases.acquire(name, ms)) return asked;
    if ((await isOver?.()) === true) return;
    await delay(askAgainMs);
  }
}

/** A process that stood still for longer than its lease lasts has lost it: another one may be doing the work. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`the lease ${name} ran out during the work`);
  }
}

/** A lease while work is done under it. */
export class HeldLease {
  readonly #leases: Leases;
  readonly #name: string;
  readonly #ms: number;
  /** Until when it is held for certain, in milliseconds of `performance.now()`. */
  #certainUntil: number;
  /** For how long it is held after the work; undefined: until it runs out. */
  #keptMs: (() => number) | undefined = () => 0;
  /** Whether it ran out once: somebody else may have held it since. */
  #ranOut = false;
  /** Whether somebody else held it when it was renewed last: it is not this holder's to free, nor to hold for longer. */
  #isTheirs = false;

  /** `askedAt`: when it was asked for, in milliseconds of `performance.now()`. */
  constructor(leases: Leases, name: string, ms: number, askedAt: number) {
    this.#leases = leases;
    this.#name = name;
    this.#ms = ms;
    this.#certainUntil = askedAt + ms;
  }

  /**
   * Makes sure, just before something that only its holder may do, that the lease is held, and for nearly its whole
   * time from now. Unless it was taken only just now, the store judges: a suspended machine does not know that it stood
   * still. Throws `LeaseLost` and `StorageFailed`.
   */
  async confirm(): Promise<void> {
    const asked = performance.now();
    if (this.#certainUntil - asked >= this.#ms * NEARLY_WHOLE) return;
    const isRenewed = !this.#ranOut && (await this.#renew());
    // A renewal that was under way may have found that it ran out, and taken it again.
    if (!isRenewed || this.#ranOut) throw new LeaseLost(this.#name);
    this.#certainUntil = asked + this.#ms;
  }

  /** Throws `LeaseLost` if the time that was confirmed last is over: for the moment at which nothing can be awaited. */
  verify(): void {
    if (performance.now() >= this.#certainUntil) throw new LeaseLost(this.#name);
  }

  /** Keeps the name from everybody for so long after the work; without `ms`, it is not freed before it runs out. */
  keep(ms?: () => number): void {
    this.#keptMs = ms;
  }

  /** Renews it, or takes it again if it ran out and is free; gives a function that ends that, and frees it unless it is kept. */
  renewing(): () => Promise<void> {
    const ending = new AbortController();
    let renewed: Promise<void> | undefined;
    const timer = setInterval(() => {
      renewed ??= this.#renewAtLast(ending.signal).then(() => {
        renewed = undefined;
      });
    }, this.#ms / RENEWALS);
    return async () => {
      clearInterval(timer);
      ending.abort();
      // A renewal that is still on its way would be told of a lease that is gone.
      await renewed;
      const ms = this.#isTheirs ? undefined : this.#keptMs?.();
      if (ms === undefined) return;
      await (ms > 0 ? this.#leases.hold(this.#name, ms) : this.#leases.release(this.#name)).catch(() => {});
    };
  }

  /** A store that was away hears of it as soon as it is back: before those who ask for the lease then. */
  async #renewAtLast(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        return void (await this.#renew());
      } catch {
        await delay(ASK_AGAIN_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** False when it ran out. If nobody else has it now it is taken again, because the work goes on, perhaps for minutes. */
  async #renew(): Promise<boolean> {
    const renew = () => this.#leases.renew(this.#name, this.#ms);
    const wasHeld = await renew();
    if (!wasHeld) this.#ranOut = true;
    this.#isTheirs = !wasHeld && !(await renew());
    return wasHeld;
  }
}

/**
 * Does `work` while holding a lease, once nobody else holds it; what another holder has done meanwhile is for `work` to
 * look up. The lease is renewed as long as the work takes; if the process dies, it is free after at most `ms`
 * milliseconds. If the process stands still for that long, it is free too, until the process goes on: work that must not
 * be done twice confirms it.
 * While somebody else holds the lease, `instead` may give the outcome without it.
 * Throws what the work throws, and `StorageFailed`.
 */
export async function withLeaseWhenFree<T>(
  leases: Leases,
  name: string,
  terms: Terms,
  work: (lease: HeldLease) => Promise<T>,
  instead?: () => Promise<T | undefined>,
): Promise<T> {
  let other: T | undefined;
  const askedAt = await acquireWhenFree(leases, name, terms, async () => {
    other = await instead?.();
    return other !== undefined;
  });
  if (askedAt === undefined) return other as T;
  const lease = new HeldLease(leases, name, terms.ms, askedAt);
  const end = lease.renewing();
  try {
    return await work(lease);
  } finally {
    await end();
  }
}
