import type { Fault } from './model.ts';

/** The faults that a test planned for each method; each happens once, in order. */
export class PlannedFaults {
  readonly #planned = new Map<string, Fault[]>();

  /** Makes the next calls of a method (`*` for any) fail. */
  plan(method: string, faults: readonly Fault[]): void {
    this.#planned.set(method, [...(this.#planned.get(method) ?? []), ...faults]);
  }

  /** Takes the next planned fault of this method, if there is one. */
  next(method: string): Fault | undefined {
    return this.#planned.get(method)?.shift() ?? this.#planned.get('*')?.shift();
  }
}
