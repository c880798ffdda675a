import { LeaseLost, type Leases, withLeaseWhenFree } from './lease.ts';

/** If a process dies while it works, the next one can start after this. Milliseconds. */
const LEASE_MS = 5_000;
const LOOK_AGAIN_MS = 20;
/** The most pieces of waiting work that are done under one lease; then another process can take it. */
const MOST_PER_LEASE = 20;

/** Makes sure that the lease is held still. Throws `LeaseLost` and `StorageFailed`. */
type Confirm = () => Promise<void>;
/** Work that waits. It throws nothing but `LeaseLost`: then it is done anew. */
type Piece = {
  readonly run: (confirm: Confirm) => Promise<void>;
  readonly fail: (error: unknown) => void;
};

/**
 * Runs pieces of work with the same name one after the other, across all processes that share the leases: for values
 * that are read, changed and written back.
 */
export class Mutex {
  readonly #leases: Leases | undefined;
  /** Work of this process queues here: only one piece of it asks for the lease, and the others are done under that lease. */
  readonly #waiting = new Map<string, Piece[]>();

  /** `leases` are shared by several processes; without them the mutex covers this process only. */
  constructor(leases?: Leases) {
    this.#leases = leases;
  }

  /** Whether other processes may do work of the same names. */
  get isShared(): boolean {
    return this.#leases !== undefined;
  }

  /**
   * Does the work, which reads, and then the writing that it asks for. Where others may have written in between, because
   * this process stood still, both are done anew. Throws what they throw, and `StorageFailed`.
   */
  run<T>(name: string, work: () => Promise<[outcome: T, write?: () => Promise<void>]>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const run = async (confirm: Confirm) => {
      try {
        const [outcome, write] = await work();
        if (write !== undefined) await confirm().then(write);
        resolve(outcome);
      } catch (error) {
        if (error instanceof LeaseLost) throw error;
        reject(error);
      }
    };
    const waiting = this.#waiting.get(name) ?? [];
    waiting.push({ run, fail: reject });
    if (!this.#waiting.has(name)) void this.#runAll(name, waiting);
    return promise;
  }

  async #runAll(name: string, waiting: Piece[]): Promise<void> {
    this.#waiting.set(name, waiting);
    while (waiting.length > 0) {
      try {
        await this.#locked(name, async (confirm) => {
          for (let done = 0; done < MOST_PER_LEASE && waiting.length > 0; done += 1) {
            await waiting[0]?.run(confirm);
            waiting.shift();
          }
        });
      } catch (error) {
        if (error instanceof LeaseLost) continue;
        // The lease could not be taken: the first piece of work fails, and the next one tries again.
        waiting.shift()?.fail(error);
      }
    }
    this.#waiting.delete(name);
  }

  #locked(name: string, work: (confirm: Confirm) => Promise<void>): Promise<void> {
    if (this.#leases === undefined) return work(async () => {});
    const terms = { ms: LEASE_MS, askAgainMs: LOOK_AGAIN_MS };
    return withLeaseWhenFree(this.#leases, `turn:${name}`, terms, (lease) => work(() => lease.confirm()));
  }
}
