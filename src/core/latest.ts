/**
 * Keeps, for each object, the value that was last made from it, with the key that it was made for: simultaneous
 * requests for the same thing share one value. The value is freed together with its object; callers must not change it.
 */
export class Latest<Owner extends object, Value> {
  readonly #made = new WeakMap<Owner, { readonly key: string; readonly value: Value }>();

  /** The value for this key, made now unless it is the latest one. Throws what `make` throws. */
  of(owner: Owner, key: string, make: () => Value): Value {
    const known = this.#made.get(owner);
    if (known?.key === key) return known.value;
    const value = make();
    this.#made.set(owner, { key, value });
    return value;
  }
}
