import type { Diagnostic, DiagnosticsResult } from './diagnostics.ts';
import { byImportance } from './importance.ts';
import type { DiagnosticSet } from './snapshot-id.ts';

/** One side of a result: the hits, most important first, or what was checked and is fine. */
export type Side = 'hit' | 'miss';

/** The diagnostics of one side, most important first. */
export function sideOf(result: DiagnosticsResult, side: Side): Diagnostic[] {
  return byImportance(result.diagnostics.filter(({ isHit }) => isHit === (side === 'hit')));
}

/**
 * How many checks hit and how many passed, as far as a document that was asked for `set` tells. What the service
 * states stands in for a side that the document leaves out; a side about which nothing is known is undefined,
 * because "0 passed" would be a claim.
 */
export function countChecks(
  { diagnostics, stated }: DiagnosticsResult,
  set: DiagnosticSet,
): { readonly hits: number | undefined; readonly misses: number | undefined } {
  const hits = diagnostics.filter(({ isHit }) => isHit).length;
  const misses = diagnostics.length - hits;
  return {
    hits: hits > 0 || set !== 'miss' ? hits : stated.hits,
    misses: misses > 0 || set === 'miss' ? misses : stated.misses,
  };
}
