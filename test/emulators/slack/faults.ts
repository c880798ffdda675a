import type { Fault } from './model.ts';

/** The faults that were asked for, by method; each is used once, in order. */
export class PlannedFaults {
  readonly #planned = new Map<string, Fault[]>();

  /** Makes the next calls of a method (`*` for any) fail. */
  plan(method: string, faults: readonly Fault[]): void {
    this.#planned.set(method, [...(this.#planned.get(method) ?? []), ...faults]);
  }

  /** The fault of this call, if there is one. */
  next(method: string): Fault | undefined {
    return this.#planned.get(method)?.shift() ?? this.#planned.get('*')?.shift();
  }
}
