const MOST_VALUES = 500;
const MOST_WEIGHT = 16_000_000;

/**
 * The latest values that were made of a text or document, by exactly that text or by its digest: at most `most` of them, and 16
 * million of what they weigh together, in characters or bytes.
 */
export class Remembered<Value> {
  readonly #most: number;
  readonly #values = new Map<string, { readonly value: Value; readonly weight: number }>();
  #weight = 0;

  constructor(most = MOST_VALUES) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key)?.value;
  }

  set(key: string, value: Value, weight: number): void {
    this.delete(key);
    this.#values.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#most && this.#weight <= MOST_WEIGHT) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#values.get(key)?.weight ?? 0;
    this.#values.delete(key);
  }
}
