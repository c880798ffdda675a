import type { Leases } from './lease.ts';
import { withLeaseWhenFree } from './lease.ts';

/** If a process dies while it works, the next one can start after this. Milliseconds. */
const TURN_MS = 5_000;
const LOOK_AGAIN_MS = 20;

/**
 * Runs pieces of work with the same name one after the other, across all processes that share the leases: for values
 * that are read, changed and written back.
 */
export class Mutex {
  readonly #leases: Leases | undefined;
  /** Work of this process queues here, so that only one piece of it asks for the lease. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** `leases` are shared by several processes; without them the mutex covers this process only. */
  constructor(leases?: Leases) {
    this.#leases = leases;
  }

  /** Throws what the work throws, and `StorageFailed`. */
  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const turn = before.then(() => this.#locked(name, work));
    const settled = turn
      .catch(() => {})
      .then(() => {
        if (this.#last.get(name) === settled) this.#last.delete(name);
      });
    this.#last.set(name, settled);
    return turn;
  }

  #locked<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#leases === undefined) return work();
    return withLeaseWhenFree(this.#leases, `turn:${name}`, { ms: TURN_MS, askAgainMs: LOOK_AGAIN_MS }, work);
  }
}
