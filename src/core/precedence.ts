/**
 * How many pieces of work may begin in one turn of the event loop: each turn has a cost of its own, so one piece a turn
 * would be too few.
 */
const AT_ONCE = 2;
/** While urgent work is under way, other work begins only in one of this many turns. */
const ONE_IN = 5;

/**
 * Lets pieces of work begin a few in each turn of the event loop, in the order in which they came, and less often while
 * urgent work is under way. So a hundred pieces that are ready at once do not delay what has to be answered within
 * seconds, and none of them waits for ever.
 */
export class Precedence {
  readonly #waiting: (() => void)[] = [];
  #urgent = 0;
  #isGoing = false;

  /** Marks the start of urgent work; the returned function marks its end. */
  urgent(): () => void {
    this.#urgent += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#urgent -= 1;
      isOver = true;
    };
  }

  /** Settles when a piece of work that is not urgent may begin. */
  turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    if (!this.#isGoing) this.#goOn(1);
    return promise;
  }

  /** `turns` of the event loop have begun since the last pieces did. */
  #goOn(turns: number): void {
    this.#isGoing = true;
    setImmediate(() => {
      if (this.#urgent > 0 && turns < ONE_IN) return this.#goOn(turns + 1);
      for (const begin of this.#waiting.splice(0, AT_ONCE)) begin();
      if (this.#waiting.length > 0) this.#goOn(1);
      else this.#isGoing = false;
    });
  }
}
