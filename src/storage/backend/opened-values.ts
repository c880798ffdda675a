/** The most values that are kept; the oldest ones are dropped first. */
const MOST_VALUES = 50;
/** The most UTF-16 units of JSON that the kept values have together: about four of the largest results. */
const MOST_LENGTH = 16_000_000;

/** A value with its length as JSON. */
type Opened<Value> = { readonly value: Value; readonly length: number };

/**
 * Values that were sealed or opened last, each by its name and by what exactly is stored there: opening the same again
 * gives the same. What was stored anew, altered or deleted since is not found here.
 */
export class OpenedValues<Value> {
  readonly #opened = new Map<string, Opened<Value> & { readonly text: string }>();
  #length = 0;

  /** The value that this text is the sealed form of, if that is known. */
  find(name: string, text: string): Value | undefined {
    const known = this.#opened.get(name);
    return known?.text === text ? known.value : undefined;
  }

  /** The value must not be changed afterwards. */
  remember(name: string, text: string, opened: Opened<Value>): void {
    this.forget(name);
    this.#opened.set(name, { ...opened, text });
    this.#length += opened.length;
    for (const oldest of this.#opened.keys()) {
      if (this.#opened.size <= MOST_VALUES && this.#length <= MOST_LENGTH) break;
      this.forget(oldest);
    }
  }

  forget(name: string): void {
    this.#length -= this.#opened.get(name)?.length ?? 0;
    this.#opened.delete(name);
  }
}
