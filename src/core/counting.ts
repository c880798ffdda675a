import type { Diagnostic, DiagnosticsResult } from './diagnostics.ts';
import { byImportance } from './importance.ts';

/** One side of a result: the hits, most important first, or what was checked and is fine. */
export type Side = 'hit' | 'miss';

/** The diagnostics of one side, most important first. */
export function sideOf(result: DiagnosticsResult, side: Side): Diagnostic[] {
  return byImportance(result.diagnostics.filter(({ isHit }) => isHit === (side === 'hit')));
}

/**
 * How many checks hit and how many passed. What the service states covers the side that a filter left out of the
 * document; a side about which nothing is known is undefined, because "0 passed" would be a claim.
 */
export function countChecks(result: DiagnosticsResult): {
  hits: number | undefined;
  misses: number | undefined;
} {
  const hits = result.diagnostics.filter(({ isHit }) => isHit).length;
  const misses = result.diagnostics.length - hits;
  return {
    hits: hits > 0 || misses === 0 ? hits : (result.stated.hits ?? 0),
    misses: misses > 0 ? misses : result.stated.misses,
  };
}
