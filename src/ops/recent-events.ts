/** A lookup that ended without a result: when (epoch ms), the code of the fault, and the reference that finds it in the log. */
type RecentFault = { readonly at: number; readonly code: string; readonly reference: string };

const MOST = 10;

/** The latest events of this process, for the status report. */
export class RecentEvents {
  readonly #faults: RecentFault[] = [];
  /** When a login last succeeded and when one was last refused, in epoch milliseconds. */
  readonly #logins = new Map<string, number>();

  noteFault(fault: RecentFault): void {
    this.#faults.unshift(fault);
    this.#faults.splice(MOST);
  }

  noteLogin(outcome: string, at: number): void {
    this.#logins.set(outcome, at);
  }

  /** The latest faults first, at most ten. */
  get faults(): readonly RecentFault[] {
    return [...this.#faults];
  }

  lastLogin(outcome: 'succeeded' | 'refused'): number | undefined {
    return this.#logins.get(outcome);
  }
}
