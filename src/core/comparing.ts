import type { Diagnostic } from './diagnostics.ts';
import { byImportance, levelOf } from './importance.ts';

/** The fields that hits are compared by. The name identifies a hit, even if its texts differ. */
export type Named = Pick<Diagnostic, 'name' | 'importance'>;

/** What became of a hit from one analysis to the next. */
export const CHANGES = ['new', 'changed', 'cleared', 'unchanged'] as const;
export type Change = (typeof CHANGES)[number];

/** A hit of the later analysis, or a cleared one of the earlier; `was` is the same hit in the earlier one. */
type Compared<T> = { readonly hit: T; readonly was?: T };

/** Every hit of both analyses once, most important first. */
export type Comparison<T> = Readonly<Record<Change, readonly Compared<T>[]>>;

/** Compares the hits of two analyses. Several hits of one name are paired: first those of the same importance. */
export function compareHits<T extends Named>(before: readonly T[], after: readonly T[]): Comparison<T> {
  const earlier = new Unpaired(before);
  const found: Record<Change, Compared<T>[]> = { new: [], changed: [], cleared: [], unchanged: [] };
  const others: T[] = [];
  for (const hit of byImportance(after)) {
    const was = earlier.takeSame(hit);
    if (was === undefined) others.push(hit);
    else found.unchanged.push({ hit, was });
  }
  for (const hit of others) {
    const was = earlier.takeNamesake(hit);
    if (was === undefined) found.new.push({ hit });
    else found.changed.push({ hit, was });
  }
  return { ...found, cleared: byImportance(earlier.rest()).map((hit) => ({ hit })) };
}

/** The hits of the earlier analysis that have no partner yet, by name and importance. */
class Unpaired<T extends Named> {
  readonly #hits: readonly T[];
  readonly #byName = new Map<string, Map<string, T[]>>();

  constructor(hits: readonly T[]) {
    this.#hits = hits;
    // `pop` takes from the end, so the first of several must come last.
    for (const hit of hits.toReversed()) {
      const levels = this.#byName.get(hit.name) ?? new Map<string, T[]>();
      this.#byName.set(hit.name, levels);
      const { key } = levelOf(hit);
      const alike = levels.get(key) ?? [];
      alike.push(hit);
      levels.set(key, alike);
    }
  }

  takeSame(hit: Named): T | undefined {
    return this.#byName.get(hit.name)?.get(levelOf(hit).key)?.pop();
  }

  takeNamesake({ name }: Named): T | undefined {
    const levels = this.#byName.get(name) ?? new Map<string, T[]>();
    for (const [key, hits] of levels) {
      const taken = hits.pop();
      if (taken !== undefined) return taken;
      levels.delete(key);
    }
    return undefined;
  }

  /** In the order in which they were given. */
  rest(): T[] {
    const left = new Set([...this.#byName.values()].flatMap((levels) => [...levels.values()].flat()));
    return this.#hits.filter((hit) => left.has(hit));
  }
}
