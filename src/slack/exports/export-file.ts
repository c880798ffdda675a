import type { ViewState } from '../button-values.ts';
import type { TextFile } from '../file-uploader.ts';
import { bothIds, bothTotals, changeCounts, deviceLines } from '../messages/comparison-words.ts';
import { filterWords } from '../messages/filter-words.ts';
import { summaryOf } from '../messages/summary.ts';
import { countDoubt, counted, deviceLine, subjectOf, titleOf } from '../messages/wording.ts';
import { type Answers, allHits, comparisonOf, shownHits } from '../shown-hits.ts';
import { csvOf } from './csv.ts';
import { markdownOf } from './markdown.ts';

/** What can be exported: what a message shows, on all its pages, or everything that it is about. */
export type ExportChoice = 'csv' | 'markdown' | 'all-csv';

/** The file, and what there is to say of it in mrkdwn: our own words and ids only. */
export function exportFile(
  view: ViewState,
  answers: Answers,
  choice: ExportChoice,
): { readonly file: TextFile; readonly comment: string } {
  const hits = choice === 'all-csv' ? allHits(view, answers) : shownHits(view, answers);
  const all = allHits(view, answers).length;
  const noun = view.question.set === 'miss' ? 'passed check' : 'hit';
  const some =
    hits.length === all ? counted(all, noun) : `${hits.length} of ${counted(all, noun)}${partOf(view)}`;
  const extension = choice === 'markdown' ? 'md' : 'csv';
  const content =
    choice === 'markdown'
      ? markdownOf(titleFor(view, answers), aboutOf(view, answers, some), hits)
      : csvOf(hits, view.before !== undefined);
  const name = `${nameOf(view)}.${extension}`;
  return { file: { name, title: name, content }, comment: `${some} of ${subjectOf(view)}` };
}

/** Which of the hits: `, critical` or `, cleared`. */
function partOf({ filter = {}, show }: ViewState): string {
  const words = show ?? filterWords(filter);
  return words === '' ? '' : ` (${words})`;
}

function nameOf({ question, before }: ViewState): string {
  const kind = question.set === 'miss' ? 'passed-checks' : 'hits';
  return before === undefined
    ? `snapshot-${question.snapshotId}-${kind}`
    : `snapshots-${before.snapshotId}-${question.snapshotId}-compared`;
}

function titleFor(view: ViewState, { result }: Answers): string {
  return view.before === undefined ? titleOf(view.question, result) : `Snapshots ${bothIds(view)}`;
}

function aboutOf(view: ViewState, answers: Answers, some: string): string[] {
  const { result, before, readAt } = answers;
  const read = `In this file: ${some}. Read ${new Date(readAt).toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
  if (before === undefined) {
    const { bold, plain } = summaryOf(view.question, result);
    return [deviceLine(result), `${bold}${plain}`, countDoubt(view.question, result), read];
  }
  const comparison = comparisonOf(answers);
  return [...deviceLines(answers), `${changeCounts(comparison)} — ${bothTotals(comparison)}`, read];
}
