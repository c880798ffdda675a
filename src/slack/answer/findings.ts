import { countChecks, showsNoHits, sideOf } from '../../core/counting.ts';
import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import { countByLevel } from '../../core/importance.ts';
import type { Question } from '../../core/lookup.ts';
import type { Verdict } from '../../core/searching.ts';
import { capital, count, counted, NOT_STATED, unstatedCount } from './wording.ts';

/** Counts only: a thread may be read by people who should open the message for more. `12 hits, 2 critical` */
export function findings({ set }: Question, result: DiagnosticsResult): string {
  const counts = countChecks(result, set);
  const { listed, stated } = counts;
  const unstated = unstatedCount(counts);
  const others = unstated === '' ? '' : `, ${unstated}`;
  if (set === 'miss') {
    if (!listed.misses && !stated.misses) return `no passed checks are listed${others}`;
    return `${counted(listed.misses ?? 0, 'check')} passed${otherCount(listed.misses, stated.misses)}${others}`;
  }
  if (showsNoHits(result, set)) return 'no known issues found';
  const hits = sideOf(result, 'hit');
  if (hits.length === 0 && !stated.hits && others === '') return 'no checks are listed';
  const critical = countByLevel(hits).find(({ level }) => level.rank === 0);
  const worst = critical === undefined ? '' : `, ${critical.count} critical`;
  return `${counted(hits.length, 'hit')}${worst}${otherCount(hits.length, stated.hits)}${others}`;
}

/** What the service counts, where it sent something else; or ''. */
function otherCount(listed: number | undefined, stated: number | undefined): string {
  return stated === undefined || stated === listed ? '' : ` (the service counts ${count(stated)})`;
}

/** Where an id was looked for. Of a document that is too large to keep, nothing is known beyond what was read. */
export function readPart(readTo: number | undefined): string {
  if (readTo === undefined) return 'this analysis';
  return `the first ${count(readTo)} characters of each text, which is all that was read`;
}

const OUTCOMES: Record<Exclude<Verdict['outcome'], 'absent'>, string> = {
  hit: 'Hit',
  unstated: capital(NOT_STATED),
  passed: 'Checked, not a hit',
  mentioned: 'No check is listed, only mentioned',
  perhaps: 'Not written out, only its number or a range',
};

/**
 * What the analysis says of an id, in a few words. Never that the device is not affected: the analysis knows only what
 * it checks.
 */
export function outcomeWords({ outcome }: Verdict, readTo: number | undefined): string {
  return outcome === 'absent' ? `Not mentioned in ${readPart(readTo)}` : OUTCOMES[outcome];
}
