import type { Namespace } from '../core/store.ts';

/** An entry of a stored list. `until`: when it expires, in epoch milliseconds. */
type Entry = { readonly kind: string; readonly until: number };
type Change<E> = { readonly before: readonly E[]; readonly after: readonly E[] };

/** Stored lists whose entries expire one by one. Every method throws `storage-failed`. */
export class Entries<E extends Entry> {
  readonly #namespace: Namespace<readonly E[]>;
  readonly #now: () => number;

  constructor(namespace: Namespace<readonly E[]>, now: () => number) {
    this.#namespace = namespace;
    this.#now = now;
  }

  /** The entries that have not expired. */
  async at(key: string): Promise<readonly E[]> {
    return this.#live(await this.#namespace.get(key));
  }

  /** Changes a list, after its expired entries were dropped. */
  async change(key: string, make: (live: readonly E[]) => readonly E[]): Promise<Change<E>> {
    const change = (stored?: readonly E[]) => make(this.#live(stored));
    const keptMs = (after: readonly E[]) => Math.max(...after.map(({ until }) => until)) - this.#now();
    const [before, after = []] = await this.#namespace.change(key, change, keptMs);
    return { before: this.#live(before), after };
  }

  #live(stored: readonly E[] = []): readonly E[] {
    return stored.filter(({ until }) => until > this.#now());
  }
}

/** The entries of one kind. */
export function ofKind<E extends Entry, Kind extends E['kind']>(entries: readonly E[], kind: Kind) {
  return entries.filter((each): each is Extract<E, { readonly kind: Kind }> => each.kind === kind);
}
