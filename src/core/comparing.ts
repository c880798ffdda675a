import type { Diagnostic } from './diagnostics.ts';
import { levelOf, sortByImportance } from './importance.ts';

/** The fields that hits are compared by. The name identifies a hit, even if its texts differ. */
export type Named = Pick<Diagnostic, 'name' | 'importance'>;

/**
 * What became of a hit from one analysis to the next. `cleared`: the later one checked it and it passed; `unlisted`: the
 * later one lists it neither as a hit nor as a passed check, so that nothing is known of it.
 */
type Change = 'new' | 'changed' | 'cleared' | 'unlisted' | 'unchanged';

/**
 * A hit of the later analysis, or a cleared or unlisted hit of the earlier one. `was`: the hit as it was in the earlier
 * analysis.
 */
type Compared<T> = { readonly hit: T; readonly was?: T };

/** Every hit of both analyses once, most important first. */
export type Comparison<T> = Readonly<Record<Change, readonly Compared<T>[]>>;

/** One hit in each analysis that has it, in their order; undefined where an analysis has none. */
type Row<T> = { readonly hit: T; readonly cells: readonly (T | undefined)[] };

/**
 * The hits of several analyses side by side: each hit of each is in one row, whose `hit` is that of the first analysis
 * that has it. Of hits with one name, the first of each analysis are in one row, then the second. Rows stand in the order
 * of the first analysis that has them.
 */
export function align<T extends Named>(analyses: readonly (readonly T[])[]): Row<T>[] {
  const rows = new Map<string, { readonly hit: T; readonly cells: (T | undefined)[] }>();
  for (const [at, hits] of analyses.entries()) {
    const counts = new Map<string, number>();
    for (const hit of hits) {
      const count = counts.get(hit.name) ?? 0;
      counts.set(hit.name, count + 1);
      const key = `${count} ${hit.name}`;
      const row = rows.get(key) ?? { hit, cells: analyses.map(() => undefined) };
      row.cells[at] = hit;
      rows.set(key, row);
    }
  }
  return [...rows.values()];
}

/** Compares the hits of two analyses. `passed`: the names of the checks that passed in the later one. */
export function compareHits<T extends Named>(
  before: readonly T[],
  after: readonly T[],
  passed: ReadonlySet<string>,
): Comparison<T> {
  const found: Record<Change, Compared<T>[]> = {
    new: [],
    changed: [],
    cleared: [],
    unlisted: [],
    unchanged: [],
  };
  for (const { hit, cells } of sortByImportance(align([after, before]), (row) => row.hit)) {
    const [is, was] = cells;
    if (is === undefined) found[passed.has(hit.name) ? 'cleared' : 'unlisted'].push({ hit });
    else if (was === undefined) found.new.push({ hit });
    else found[isOf(is, was) ? 'unchanged' : 'changed'].push({ hit, was });
  }
  return found;
}

/** A hit that was accepted for a device, as it was rated then. */
export type Acceptance = Named & {
  /** Who accepted it: Slack's id, and the name as plain text, which mentions no person. */
  readonly user: string;
  readonly userName: string;
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly until: number;
};

/** No acceptance lasts longer, nor is kept. Milliseconds. */
export const LONGEST_ACCEPTANCE_MS = 90 * 24 * 3_600_000;

/** The acceptance that covers a hit: the one of its name and level. */
export function acceptanceOf(hit: Named, accepted: readonly Acceptance[] = []): Acceptance | undefined {
  return accepted.find((each) => isOf(each, hit));
}

/** Whether both are the same hit at the same level. */
export function isOf(one: Named, other: Named): boolean {
  return one.name === other.name && levelOf(one).key === levelOf(other).key;
}
