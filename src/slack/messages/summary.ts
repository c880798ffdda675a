import { sideOf } from '../../core/counting.ts';
import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import type { Question } from '../../core/lookup.ts';
import { countDoubt, counted, hitCounts } from './wording.ts';

/** One line that sums a result up: what the eye should fall on, and what follows it. */
export type Summary = { readonly bold: string; readonly plain: string };

/** The answer in one line, for either side of a result. */
export function summaryOf(question: Question, result: DiagnosticsResult): Summary {
  if (question.set === 'miss') return missSummary(result);
  const { total, levels } = hitCounts(question, result);
  if (levels !== '') return { bold: total, plain: ` — ${levels}` };
  const isSure = countDoubt(question, result) === '';
  return { bold: isSure ? goodNews(result) : total, plain: '' };
}

/** Zero hits is what the user hoped for, so it says so. */
function goodNews({ diagnostics, stated }: DiagnosticsResult): string {
  const passed = diagnostics.length || stated.misses || undefined;
  const checks = passed === undefined ? '' : ` ${counted(passed, 'check')} passed.`;
  return `✓ No known issues found.${checks}`;
}

/** A check is named after the issue that it looks for: without a word about it, the list would read like findings. */
function missSummary(result: DiagnosticsResult): Summary {
  const passed = sideOf(result, 'miss').length;
  const hits = result.stated.hits ?? (result.diagnostics.length - passed || undefined);
  const others = hits === undefined ? '' : ` ${counted(hits, 'hit')} not listed here.`;
  if (passed === 0) return { bold: 'No passed checks are listed.', plain: others };
  return {
    bold: `✓ ${counted(passed, 'check')} passed`,
    plain: ` — none of these issues was found.${others}`,
  };
}
