import { setImmediate as nextTurn } from 'node:timers/promises';

/** What `inTime` returns when the work takes too long. */
export const LATE = Symbol('late');

/** A timer that fires this much too late was blocked. Milliseconds. */
const PUNCTUAL_MS = 100;
/** How long a process gets to read the waiting input after it was blocked. Milliseconds. */
const CATCH_UP_MS = 500;

/**
 * Returns the outcome of the work, or `LATE` after `ms` milliseconds. Late work continues, but its result or error is
 * ignored. Throws the errors of work that ends in time.
 */
export async function inTime<T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>();
  const due = performance.now() + ms;
  let timer = setTimeout(() => {
    // After a standstill Node runs expired timers before it reads input that arrived meanwhile.
    const isLate = performance.now() - due > PUNCTUAL_MS;
    if (isLate) timer = setTimeout(resolve, CATCH_UP_MS, LATE);
    else resolve(LATE);
  }, ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Formats epoch milliseconds as `2026-11-20 09:14 UTC`, for readers whose time zone is unknown. */
export function utcText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Joins calls with the same name: a call during a running call gets the outcome of the running call. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  get size(): number {
    return this.#running.size;
  }

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

/** Runs some work at most once in `ms` milliseconds; calls in between get the latest outcome. */
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

/** Makes a value at the first call, and returns the same value from then on. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const DAY_MS = 24 * 3_600_000;

/** 9:00 of the next day in a time zone such as `Europe/Lisbon`, in epoch milliseconds. Uses UTC for an unknown zone. */
export function tomorrowAtNine(now: number, timeZone: string): number {
  const aheadMs = (at: number) => Date.parse(`${new Date(at).toLocaleString('sv-SE', { timeZone })}Z`) - at;
  try {
    const day = new Date(now + aheadMs(now) + DAY_MS).toISOString().slice(0, 10);
    const morning = Date.parse(`${day}T09:00:00Z`);
    // The offset at 9:00 counts, because clocks may change at night. The inner call estimates when 9:00 is.
    return morning - aheadMs(morning - aheadMs(morning));
  } catch {
    return tomorrowAtNine(now, 'UTC');
  }
}

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
