import type { Diagnostic, DiagnosticSet, DiagnosticsResult, Match, StatedCounts } from './diagnostics.ts';
import { byImportance } from './importance.ts';

/** The diagnostics of a result by what it says of them, sorted once for all who look at it. */
const sides = new WeakMap<DiagnosticsResult, Partial<Record<Match, readonly Diagnostic[]>>>();

/** The diagnostics of one side, or of neither, most important first. */
export function sideOf(result: DiagnosticsResult, side: Match): readonly Diagnostic[] {
  const known = sides.get(result) ?? {};
  sides.set(result, known);
  known[side] ??= byImportance(result.diagnostics.filter(({ match }) => match === side));
  return known[side];
}

/** The diagnostics of a result by their names, grouped once for all who look one up. */
const names = new WeakMap<DiagnosticsResult, ReadonlyMap<string, readonly Diagnostic[]>>();

/** The diagnostics of this name, in the order of the document. */
export function namedIn(result: DiagnosticsResult, name: string): readonly Diagnostic[] {
  const known = names.get(result) ?? Map.groupBy(result.diagnostics, (each) => each.name);
  names.set(result, known);
  return known.get(name) ?? [];
}

/** How many hits and passed checks there are. A side is undefined if its number is unknown. */
export type CheckCounts = {
  /** The numbers of listed diagnostics; a side is undefined if it was not asked for and none of it came. */
  readonly listed: { readonly hits: number | undefined; readonly misses: number | undefined };
  /** The numbers that the service states for the whole analysis, however much of it the document lists. */
  readonly stated: StatedCounts;
  /** Listed diagnostics of which the document does not say whether they are hits: they are in no other number. */
  readonly unstated: number;
  /** Whether a stated number differs from the number of listed diagnostics. Then no total is shown. */
  readonly isDisputed: boolean;
  readonly hits: number | undefined;
  readonly misses: number | undefined;
  /** Hits plus passed checks; undefined unless both numbers belong to the same analysis. */
  readonly checks: number | undefined;
};

/**
 * The counts of a document that was asked for `set`. What the service states stands in for a side that the document
 * leaves out, but only where it agrees about the other side: otherwise the two numbers are not of the same thing.
 */
export function countChecks(result: DiagnosticsResult, set: DiagnosticSet): CheckCounts {
  const { stated } = result;
  const found = { hit: 0, miss: 0, unstated: 0 };
  for (const { match } of result.diagnostics) found[match] += 1;
  const { hit: hits, miss: misses, unstated } = found;
  const listed = {
    hits: hits > 0 || set !== 'miss' ? hits : undefined,
    // Some versions of the service answer a request without `set` with the hits alone.
    misses: misses > 0 || set === 'miss' ? misses : undefined,
  };
  const isDisputed = differ(listed.hits, stated.hits) || differ(listed.misses, stated.misses);
  const counts = { listed, stated, unstated, isDisputed };
  if (isDisputed) return { ...counts, ...listed, checks: undefined };
  const both = { hits: listed.hits ?? stated.hits, misses: listed.misses ?? stated.misses };
  // Both sides are listed, or both are stated: since the counts do not disagree, they are of the same analysis.
  const isOneAnalysis = (sum(listed) ?? sum(stated)) !== undefined;
  return { ...counts, ...both, checks: isOneAnalysis ? sum(both) : undefined };
}

function differ(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

function sum({ hits, misses }: StatedCounts): number | undefined {
  return hits === undefined || misses === undefined ? undefined : hits + misses;
}

/**
 * Whether a document shows that there are no hits. An empty list does so only if it was asked for the hits, or if
 * the service states that it counts none: any other empty list says nothing about the device.
 */
export function showsNoHits(result: DiagnosticsResult, set: DiagnosticSet): boolean {
  const { hits, isDisputed } = countChecks(result, set);
  return hits === 0 && !isDisputed && listsWholeSide(result, set);
}

/**
 * Whether a document lists, as far as it says, every diagnostic of the side that `set` is about: the passed checks for
 * `miss`, else the hits. What another document does not list may be there all the same: it is not cleared. Nor is what
 * a document lists without saying what it is.
 */
export function listsWholeSide(result: DiagnosticsResult, set: DiagnosticSet): boolean {
  const { listed, stated, unstated } = countChecks(result, set);
  if (unstated > 0) return false;
  if (set === 'miss') return !differ(listed.misses, stated.misses);
  if (differ(listed.hits, stated.hits)) return false;
  return set === 'hit' || result.diagnostics.length > 0 || stated.hits === 0;
}
