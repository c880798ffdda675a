import { type CheckCounts, countChecks, showsNoHits } from '../../../core/counting.ts';
import type { DiagnosticsResult } from '../../../core/diagnostics.ts';
import { countByLevel } from '../../../core/importance.ts';
import type { View } from '../../block-kit/action-values.ts';
import type { ShownHit } from './result-pages.ts';

/** The numbers that messages, modals and exports name. */
export type ResultCounts = {
  /** Of the document: hits and passed checks as it lists them, and as the service states them. */
  readonly checks: CheckCounts;
  /** The hits that the document lists, by level, most important level first. */
  readonly levels: ReturnType<typeof countByLevel>;
  /** How many of these name CVEs. */
  readonly withCves: number;
  /** Whether the document shows that there are no hits. */
  readonly isClear: boolean;
  /** How many diagnostics that state their match the view is about, how many of them are shown on all pages, and how many are not. */
  readonly all: number;
  readonly shown: number;
  readonly hidden: number;
};

/** Counts what a view of a result is about, and what it shows. */
export function countsOf(
  { question }: View,
  result: DiagnosticsResult,
  about: readonly ShownHit[],
  listed: readonly ShownHit[],
): ResultCounts {
  const isStated = ({ hit }: ShownHit) => hit.match !== 'unstated';
  const all = about.filter(isStated).length;
  const shown = listed.filter(isStated).length;
  const hits = result.diagnostics.filter(({ match }) => match === 'hit');
  return {
    checks: countChecks(result, question.set),
    levels: countByLevel(hits),
    withCves: hits.filter(({ cveIds }) => cveIds.length > 0).length,
    isClear: showsNoHits(result, question.set),
    all,
    shown,
    hidden: all - shown,
  };
}
