import { setTimeout as delay } from 'node:timers/promises';
import { whileHolding } from './lease.ts';
import type { Claims } from './store.ts';

/** A process that dies in its turn lets the next one in after this. */
const TURN_MS = 5_000;
const LOOK_AGAIN_MS = 20;

/** Work by name, one piece after the other, across everything that shares the claims: for values that are read, changed and written. */
export class Turns {
  readonly #claims: Claims;
  /** Those of this process wait here, so that only one of them asks for the claim. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(claims: Claims) {
    this.#claims = claims;
  }

  /** Throws what the work throws, and `StorageFailed`. */
  take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const turn = before.then(() => this.#claimed(name, work));
    const settled = turn
      .catch(() => {})
      .then(() => {
        if (this.#last.get(name) === settled) this.#last.delete(name);
      });
    this.#last.set(name, settled);
    return turn;
  }

  async #claimed<T>(name: string, work: () => Promise<T>): Promise<T> {
    for (;;) {
      const done = await whileHolding(this.#claims, `turn:${name}`, TURN_MS, async () => ({
        value: await work(),
      }));
      if (done !== undefined) return done.value;
      await delay(LOOK_AGAIN_MS);
    }
  }
}
