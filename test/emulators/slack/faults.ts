import type { Fault } from './model.ts';

/** The faults that a test planned. Those of one method happen in order, each once. */
export class PlannedFaults {
  readonly #planned = new Map<string, Fault[]>();
  #released: Promise<void> | undefined;

  /** Resolves when calls are answered again; undefined if they are not held. */
  get released(): Promise<void> | undefined {
    return this.#released;
  }

  /** From now on holds all calls before they take effect, until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#released = promise;
    return () => {
      this.#released = undefined;
      resolve();
    };
  }
  /** The delay of each answer, in milliseconds. */
  lateMs: () => number = () => 0;

  /** Makes the next calls of a method (`*` for any) fail. */
  plan(method: string, faults: readonly Fault[]): void {
    this.#planned.set(method, [...(this.#planned.get(method) ?? []), ...faults]);
  }

  /** Takes the next fault that is planned for this method, else for any method. */
  next(method: string): Fault | undefined {
    return this.#planned.get(method)?.shift() ?? this.#planned.get('*')?.shift();
  }
}
