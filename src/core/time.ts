/** What `inTime` returns when the work takes too long. */
export const LATE = Symbol('late');

/** A timer that fires this much too late was blocked. Milliseconds. */
const PUNCTUAL_MS = 100;
/** How long a process that was blocked may take to read what arrived meanwhile. Milliseconds. */
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
