const MOST_VALUES = 500;
const MOST_WEIGHT = 16_000_000;

/**
 * A bounded in-memory cache, keyed by a text or its digest. It keeps the latest `most` values, with a total size of at
 * most 16 million characters or bytes.
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
