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
