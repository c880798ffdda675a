import { RateLimited, retryAtOf, type Upstream } from '../core/faults.ts';
import type { Leases } from '../core/lease.ts';

/** Names of stored leases: older replicas hold the first one too. */
const LEASES: Record<Upstream, string> = {
  'diagnostics service': 'slow-down',
  'login servers': 'slow-down:login',
};

/**
 * The time before which an upstream asked not to be asked again (`Retry-After` of a 429 or a 5xx). It applies to every
 * question, replica and restart. Both methods throw `StorageFailed`.
 */
export class Pause {
  readonly #name: string;
  readonly #leases: Leases;
  readonly #now: () => number;

  constructor(upstream: Upstream, leases: Leases, now: () => number) {
    this.#name = LEASES[upstream];
    this.#leases = leases;
    this.#now = now;
  }

  /** Throws `RateLimited` while the upstream may not be asked. */
  async check(): Promise<void> {
    const ms = await this.#leases.ttl(this.#name);
    if (ms > 0) throw new RateLimited(this.#now() + ms);
  }

  /** Does the work; a fault that names a time starts a pause before it is thrown on. */
  async heeding<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const ms = (retryAtOf(error) ?? 0) - this.#now();
      if (ms > 0) await this.#leases.hold(this.#name, ms);
      throw error;
    }
  }
}
