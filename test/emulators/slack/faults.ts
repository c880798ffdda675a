import type { Fault } from './model.ts';

/** The faults that a test planned. Those of one method happen in order, each once. */
export class PlannedFaults {
  readonly #planned = new Map<string, Fault[]>();
  #held: { readonly method: string; readonly released: Promise<void> } | undefined;

  /** Resolves when calls of this method are answered again; undefined if they are not held. */
  released(method: string): Promise<void> | undefined {
    return this.#held && [method, '*'].includes(this.#held.method) ? this.#held.released : undefined;
  }

  /** Holds the calls of a method (`*` for all) before they take effect, until the returned function is called. */
  hold(method: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = { method, released: promise };
    return () => {
      this.#held = undefined;
      resolve();
    };
  }
  /** The delay of each answer, in milliseconds. */
  lateMs: () => number = () => 0;
  /** How long the acknowledgement of a form takes until it takes effect. Milliseconds. */
  obeysAfterMs = 0;

  /** Makes the next calls of a method (`*` for any) fail. */
  plan(method: string, faults: readonly Fault[]): void {
    this.#planned.set(method, [...(this.#planned.get(method) ?? []), ...faults]);
  }

  /** Takes the next fault that is planned for this method, else for any method. */
  next(method: string): Fault | undefined {
    return this.#planned.get(method)?.shift() ?? this.#planned.get('*')?.shift();
  }
}
