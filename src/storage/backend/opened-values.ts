/** So many values are remembered, the latest ones, none of them longer than this as it is stored. */
const MOST = 50;
const LONGEST = 300_000;

/**
 * Values that were sealed or opened last, each by its name and by what exactly is stored there: opening the same again
 * gives the same. What was stored anew, altered or deleted since is not found here.
 */
export class OpenedValues<Value> {
  readonly #opened = new Map<string, { readonly text: string; readonly value: Value }>();

  /** The value that this text is the sealed form of, if that is known. */
  find(name: string, text: string): Value | undefined {
    const known = this.#opened.get(name);
    return known?.text === text ? known.value : undefined;
  }

  /** Nobody may change the value afterwards. */
  remember(name: string, text: string, value: Value): void {
    this.#opened.delete(name);
    if (text.length > LONGEST) return;
    this.#opened.set(name, { text, value });
    const [oldest] = this.#opened.keys();
    if (this.#opened.size > MOST && oldest !== undefined) this.#opened.delete(oldest);
  }

  forget(name: string): void {
    this.#opened.delete(name);
  }
}
