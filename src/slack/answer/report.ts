import type { Match } from '../../core/diagnostics.ts';
import { oneLine } from '../../core/texts.ts';
import { utcText } from '../../core/time.ts';
import { bothIds, bothTotals, changeCounts, comparisonDoubts, deviceLines } from './comparison-words.ts';
import { filterWords } from './filter.ts';
import type { ResultModel, ShownHit } from './result-model.ts';
import { searchLine, verdictLines } from './search-message.ts';
import type { NamedUnit } from './several-model.ts';
import { differences, severalTitle, unitText, verdictOf } from './several-words.ts';
import { summaryOf } from './summary.ts';
import { countDoubt, counted, deviceLine, titleOf, unstatedCount } from './wording.ts';

/** What stands above the hits of a report or of a text for the case, one sentence a line, none of them empty. */
export function reportHead(model: ResultModel, hits: readonly ShownHit[]): string[] {
  const { view, answers, comparison, counts } = model;
  const { question, before } = view;
  const listed = `Listed here: ${contentsOf(model, hits)}. Read ${utcText(answers.readAt)}.`;
  if (model.units !== undefined) return [...aboutSeveral(model.units, model), listed].map(oneLine);
  const title = before === undefined ? titleOf(question, answers.result) : `Snapshots ${bothIds(view)}`;
  const about = comparison === undefined ? aboutOne(model) : aboutTwo({ ...model, comparison });
  const doubts = comparison === undefined ? [countDoubt(counts.checks)] : comparisonDoubts(model);
  return [title, ...about, ...doubts, listed].map(oneLine).filter((line) => line !== '');
}

function aboutOne(model: ResultModel): string[] {
  const { result, found } = model.answers;
  const { bold, plain } = summaryOf(model);
  const said = found === undefined ? [`${bold}${plain}`] : [...verdictLines(model), searchLine(model)];
  return [deviceLine(result), ...said];
}

function aboutSeveral(units: readonly NamedUnit[], model: ResultModel): string[] {
  const lines = units.map((unit) => `${unit.question.snapshotId}: ${unitText(unit, model)}`);
  return [severalTitle(model.view), verdictOf(units, model), ...lines, ...differences(units)];
}

function aboutTwo(model: Parameters<typeof changeCounts>[0]): string[] {
  return [...deviceLines(model.answers), `${changeCounts(model)} — ${bothTotals(model)}`];
}

/** What is in a file, in words: `12 of 37 hits (critical)`, and beside it whatever is no hit. */
export function contentsOf({ view, counts: { all }, noun }: ResultModel, hits: readonly ShownHit[]): string {
  const thatAre = (match: Match) => hits.filter(({ hit }) => hit.match === match).length;
  const [checks, unstated] = [noun === 'hit' ? thatAre('miss') : 0, thatAre('unstated')];
  const known = hits.length - unstated - checks;
  const total = counted(all, noun === 'check' ? 'passed check' : 'hit');
  const part = [view.show, filterWords(view.filter ?? {})].filter(Boolean).join(', ');
  return [
    known === all ? total : `${known} of ${total}${part === '' ? '' : ` (${part})`}`,
    ...(checks > 0 ? [counted(checks, 'passed check')] : []),
    ...(unstated > 0 ? [unstatedCount({ unstated })] : []),
  ].join(', ');
}
