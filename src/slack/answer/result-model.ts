import { type Acceptance, acceptanceOf } from '../../core/comparing.ts';
import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import { countByLevel, countChecks, showsNoHits } from '../../core/importance.ts';
import { lazily } from '../../core/time.ts';
import { type Upgrades, upgradesOf } from '../../core/upgrading.ts';
import type { Answers, Unit } from '../../lookups/lookup-status.ts';
import { type HitValue, nameInValue, type View } from '../blocks/action-values.ts';
import { isThrough, type Rows, rowsOf, type ShownHit } from './rows.ts';
import { usualHostOf } from './solutions.ts';

/**
 * A result and the part of it that is shown: sorted, compared, filtered, counted and divided into pages once, so that
 * messages, modals and exports only draw it.
 */
export type ResultModel = Rows & {
  readonly view: View;
  readonly answers: Answers;
  /** What the diagnostics are called; passed ones are checks. */
  readonly noun: 'hit' | 'check';
  /** The part of `all` that is shown on all pages together, in the same order. */
  readonly shown: readonly ShownHit[];
  /** What a message lists: `shown`, and below it `passed`. */
  readonly listed: readonly ListedHit[];
  /** The pages of that list; none where it is empty. */
  readonly pages: readonly Page[];
  readonly counts: ReturnType<typeof countsOf>;
  /** What upgrades of the one release fix, for who needs it. */
  readonly upgrades: () => Upgrades | undefined;
  /** The host of most links; a link to another host names its host. */
  readonly usualHost: string | undefined;
};

/** One diagnostic in the list of a message: as blocks of its own with buttons, or as one line of text. */
export type ListedHit = ShownHit & { readonly form: 'blocks' | 'line' };

/** The diagnostics that one message shows: where they begin in the list, and how many there are. */
type Page = { readonly first: number; readonly count: number };

/** Makes the model of a view of these results. */
export function modelOf(view: View, answers: Answers): ResultModel {
  const { question, filter = {}, show } = view;
  const side = (view.side ?? question.set) === 'miss' ? 'miss' : 'hit';
  const rows = rowsOf(view, answers, side);
  const isChecks = side === 'miss' && rows.about !== 'changes';
  const all = acceptedLast(rows, answers);
  const shown = all.filter(
    // What did not change is listed only where somebody asks for it.
    (row) =>
      (isChecks || isThrough(row, filter)) &&
      (show === undefined ? row.kind !== 'unchanged' : row.kind === show),
  );
  const passed = rows.passed?.map((hit): ShownHit => ({ hit })) ?? [];
  const listed = [...shown, ...passed].map((each) => ({ ...each, form: formOf(each, show) }));
  return {
    view,
    answers,
    ...rows,
    noun: isChecks ? 'check' : 'hit',
    all,
    shown,
    listed,
    pages: pagesOf(listed, rows.units?.length),
    counts: countsOf(view, answers.result, all, shown),
    upgrades: lazily(() => upgradesOf(answers.result)),
    usualHost: usualHostOf(all.flatMap(({ hit }) => hit.solutions)),
  };
}

/** Whether a model is of one snapshot, which can be compared with another one. */
export function isOfOne({ about }: ResultModel): boolean {
  return about === 'one' || about === 'search';
}

/** Whether it can be followed: a daily reading can tell what is new in it. */
export function canBeFollowed(model: ResultModel): boolean {
  return isOfOne(model) && model.noun === 'hit';
}

/** Passed checks and cleared hits need no action: each is a line, but for cleared hits that somebody asked for. */
function formOf({ hit, kind }: ShownHit, show: View['show']): ListedHit['form'] {
  return hit.match !== 'miss' && (kind !== 'cleared' || show !== undefined) ? 'blocks' : 'line';
}

/**
 * How many of a kind a page holds; each has some of every kind that is listed. The first page stands below the head and
 * fits a phone's screen, also where each of several snapshots has a line there, so that what to do about a critical hit is
 * whole. A line takes a second one for its title where the page has room, and nobody reads long lists of checks for those.
 */
const MOST = {
  first: { blocks: 3, line: 7, check: 10 },
  firstOfMany: { blocks: 2, line: 4, check: 7 },
  later: { blocks: 5, line: 10, check: 10 },
};
/** So many snapshots are many. */
const MANY = 5;
const ROUNDED = 0.001;

/** The list in pages; every diagnostic is on exactly one. */
function pagesOf(listed: readonly ListedHit[], units = 0): Page[] {
  const pages: { first: number; count: number }[] = [];
  const opening = units < MANY ? MOST.first : MOST.firstOfMany;
  let left = 0;
  for (const [at, { form, hit }] of listed.entries()) {
    const most = () => (pages.length <= 1 ? opening : MOST.later)[hit.match === 'miss' ? 'check' : form];
    left -= 1 / most();
    const page = pages.at(-1);
    if (page !== undefined && left > -ROUNDED) page.count += 1;
    else {
      pages.push({ first: at, count: 1 });
      left = 1 - 1 / most();
    }
  }
  return pages;
}

/** Marks the hits that were accepted, and lists them after the others, or after those that became the same. */
function acceptedLast({ about, all }: Rows, answers: Answers): readonly ShownHit[] {
  const rank = (each: ShownHit) => (each.accepted === undefined ? 0 : 1);
  const marked = all.map((each): ShownHit => {
    const accepted = acceptanceIn(each, answers);
    return accepted === undefined ? each : { ...each, accepted };
  });
  return [...Map.groupBy(marked, ({ kind }) => (about === 'changes' ? kind : undefined)).values()].flatMap(
    (those) => those.toSorted((one, other) => rank(one) - rank(other)),
  );
}

/** Of several snapshots, where all that have the hit accepted it. */
function acceptanceIn({ hit, kind, cells }: ShownHit, { accepted, units = [] }: Answers) {
  if (hit.match !== 'hit' || kind === 'cleared') return undefined;
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

/** Counts what a view of a result is about, and what it shows: the numbers that messages, modals and exports name. */
function countsOf(
  { question }: View,
  result: DiagnosticsResult,
  about: readonly ShownHit[],
  listed: readonly ShownHit[],
) {
  const all = about.length;
  const shown = listed.length;
  const hits = result.diagnostics.filter(({ match }) => match === 'hit');
  return {
    /** Of the document: hits and passed checks as it lists them, and as the service states them. */
    checks: countChecks(result, question.set),
    /** The hits that the document lists, by level, most important level first. */
    levels: countByLevel(hits),
    /** How many of these name CVEs. */
    withCves: hits.filter(({ cveIds }) => cveIds.length > 0).length,
    /** How many of those that the view is about were accepted for the device. */
    accepted: about.filter(({ accepted }) => accepted !== undefined).length,
    /** Whether the document shows that there are no hits. */
    isClear: showsNoHits(result, question.set),
    /** How many diagnostics that state their match the view is about, how many of them are shown, and how many are not. */
    all,
    shown,
    hidden: all - shown,
  };
}
