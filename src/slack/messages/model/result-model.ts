import { CHANGES, type Change, type Comparison, compareHits } from '../../../core/comparing.ts';
import { listsWholeSide, sideOf } from '../../../core/counting.ts';
import type { Diagnostic } from '../../../core/diagnostics.ts';
import { passes } from '../../../core/filtering.ts';
import type { Found } from '../../../core/searching.ts';
import type { LastRead, Read } from '../../../lookups/lookup-status.ts';
import type { View } from '../../block-kit/action-values.ts';
import { usualHostOf } from './solution-address.ts';

/** The results that a message is made of: one, or the two of a comparison. */
export type Answers = Read & {
  readonly before?: Read;
  /** The matches of a view with a search, found before anything is drawn. */
  readonly found?: Found;
  /** The last result of the same device. */
  readonly lastRead?: LastRead;
  /** A comparison with the device's last result was asked for, and there is none. */
  readonly hasNoLast?: true;
};

/** A diagnostic in a message; in a comparison, what became of it, and the earlier diagnostic. */
export type ShownHit = {
  readonly hit: Diagnostic;
  readonly change?: Change;
  readonly was?: Diagnostic;
  /** It counts as cleared, but the later document does not list all its hits: it may be there all the same. */
  readonly isUncertain?: true;
};

/**
 * A result and the part of it that is shown: sorted, compared and filtered once, so that messages, modals and exports
 * only draw it.
 */
export type ResultModel = {
  readonly view: View;
  readonly answers: Answers;
  /** What the diagnostics are called; passed ones are checks. */
  readonly noun: 'hit' | 'check';
  /** Everything that the view is about, most important first; a comparison's by what became of them before that. */
  readonly all: readonly ShownHit[];
  /** The part of `all` that is shown on all pages together, in the same order. */
  readonly shown: readonly ShownHit[];
  /** Of a search: the checks that passed and match it. The hits that match are `all`. */
  readonly passed?: readonly Diagnostic[];
  /** The host of most links; a link to another host names its host. */
  readonly usualHost: string | undefined;
  /** Of a comparison: everything, by what became of it. */
  readonly comparison?: Comparison<Diagnostic>;
};

/** The changes that a comparison lists by default. */
const LISTED: readonly Change[] = ['new', 'changed', 'cleared'];

/** Makes the model of a view of these results. */
export function modelOf(view: View, answers: Answers): ResultModel {
  return view.before === undefined || answers.before === undefined
    ? singleModel(view, answers)
    : comparisonModel(view, answers, answers.before);
}

/** The model of a search: hits and passed checks that match, or one side of them; a filter applies to the hits. */
function searchModel(view: View, answers: Answers, { matches }: Found): ResultModel {
  const { filter = {}, side } = view;
  const { result } = answers;
  const all = sideOf(result, 'hit').flatMap((hit) => (matches.has(hit) ? { hit } : []));
  const shown = all.filter(({ hit }) => passes(hit, filter));
  const passed = sideOf(result, 'miss').filter((check) => matches.has(check));
  if (side === 'miss') {
    const checks = passed.map((hit) => ({ hit }));
    return { view, answers, noun: 'check', all: checks, shown: checks, usualHost: usualHostIn(checks) };
  }
  if (side === 'hit') return { view, answers, noun: 'hit', all, shown, usualHost: usualHostIn(all) };
  return { view, answers, noun: 'hit', all, shown, passed, usualHost: usualHostIn(all) };
}

function singleModel(view: View, answers: Answers): ResultModel {
  const { question, filter = {} } = view;
  if (answers.found !== undefined) return searchModel(view, answers, answers.found);
  const isMiss = question.set === 'miss';
  const all = sideOf(answers.result, isMiss ? 'miss' : 'hit').map((hit) => ({ hit }));
  const shown = isMiss ? all : all.filter(({ hit }) => passes(hit, filter));
  return { view, answers, noun: isMiss ? 'check' : 'hit', all, shown, usualHost: usualHostIn(all) };
}

function comparisonModel(view: View, answers: Answers, before: Read): ResultModel {
  const isHit = ({ isHit: hit }: Diagnostic) => hit;
  const comparison = compareHits(
    before.result.diagnostics.filter(isHit),
    answers.result.diagnostics.filter(isHit),
  );
  const listsAll = listsWholeSide(answers.result, view.question.set);
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
  const all = of(CHANGES);
  return { view, answers, noun: 'hit', all, shown, usualHost: usualHostIn(all), comparison };
}

function usualHostIn(hits: readonly ShownHit[]): string | undefined {
  return usualHostOf(hits.flatMap(({ hit }) => hit.solutions));
}
