import { CHANGES, type Change, type Comparison, compareHits } from '../../../core/comparing.ts';
import { listsWholeSide, type Side, sideOf } from '../../../core/counting.ts';
import type { Diagnostic, DiagnosticsResult } from '../../../core/diagnostics.ts';
import { passes } from '../../../core/importance.ts';
import { Latest } from '../../../core/latest.ts';
import type { Found } from '../../../core/searching.ts';
import type { Answers, Read } from '../../../lookups/lookup-status.ts';
import { type View, viewValue } from '../../block-kit/action-values.ts';
import { countsOf, type ResultCounts } from './result-counts.ts';
import { type ListedHit, type Page, pagesOf, type ShownHit } from './result-pages.ts';
import { usualHostOf } from './solution-address.ts';

/**
 * A result and the part of it that is shown: sorted, compared, filtered, counted and divided into pages once, so that
 * messages, modals and exports only draw it.
 */
export type ResultModel = {
  readonly view: View;
  readonly answers: Answers;
  /** What the diagnostics are called; passed ones are checks. */
  readonly noun: 'hit' | 'check';
  /** Everything that the view is about, most important first; in a comparison sorted by their change before that. */
  readonly all: readonly ShownHit[];
  /** The part of `all` that is shown on all pages together, in the same order. */
  readonly shown: readonly ShownHit[];
  /** Of a search: the checks that passed and match it. The hits that match are `all`. */
  readonly passed?: readonly Diagnostic[];
  /** What a message lists: `shown`, and below it `passed`. */
  readonly listed: readonly ListedHit[];
  /** The pages of that list; none where it is empty. */
  readonly pages: readonly Page[];
  readonly counts: ResultCounts;
  /** The host of most links; a link to another host names its host. */
  readonly usualHost: string | undefined;
  /** Of a comparison: everything, by what became of it. */
  readonly comparison?: Comparison<Diagnostic>;
};

/** What of a result a view is about, and what of that it shows. */
type Choice = Pick<ResultModel, 'noun' | 'all' | 'shown' | 'passed' | 'comparison'>;

/** The changes that a comparison lists by default. */
const LISTED: readonly Change[] = ['new', 'changed', 'cleared'];

/** What a result shows of itself in one view: the same for everybody who asks for it. */
type Shared = Omit<ResultModel, 'view' | 'answers'>;

const singleViews = new Latest<DiagnosticsResult, Shared>();

/** Makes the model of a view of these results. */
export function modelOf(view: View, answers: Answers): ResultModel {
  const { result, before, found } = answers;
  const isComparison = view.before !== undefined && before !== undefined;
  if (isComparison)
    return { view, answers, ...sharedOf(view, result, comparisonChoice(view, result, before)) };
  if (found !== undefined)
    return { view, answers, ...sharedOf(view, result, searchChoice(view, result, found)) };
  const key = `${view.question.set} ${viewValue(view)}`;
  const make = () => sharedOf(view, result, singleChoice(view, result));
  return { view, answers, ...singleViews.of(result, key, make) };
}

function sharedOf(view: View, result: DiagnosticsResult, choice: Choice): Shared {
  const { all, shown, passed = [] } = choice;
  const rest = passed.map((hit): ShownHit => ({ hit }));
  const listed = [...shown, ...rest].map((each) => ({ ...each, form: formOf(each, view.show) }));
  const counts = countsOf(view, result, all, shown);
  return { ...choice, listed, pages: pagesOf(listed), counts, usualHost: usualHostIn(all) };
}

/** Passed checks and cleared hits need no action: each is a line, but for cleared hits that somebody asked for. */
function formOf({ hit, change }: ShownHit, show: View['show']): ListedHit['form'] {
  return hit.match !== 'miss' && (change !== 'cleared' || show !== undefined) ? 'blocks' : 'line';
}

/** The hits and checks that match a search, or one side of them; a filter applies to the hits. */
function searchChoice({ filter = {}, side }: View, result: DiagnosticsResult, { matches }: Found): Choice {
  const all = listedAs(result, 'hit').filter(({ hit }) => matches.has(hit));
  const shown = all.filter(({ hit }) => passes(hit, filter));
  const passed = sideOf(result, 'miss').filter((check) => matches.has(check));
  if (side === 'miss') {
    const checks = listedAs(result, 'miss').filter(({ hit }) => matches.has(hit));
    return { noun: 'check', all: checks, shown: checks };
  }
  return { noun: 'hit', all, shown, ...(side === undefined && { passed }) };
}

/** One side, and after it those that may belong to it: the document does not say readably whether they are hits. */
function listedAs(result: DiagnosticsResult, side: Side): ShownHit[] {
  return [...sideOf(result, side), ...sideOf(result, 'unstated')].map((hit) => ({ hit }));
}

function singleChoice({ question, filter = {} }: View, result: DiagnosticsResult): Choice {
  const isMiss = question.set === 'miss';
  const all = listedAs(result, isMiss ? 'miss' : 'hit');
  const shown = isMiss ? all : all.filter(({ hit }) => passes(hit, filter));
  return { noun: isMiss ? 'check' : 'hit', all, shown };
}

function comparisonChoice(view: View, result: DiagnosticsResult, before: Read): Choice {
  const isHit = ({ match }: Diagnostic) => match === 'hit';
  const comparison = compareHits(before.result.diagnostics.filter(isHit), result.diagnostics.filter(isHit));
  const listsAll = listsWholeSide(result, view.question.set);
  const of = (changes: readonly Change[]) =>
    changes.flatMap((change) =>
      comparison[change].map(
        (compared): ShownHit => ({
          ...compared,
          change,
          ...(change === 'cleared' && !listsAll ? { isUncertain: true } : {}),
        }),
      ),
    );
  const shown = of(view.show === undefined ? LISTED : [view.show]);
  return { noun: 'hit', all: of(CHANGES), shown, comparison };
}

function usualHostIn(hits: readonly ShownHit[]): string | undefined {
  return usualHostOf(hits.flatMap(({ hit }) => hit.solutions));
}
