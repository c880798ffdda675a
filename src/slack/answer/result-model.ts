import { type Acceptance, acceptanceOf } from '../../core/accepting.ts';
import { CHANGES, type Change, type Comparison, compareHits } from '../../core/comparing.ts';
import { type CheckCounts, countChecks, listsWholeSide, showsNoHits, sideOf } from '../../core/counting.ts';
import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { countByLevel, passes } from '../../core/importance.ts';
import type { Found } from '../../core/searching.ts';
import type { Side } from '../../core/snapshot-id.ts';
import type { Answers, Read, Unit } from '../../lookups/lookup-status.ts';
import { type HitValue, nameInValue, type View } from '../block-kit/action-values.ts';
import { type NamedUnit, type SeveralRow, severalChoice } from './several-model.ts';
import { usualHostOf } from './solutions.ts';

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
  /** Of several snapshots: each, by the name that people know it by. */
  readonly units?: readonly NamedUnit[];
};

/** What of a result a view is about, and what of that it shows. */
type Choice = Pick<ResultModel, 'noun' | 'all' | 'shown' | 'passed' | 'comparison' | 'units'>;

/** The changes that a comparison lists by default. */
const LISTED: readonly Change[] = ['new', 'changed', 'cleared'];

/** Makes the model of a view of these results. */
export function modelOf(view: View, answers: Answers): ResultModel {
  const { result, before, found, units } = answers;
  const choice: Choice =
    units !== undefined
      ? severalChoice(view, units)
      : view.before !== undefined && before !== undefined
        ? comparisonChoice(view, result, before)
        : found !== undefined
          ? searchChoice(view, result, found)
          : singleChoice(view, result);
  const all = acceptedLast(choice.all, answers);
  const shown = acceptedLast(choice.shown, answers);
  const { passed = [] } = choice;
  const rest = passed.map((hit): ShownHit => ({ hit }));
  const listed = [...shown, ...rest].map((each) => ({ ...each, form: formOf(each, view.show) }));
  const usualHost = usualHostOf(all.flatMap(({ hit }) => hit.solutions));
  const counts = countsOf(view, result, all, shown);
  return {
    view,
    answers,
    ...choice,
    all,
    shown,
    listed,
    pages: pagesOf(listed, units?.length),
    counts,
    usualHost,
  };
}

/** Marks the hits that were accepted, and lists them after the others of their kind; what is no known hit stays at the end. */
function acceptedLast(hits: readonly ShownHit[], answers: Answers): readonly ShownHit[] {
  const rank = (each: ShownHit) => (each.hit.match === 'unstated' ? 2 : each.accepted === undefined ? 0 : 1);
  const marked = hits.map((each): ShownHit => {
    const accepted = acceptanceIn(each, answers);
    return accepted === undefined ? each : { ...each, accepted };
  });
  return [...Map.groupBy(marked, ({ change }) => change).values()].flatMap((those) =>
    those.toSorted((one, other) => rank(one) - rank(other)),
  );
}

/** Of several snapshots, where all that have the hit accepted it. */
function acceptanceIn({ hit, change, cells }: ShownHit, { accepted, units = [] }: Answers) {
  if (hit.match !== 'hit' || change === 'cleared') return undefined;
  if (cells === undefined) return acceptanceOf(hit, accepted);
  const each = cells.flatMap((cell, at) => (cell ? [acceptanceOf(cell, acceptedAt(units[at]))] : []));
  return each.includes(undefined) ? undefined : each[0];
}

function acceptedAt(unit: Unit | undefined): readonly Acceptance[] | undefined {
  return unit?.kind === 'ready' ? unit.accepted : undefined;
}

/** Where a hit is that a button carries: by its name, because a result that was read again may list it elsewhere; or -1. */
export function indexIn(shown: readonly ShownHit[], { hit, name }: Pick<HitValue, 'hit' | 'name'>): number {
  const isMeant = (each: ShownHit | undefined) => each !== undefined && nameInValue(each.hit.name) === name;
  return isMeant(shown[hit]) ? hit : shown.findIndex(isMeant);
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
  const chosen = CHANGES.find((change) => change === view.show);
  const shown = of(chosen === undefined ? LISTED : [chosen]);
  return { noun: 'hit', all: of(CHANGES), shown, comparison };
}

/** The numbers that messages, modals and exports name. */
export type ResultCounts = {
  /** Of the document: hits and passed checks as it lists them, and as the service states them. */
  readonly checks: CheckCounts;
  /** The hits that the document lists, by level, most important level first. */
  readonly levels: ReturnType<typeof countByLevel>;
  /** How many of these name CVEs. */
  readonly withCves: number;
  /** How many of those that the view is about were accepted for the device. */
  readonly accepted: number;
  /** Whether the document shows that there are no hits. */
  readonly isClear: boolean;
  /** How many diagnostics that state their match the view is about, how many of them are shown on all pages, and how many are not. */
  readonly all: number;
  readonly shown: number;
  readonly hidden: number;
};

/** Counts what a view of a result is about, and what it shows. */
function countsOf(
  { question }: View,
  result: DiagnosticsResult,
  about: readonly ShownHit[],
  listed: readonly ShownHit[],
): ResultCounts {
  const isStated = ({ hit }: ShownHit) => hit.match !== 'unstated';
  const all = about.filter(isStated).length;
  const shown = listed.filter(isStated).length;
  const hits = result.diagnostics.filter(({ match }) => match === 'hit');
  return {
    checks: countChecks(result, question.set),
    levels: countByLevel(hits),
    withCves: hits.filter(({ cveIds }) => cveIds.length > 0).length,
    accepted: about.filter(({ accepted }) => accepted !== undefined).length,
    isClear: showsNoHits(result, question.set),
    all,
    shown,
    hidden: all - shown,
  };
}

/** A diagnostic of a result; in a comparison, what became of it, and the earlier diagnostic; of several, that of each. */
export type ShownHit = Partial<SeveralRow> & {
  readonly hit: Diagnostic;
  readonly change?: Change;
  readonly was?: Diagnostic;
  /** The hit counts as cleared, but the later document does not list all its hits: the device may still have it. */
  readonly isUncertain?: true;
  readonly accepted?: Acceptance;
};

/** One diagnostic in the list of a message: as blocks of its own with buttons, or as one line of text. */
export type ListedHit = ShownHit & { readonly form: 'blocks' | 'line' };

/** The diagnostics that one message shows: where they begin in the list, and how many there are. */
export type Page = { readonly first: number; readonly count: number };

/**
 * How much of a page a diagnostic takes. The first page stands below the head and fits a phone's screen: 3 as blocks, 8
 * as lines, or 10 passed checks, whose lines are shorter. A later one has 5 as blocks or 10 as lines; each has some of
 * both where both are listed.
 */
const SHARES = {
  first: { blocks: 40, line: 15, check: 12, page: 120 },
  later: { blocks: 2, line: 1, check: 1, page: 10 },
};

/** Each of several snapshots has a line above the hits: where these are many, two hits have room below them. */
const MANY = { units: 5, shares: { ...SHARES.first, page: 2 * SHARES.first.blocks } };

/** The list in pages; every diagnostic is on exactly one. */
function pagesOf(listed: readonly ListedHit[], units = 0): Page[] {
  const pages: Page[] = [];
  const opening = units < MANY.units ? SHARES.first : MANY.shares;
  for (let first = 0; first < listed.length; first += pages.at(-1)?.count ?? 1) {
    const count = countFrom(listed, first, first === 0 ? opening : SHARES.later);
    pages.push({ first, count });
  }
  return pages;
}

function countFrom(listed: readonly ListedHit[], first: number, shares: typeof SHARES.first): number {
  let left = shares.page;
  let count = 0;
  for (const { form, hit } of listed.slice(first, first + shares.page)) {
    left -= shares[hit.match === 'miss' ? 'check' : form];
    if (left < 0) break;
    count += 1;
  }
  return count;
}
