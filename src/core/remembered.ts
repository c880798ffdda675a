const MOST_VALUES = 500;
const MOST_WEIGHT = 16_000_000;

/**
 * A bounded cache of what was made from texts or documents, by the text or its digest: the latest `most` values, and at
 * most 16 million characters or bytes in all.
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
