import type { Diagnostic, DiagnosticsResult } from './diagnostics.ts';
import { levelOf, sideOf, sortByImportance } from './importance.ts';

/** The fields that hits are compared by. The name identifies a hit, even if its texts differ. */
export type Named = Pick<Diagnostic, 'name' | 'importance'>;

/**
 * What became of a hit from one analysis to the next. `cleared`: the later analysis checked it, and it passed.
 * `unlisted`: the later analysis lists it neither as a hit nor as a passed check, so its state is unknown.
 */
type Change = 'new' | 'changed' | 'cleared' | 'unlisted' | 'unchanged';

/**
 * A hit of the later analysis, or a hit of the earlier analysis that was cleared or is unlisted. `was`: the hit as the
 * earlier analysis lists it.
 */
type Compared<T> = { readonly hit: T; readonly was?: T };

/** Every hit of both analyses, each listed once, most important first. */
export type Comparison<T> = Readonly<Record<Change, readonly Compared<T>[]>>;

/** One hit with a cell for each analysis: the hit as that analysis lists it, or undefined where it does not. */
type Row<T> = { readonly hit: T; readonly cells: readonly (T | undefined)[] };

/**
 * Lines up the hits of several analyses: one row for each hit. If an analysis lists a name repeatedly, the n-th hits of
 * that name share a row. The hit of a row comes from the first analysis that lists it, and the rows keep the order of
 * the analyses.
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

/** Compares the hits of two analyses. `passed`: the names of the checks that passed in the later analysis. */
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

/** A hit that was accepted for a device, with its level at that time. */
export type Acceptance = Named & {
  /** Who accepted it: the user's id, and the name as plain text, which notifies nobody. */
  readonly user: string;
  readonly userName: string;
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly until: number;
};

/** The longest time that an acceptance lasts and is kept. Milliseconds. */
export const LONGEST_ACCEPTANCE_MS = 90 * 24 * 3_600_000;

/** The acceptance that covers a hit: it has the same name and level. */
export function acceptanceOf(hit: Named, accepted: readonly Acceptance[] = []): Acceptance | undefined {
  return accepted.find((each) => isOf(each, hit));
}

/** The hits of a result that are not accepted for its device. */
export function openHits(read: {
  readonly result: DiagnosticsResult;
  readonly accepted?: readonly Acceptance[];
}): Diagnostic[] {
  return sideOf(read.result, 'hit').filter((hit) => acceptanceOf(hit, read.accepted) === undefined);
}

/** Whether both are the same hit at the same level. */
export function isOf(one: Named, other: Named): boolean {
  return one.name === other.name && levelOf(one).key === levelOf(other).key;
}
