/** A lookup that ended without a result: when (epoch ms), the code of the fault, and the reference that finds it in the log. */
type RecentFault = { readonly at: number; readonly code: string; readonly reference: string };

const MOST = 10;

/** What this process remembers of its own life, for whoever asks how it is. */
export class RecentEvents {
  readonly #faults: RecentFault[] = [];
  /** When a login last succeeded and was last refused, in epoch milliseconds. */
  readonly #logins = new Map<string, number>();

  noteFault(fault: RecentFault): void {
    this.#faults.unshift(fault);
    this.#faults.splice(MOST);
  }

  noteLogin(outcome: string, at: number): void {
    this.#logins.set(outcome, at);
  }

  /** The latest ones first, at most ten. */
  get faults(): readonly RecentFault[] {
    return [...this.#faults];
  }

  lastLogin(outcome: 'succeeded' | 'refused'): number | undefined {
    return this.#logins.get(outcome);
  }
}
