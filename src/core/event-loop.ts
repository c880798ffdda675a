import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may block the event loop at a time. Milliseconds. */
const STRETCH_MS = 15;

/** Makes a function for long work to call often: it yields to the event loop once the work has blocked it for 15 ms. */
export function pace(): () => Promise<void> | undefined {
  let since = performance.now();
  const rest = async () => {
    await nextTurn();
    since = performance.now();
  };
  return () => (performance.now() - since < STRETCH_MS ? undefined : rest());
}

/** Maps the items in order; yields to the event loop after each 15 ms of work. */
export async function mapInTurns<T, R>(items: readonly T[], make: (item: T, at: number) => R): Promise<R[]> {
  const made: R[] = [];
  const rest = pace();
  for (const [at, item] of items.entries()) {
    made.push(make(item, at));
    await rest();
  }
  return made;
}

/** How many tasks start in one turn of the event loop. Each turn costs time, so a single task a turn would be slow. */
const AT_ONCE = 3;
/**
 * While urgent work runs, and for five turns after it, other tasks start only in every fifth turn. When a hundred
 * deliveries arrive at once, each turn reads one delivery, so most of them are acknowledged before other work starts.
 * An idle turn costs microseconds.
 */
const ONE_IN = 5;

/**
 * Starts tasks in order, a few in each turn of the event loop, and fewer while urgent work runs or has just ended. So a
 * hundred ready tasks don't delay an acknowledgement, which Slack expects within seconds, and yet every task starts.
 */
export class Precedence {
  readonly #waiting: (() => void)[] = [];
  #urgent = 0;
  /** Turns of the event loop since urgent work ended. */
  #calm = ONE_IN;
  #isGoing = false;

  /** Marks the start of urgent work; the returned function marks its end. */
  urgent(): () => void {
    this.#urgent += 1;
    this.#calm = 0;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#urgent -= 1;
    };
  }

  /** Resolves when a task that is not urgent may start. */
  turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    if (!this.#isGoing) this.#goOn(1);
    return promise;
  }

  /** Starts the next tasks in the next turn of the event loop, or a few turns later during urgent work. */
  #goOn(turns: number): void {
    this.#isGoing = true;
    setImmediate(() => {
      if (this.#urgent === 0) this.#calm += 1;
      if (this.#calm < ONE_IN && turns < ONE_IN) return this.#goOn(turns + 1);
      for (const begin of this.#waiting.splice(0, AT_ONCE)) begin();
      if (this.#waiting.length > 0) this.#goOn(1);
      else this.#isGoing = false;
    });
  }
}
