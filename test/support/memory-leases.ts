import type { Leases } from '../../src/core/lease.ts';

/** Leases in memory, for a process that shares its store with no other; they end with the process. */
export class MemoryLeases implements Leases {
  readonly #ends = new Map<string, number>();
  readonly #now: () => number;

  /** `now` gives epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  async acquire(name: string, ms: number): Promise<boolean> {
    if (this.#left(name) > 0) return false;
    this.#ends.set(name, this.#now() + ms);
    return true;
  }

  async hold(name: string, ms: number): Promise<void> {
    this.#ends.set(name, this.#now() + ms);
  }

  async renew(name: string, ms: number): Promise<boolean> {
    if (this.#left(name) <= 0) return false;
    await this.hold(name, ms);
    return true;
  }

  async release(name: string): Promise<void> {
    this.#ends.delete(name);
  }

  async ttl(name: string): Promise<number> {
    return this.#left(name);
  }

  #left(name: string): number {
    return Math.max((this.#ends.get(name) ?? 0) - this.#now(), 0);
  }
}
