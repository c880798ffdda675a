import type { Asked } from '../../src/core/lookup.ts';
import type { Answers } from '../../src/lookups/lookup-status.ts';
import { caseTextOf } from '../../src/slack/features/case-text/text.ts';
import { exportFile } from '../../src/slack/features/export/file.ts';

/** A result as a table, or as the text for the case. */
export async function fileOf(view: Asked, answers: Answers, kind: 'csv' | 'case'): Promise<string> {
  if (kind === 'case') return caseTextOf(view, answers, 'all');
  return String((await exportFile(view, answers)).file.content);
}
