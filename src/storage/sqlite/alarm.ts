/** The longest that a timer of Node runs; one that is set for longer goes off at once. Milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** One timer for many times: it rings at the earliest that was set. */
export class Alarm {
  readonly #now: () => number;
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | undefined;
  #at = Number.POSITIVE_INFINITY;
  #isStopped = false;

  constructor(now: () => number, ring: () => void) {
    this.#now = now;
    this.#ring = ring;
  }

  /** Epoch milliseconds; a time in the past is now. */
  setFor(at: number): void {
    if (this.#isStopped || at >= this.#at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    const ring = () => {
      this.#at = Number.POSITIVE_INFINITY;
      this.#ring();
    };
    this.#timer = setTimeout(ring, Math.min(Math.max(0, at - this.#now()), LONGEST_MS));
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
