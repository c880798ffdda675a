/** Runs named work: a call that comes while work of the same name is running gets that work's outcome. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** The outcome of the work of that name that is running now. */
  running(name: string): Promise<T> | undefined {
    return this.#running.get(name);
  }

  do(name: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const started = work().finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    return started;
  }
}

/** Repeats some work at most once in `ms` milliseconds: whoever asks sooner gets the outcome of the latest time. */
export function atMostEvery<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let outcome: Promise<T>;
  return () => {
    const now = performance.now();
    if (now - startedAt >= ms) {
      startedAt = now;
      outcome = work();
    }
    return outcome;
  };
}

/** Makes something at its first use, and gives the same from then on. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * How many pieces of work may begin in one turn of the event loop: each turn has a cost of its own, so one piece a turn
 * would be too few.
 */
const AT_ONCE = 2;
/**
 * While urgent work is under way, and in as many turns after it, other work begins only in one of this many turns: of a
 * hundred deliveries that come at once, each turn reads one, which may be acknowledged before the next is read. Turns in
 * which nothing happens cost microseconds.
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
      this.#calm = 0;
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
      if (this.#urgent === 0) this.#calm += 1;
      if (this.#calm < ONE_IN && turns < ONE_IN) return this.#goOn(turns + 1);
      for (const begin of this.#waiting.splice(0, AT_ONCE)) begin();
      if (this.#waiting.length > 0) this.#goOn(1);
      else this.#isGoing = false;
    });
  }
}
