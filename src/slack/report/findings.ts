import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import { countByLevel, countChecks, showsNoHits, sideOf } from '../../core/importance.ts';
import type { Question } from '../../core/lookup.ts';
import { levelCounts } from './levels.ts';
import { counted } from './words.ts';

const MOST_LEVELS = 2;

/** What a result says in a few words, which name no hit: `2 critical, 11 high`, or `no hits`. */
export function findings({ set }: Question, result: DiagnosticsResult): string {
  const { misses = 0 } = countChecks(result, set);
  if (set === 'miss') return `${counted(misses, 'check')} passed`;
  const hits = sideOf(result, 'hit');
  if (hits.length === 0) return showsNoHits(result, set) ? 'no hits' : 'no checks are listed';
  const grave = countByLevel(hits).filter(({ level }) => level.rank <= 1).length;
  return grave === 0
    ? counted(hits.length, 'hit')
    : levelCounts(hits).slice(0, Math.min(grave, MOST_LEVELS)).join(', ');
}
