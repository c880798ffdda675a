import { setTimeout as delay } from 'node:timers/promises';

/** Leases: each name has at most one holder at a time, among all processes that share the store. */
export interface Leases {
  /** Takes the name for `ms` milliseconds; false while it is held. Atomic. */
  acquire(name: string, ms: number): Promise<boolean>;
  /** Holds the name for `ms` milliseconds from now, no matter who held it before. */
  hold(name: string, ms: number): Promise<void>;
  /**
   * Makes a lease of this process last `ms` milliseconds from now; false when it has run out or was released. Then it is
   * taken again, unless another holder has it now. Atomic.
   */
  renew(name: string, ms: number): Promise<boolean>;
  /** Frees the name if this process holds it. */
  release(name: string): Promise<void>;
  /** Milliseconds until the name is free; 0 when it is. */
  ttl(name: string): Promise<number>;
}

/** A lease is renewed this many times before it would run out. */
const RENEWALS = 3;
/** A lease that may have less than this share of its time left is renewed before it is relied on. */
const NEARLY_WHOLE = 0.95;
/** The longest lease that others wait for; a longer one was taken before the store's clock was set back. Milliseconds. */
const LONGEST_MS = 11 * 60_000;

/** A process that stood still for longer than its lease lasts has lost it: another one may be doing the work. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`the lease ${name} ran out during the work`);
  }
}

/** A lease while work is done under it. Times are monotonic milliseconds. */
export class HeldLease {
  readonly #leases: Leases;
  readonly #name: string;
  readonly #ms: number;
  #certainUntil: number;
  #keptUntil = 0;
  /** Once it ran out it stays lost: another process may have held it since. */
  #isLost = false;

  constructor(leases: Leases, name: string, ms: number, askedAt: number) {
    this.#leases = leases;
    this.#name = name;
    this.#ms = ms;
    this.#certainUntil = askedAt + ms;
  }

  /**
   * Makes sure that the lease is held for nearly its whole time from now. Asks the store unless the lease was taken just
   * now: the monotonic clock may stop while a machine is suspended. Throws `LeaseLost` and `storage-failed`.
   */
  async confirm(): Promise<void> {
    if (this.#certainUntil - performance.now() >= this.#ms * NEARLY_WHOLE) return;
    await this.#renew();
    if (this.#isLost) throw new LeaseLost(this.#name);
  }

  /** The check of `confirm` without a request: throws `LeaseLost` if the confirmed time is over. */
  verify(): void {
    if (performance.now() >= this.#certainUntil) throw new LeaseLost(this.#name);
  }

  /** Keeps the lease until then, also after the work. */
  keepUntil(time: number): void {
    this.#keptUntil = time;
  }

  /**
   * Renews the lease during the work, then releases it, or keeps it as `keepUntil` says; neither if another holder has
   * it.
   */
  async during<T>(work: (lease: HeldLease) => Promise<T>): Promise<T> {
    let renewal = Promise.resolve();
    const timer = setInterval(() => {
      renewal = renewal.then(() => this.#renew()).catch(() => {});
    }, this.#ms / RENEWALS);
    try {
      return await work(this);
    } finally {
      clearInterval(timer);
      // A renewal that arrives after the release would take the lease again.
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

/**
 * Waits for a lease and does `work` while holding it; `work` itself checks what another holder did meanwhile. If the
 * process dies, the lease is free after at most `ms` milliseconds. Work that must not be done twice confirms the lease.
 * While it is held elsewhere, it is asked for every `askAgainMs` milliseconds, and `instead` may give the outcome without
 * it. Throws what the work throws, and `storage-failed`.
 */
export async function withLeaseWhenFree<T>(
  leases: Leases,
  name: string,
  { ms, askAgainMs = 100 }: { readonly ms: number; readonly askAgainMs?: number },
  work: (lease: HeldLease) => Promise<T>,
  instead: () => Promise<T | undefined> = async () => undefined,
): Promise<T> {
  for (;;) {
    const askedAt = performance.now();
    if (await leases.acquire(name, ms)) return new HeldLease(leases, name, ms, askedAt).during(work);
    const outcome = await instead();
    if (outcome !== undefined) return outcome;
    if ((await leases.ttl(name)) > LONGEST_MS) await leases.hold(name, 1);
    await delay(askAgainMs);
  }
}
