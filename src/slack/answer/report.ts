import type { Match } from '../../core/diagnostics.ts';
import { oneLine } from '../../core/texts.ts';
import { utcText } from '../../core/time.ts';
import { filterWords } from './filter.ts';
import type { ResultModel } from './result-model.ts';
import type { ShownHit } from './rows.ts';
import { linesOf } from './view-message.ts';
import { counted, titleOf, unstatedCount } from './wording.ts';

/** What stands above the hits of a report or of a text for the case, one sentence a line, none of them empty. */
export function reportHead(model: ResultModel, hits: readonly ShownHit[]): string[] {
  const { view, answers } = model;
  const about = linesOf(model).map(({ text, report = text }) => report);
  const listed = `Listed here: ${contentsOf(model, hits)}. Read ${utcText(answers.readAt)}.`;
  return [titleOf(view, answers.result), ...about, listed].map(oneLine).filter((line) => line !== '');
}

/** What is in a file, in words: `12 of 37 hits (critical)`, and beside it whatever is no hit. */
export function contentsOf({ view, counts: { all }, noun }: ResultModel, hits: readonly ShownHit[]): string {
  const { known, others } = kindsIn(noun, hits);
  const total = counted(all, noun === 'check' ? 'passed check' : 'hit');
  const part = [view.show, filterWords(view.filter ?? {})].filter(Boolean).join(', ');
  return [known === all ? total : `${known} of ${total}${part === '' ? '' : ` (${part})`}`, ...others].join(
    ', ',
  );
}

/** How many there are of each kind: `4 hits, 3 with match not stated`. */
export function sizesOf({ noun }: ResultModel, hits: readonly ShownHit[]): string {
  const { known, others } = kindsIn(noun, hits);
  return [known === 0 && others.length > 0 ? '' : counted(known, noun), ...others].filter(Boolean).join(', ');
}

function kindsIn(noun: ResultModel['noun'], hits: readonly ShownHit[]) {
  const thatAre = (match: Match) => hits.filter(({ hit }) => hit.match === match).length;
  const [checks, unstated] = [noun === 'hit' ? thatAre('miss') : 0, thatAre('unstated')];
  const others = [checks > 0 ? counted(checks, 'passed check') : '', unstatedCount({ unstated })];
  return { known: hits.length - unstated - checks, others: others.filter(Boolean) };
}
