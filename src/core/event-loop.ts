import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long some work may go on before the event loop gets a turn. Milliseconds. */
const STRETCH_MS = 15;

/** For long work: each call yields to the event loop if the last yield was some milliseconds ago. */
export function pace(): () => Promise<void> | undefined {
  let since = performance.now();
  const rest = async () => {
    await nextTurn();
    since = performance.now();
  };
  return () => (performance.now() - since < STRETCH_MS ? undefined : rest());
}

/** Maps the items in order, and yields to the event loop in between. */
export async function mapInTurns<T, R>(items: readonly T[], make: (item: T, at: number) => R): Promise<R[]> {
  const made: R[] = [];
  const rest = pace();
  for (const [at, item] of items.entries()) {
    made.push(make(item, at));
    await rest();
  }
  return made;
}

/**
 * How many pieces of work may begin in one turn of the event loop: each turn has a cost of its own, so one piece a turn
 * would be too few.
 */
const AT_ONCE = 3;
/**
 * During urgent work, and for this many turns after it, other work begins only in one of this many turns. When a hundred
 * deliveries come at once, each turn reads one of them, which can be acknowledged before the next is read. An idle turn
 * costs microseconds.
 */
const ONE_IN = 5;

/**
 * Lets pieces of work begin a few in each turn of the event loop, in the order in which they came, and less often while
 * urgent work is under way or has just ended. So a hundred pieces that are ready at once do not delay what has to be
 * answered within seconds, and none of them waits for ever.
 */
export class Precedence {
  readonly #waiting: (() => void)[] = [];
  #urgent = 0;
  /** How many turns have begun since urgent work was under way. */
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

  /** Settles when a piece of work that is not urgent may begin. */
  turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    if (!this.#isGoing) this.#goOn(1);
    return promise;
  }

  /** Begins the next pieces in their turn. `turns`: how many turns have begun since the last pieces. */
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
