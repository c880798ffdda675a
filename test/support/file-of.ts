import type { Answers } from '../../src/lookups/lookup-status.ts';
import { modelOf } from '../../src/slack/answer/result-model.ts';
import type { View } from '../../src/slack/blocks/action-values.ts';
import { caseFile } from '../../src/slack/features/case-text/text.ts';
import { type ExportChoice, exportFile } from '../../src/slack/features/export/file.ts';
import type { Export } from '../../src/slack/front/send-file.ts';

const SHOWN = { page: 0, askedBy: 'U0ANA', madeAt: 0, turn: 0 };

/** A result as a file of any kind: an export, the text for the case, or the links in that. */
export async function fileOf(
  view: View,
  answers: Answers,
  kind: ExportChoice | 'case' | 'links',
): Promise<Export> {
  if (kind === 'case' || kind === 'links')
    return caseFile(modelOf(view, answers), kind === 'links' ? 'links' : 'all');
  return exportFile({ ...SHOWN, ...view }, answers, kind);
}
