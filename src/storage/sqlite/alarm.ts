/** One timer for many times: it goes off at the earliest that was set. */
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
    this.#timer = setTimeout(ring, Math.max(0, at - this.#now()));
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
