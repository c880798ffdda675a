/**
 * Remembers for each object what was made of it last, and for which key: many who ask for the same at once get the same.
 * It is forgotten with its object; nobody may change it.
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
