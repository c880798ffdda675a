import type { Fault } from './model.ts';

/** The faults that a test planned: those of each method happen once, in order. */
export class PlannedFaults {
  readonly #planned = new Map<string, Fault[]>();
  #released: Promise<void> | undefined;

  /** Settles when calls are answered again. */
  get released(): Promise<void> | undefined {
    return this.#released;
  }

  /** From now on no call is done or answered until the function that it gives is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#released = promise;
    return () => {
      this.#released = undefined;
      resolve();
    };
  }
  /** How late each call is answered, in milliseconds. */
  lateMs: () => number = () => 0;

  /** Makes the next calls of a method (`*` for any) fail. */
  plan(method: string, faults: readonly Fault[]): void {
    this.#planned.set(method, [...(this.#planned.get(method) ?? []), ...faults]);
  }

  /** Takes the next planned fault of this method, if there is one. */
  next(method: string): Fault | undefined {
    return this.#planned.get(method)?.shift() ?? this.#planned.get('*')?.shift();
  }
}
