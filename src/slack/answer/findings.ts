import { countChecks, showsNoHits, sideOf } from '../../core/counting.ts';
import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import { countByLevel } from '../../core/importance.ts';
import type { Question } from '../../core/lookup.ts';
import { count, counted, unstatedCount } from './wording.ts';

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
