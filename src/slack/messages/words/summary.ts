import { countChecks, showsNoHits } from '../../../core/counting.ts';
import type { DiagnosticsResult } from '../../../core/diagnostics.ts';
import type { Question } from '../../../core/lookup.ts';
import { counted, hitCounts } from './wording.ts';

/** One line that sums a result up: what the eye should fall on, and what follows it. */
type Summary = { readonly bold: string; readonly plain: string };

/** The answer in one line, for either side of a result. */
export function summaryOf(question: Question, result: DiagnosticsResult): Summary {
  if (question.set === 'miss') return missSummary(result);
  const { total, levels } = hitCounts(question, result);
  if (levels !== '') return { bold: total, plain: ` — ${levels}` };
  if (showsNoHits(result, question.set)) return { bold: goodNews(question, result), plain: '' };
  return { bold: countChecks(result, question.set).isDisputed ? total : 'No checks are listed.', plain: '' };
}

/** Zero hits is what the user hoped for, so it says so. */
function goodNews({ set }: Question, result: DiagnosticsResult): string {
  const passed = countChecks(result, set).misses || undefined;
  const checks = passed === undefined ? '' : ` ${counted(passed, 'check')} passed.`;
  return `✓ No known issues found.${checks}`;
}

/** A check is named after the issue that it looks for: without a word about it, the list would read like findings. */
function missSummary(result: DiagnosticsResult): Summary {
  const { misses: passed = 0, hits } = countChecks(result, 'miss');
  const others = hits ? ` ${counted(hits, 'hit')} not listed here.` : '';
  if (passed === 0) return { bold: 'No passed checks are listed.', plain: others };
  return {
    bold: `✓ ${counted(passed, 'check')} passed`,
    plain: ` — none of these issues were found.${others}`,
  };
}
