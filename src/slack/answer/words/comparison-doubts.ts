import type { Change } from '../../../core/comparing.ts';
import { countChecks, listsWholeSide } from '../../../core/counting.ts';
import type { ResultModel } from '../model/result-model.ts';
import type { ShownHit } from '../model/result-pages.ts';
import { countDoubt, unstatedCount } from './wording.ts';

type Compared = Pick<ResultModel, 'view' | 'answers'>;

/** The name of what became of a hit, inside a sentence; '' where nothing is compared. */
export function changeWord({ change, isUncertain }: Pick<ShownHit, 'change' | 'isUncertain'>): string {
  return isUncertain ? 'no longer listed' : (change ?? '');
}

/** The same for all hits of a comparison that have this change. */
export function wordOf(change: Change, { all }: Pick<ResultModel, 'all'>): string {
  return changeWord(all.find((shown) => shown.change === change) ?? { change });
}

/** What is not known because a document does not list all its hits: a sentence for each document of that kind. */
export function comparisonDoubts({ view, answers }: Compared): string[] {
  return [
    doubt(view.before, answers.before?.result, 'New hits may have been there before.'),
    doubt(view.question, answers.result, 'Hits that are no longer listed may still be there.'),
  ].filter((sentence) => sentence !== '');
}

function doubt(
  question: Compared['view']['before'],
  result: Compared['answers']['result'] | undefined,
  so: string,
): string {
  if (question === undefined || result === undefined || listsWholeSide(result, question.set)) return '';
  const counts = countChecks(result, question.set);
  const unstated = unstatedCount(counts);
  const why = countDoubt(counts) || (unstated === '' ? 'No checks are listed.' : `${unstated}.`);
  return `Snapshot ${question.snapshotId}: ${why} ${so}`;
}
