import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { countByLevel, countChecks, isOpen, levelOf, showsNoHits, sideOf } from '../../core/importance.ts';
import type { Question } from '../../core/lookup.ts';
import type { Upgrade, Upgrades } from '../../core/upgrading.ts';
import { words } from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import { filterLine } from './filter.ts';
import { type Line, ONLY_SHOWN } from './fitting.ts';
import { acceptedWords } from './hit-notes.ts';
import type { ResultModel } from './result-model.ts';
import { lastReadLine } from './since.ts';
import { count, countDoubt, counted, deviceLine, joined, unstatedCount, wordInCounts } from './wording.ts';

/** Three lines of a phone. */
const LONGEST_DEVICE_LINE = 120;

/** Which device, how many hits of which importance, what an upgrade fixes, and what else is known of them together. */
export function resultLines(model: ResultModel): Line[] {
  const { answers, counts } = model;
  const { result } = answers;
  const device = deviceLine(result);
  const { bold, plain, top = plain } = summaryOf(model);
  const summary = (levels: string) => [
    words(bold, { bold: true }),
    ...(levels === '' ? [] : [words(levels)]),
  ];
  return [
    longListLine(model),
    { text: shorten(device, LONGEST_DEVICE_LINE), beside: '', report: device },
    {
      text: `${bold}${plain}`,
      rich: summary(plain),
      short: summary(top),
    },
    { text: countDoubt(counts.checks) },
    upgradeLine(model),
    lastReadLine(answers),
    { ...filterLine(model), isBold: true },
  ];
}

/** How a long list of checks is read: nobody turns dozens of pages. */
export function longListLine({ noun, pages }: ResultModel): Line {
  const isLong = noun === 'check' && pages.length > 1;
  return { text: isLong ? 'Search or export this long list with ⋯.' : '', ...ONLY_SHOWN };
}

/** One line that sums a result up: what the eye should fall on, and what follows it, or the most important part of that. */
type Summary = { readonly bold: string; readonly plain: string; readonly top?: string };

/** The answer in one line, for either side of a result. */
export function summaryOf(model: ResultModel): Summary {
  const { view, counts } = model;
  if (view.question.set === 'miss') return missSummary(counts);
  const { total, levels } = hitCounts(model);
  if (levels.length > 0) {
    const top = ` — ${levels.slice(0, MOST_AT_TOP).join(' · ')}${levels.length > MOST_AT_TOP ? '…' : ''}`;
    return { bold: total, plain: ` — ${levels.join(' · ')}`, top };
  }
  if (counts.isClear) return { bold: goodNews(counts), plain: '' };
  return {
    bold: counts.checks.isDisputed ? total : 'No checks are listed.',
    plain: '',
  };
}

/** Zero hits is what the user hoped for, so it says so. */
function goodNews({ checks }: ResultModel['counts']): string {
  const passed = checks.misses || undefined;
  return `✓ No known issues found.${passed === undefined ? '' : ` ${counted(passed, 'check')} passed.`}`;
}

/** A check is named after the issue that it looks for: without a word about it, the list would read like findings. */
function missSummary({ checks }: ResultModel['counts']): Summary {
  const { misses: passed = 0, hits = 0 } = checks;
  const others = hits > 0 ? ` ${counted(hits, 'hit')} not listed here.` : '';
  if (passed === 0) return { bold: 'No passed checks are listed.', plain: others };
  return {
    bold: `✓ ${counted(passed, 'check')} passed`,
    plain: ` — none of these issues were found.${others}`,
  };
}

/** Levels named in the counts; a document with more of them is no list that a person reads. */
const MOST_LEVELS = 8;
/** Of these, named where there is no room for the others: the menu that filters has them, too. */
const MOST_AT_TOP = 2;

/** `12 hits in 247 checks`, and `2 critical`, `5 high`, `3 with CVEs`. */
function hitCounts({ view, counts }: ResultModel): { total: string; levels: string[] } {
  const { misses, checks, listed } = counts.checks;
  const { levels, withCves, accepted } = counts;
  const ofChecks = checks === undefined ? '' : ` in ${counted(checks, 'check')}`;
  // Of the whole analysis the passed checks are the rest, which nobody needs to be told.
  const isRest = checks !== undefined || misses === undefined || view.question.set !== 'all';
  const passed = isRest ? '' : `, ${count(misses)} passed`;
  const named = levels
    .slice(0, MOST_LEVELS)
    .map((each) => `${count(each.count)} ${wordInCounts(each.level)}`);
  const others = levels.slice(MOST_LEVELS).reduce((sum, each) => sum + each.count, 0);
  return {
    total: joined(
      ', ',
      `${counted(listed.hits ?? 0, 'hit')}${acceptedWords(accepted, listed.hits ?? 0)}${ofChecks}${passed}`,
      unstatedCount(counts.checks),
    ),
    levels: [
      ...named,
      ...(others > 0 ? [`${count(others)} of other levels`] : []),
      ...(withCves > 0 ? [`${count(withCves)} with CVEs`] : []),
    ],
  };
}

/** Counts only: a thread may be read by people who should open the message for more. `12 hits, 2 critical` */
export function findings({ set }: Question, result: DiagnosticsResult): string {
  const counts = countChecks(result, set);
  const { listed, stated } = counts;
  const unstated = unstatedCount(counts);
  const others = unstated === '' ? '' : `, ${unstated}`;
  if (set === 'miss') {
    if (!listed.misses && !stated.misses) return `no passed checks are listed${others}`;
    return `${counted(listed.misses ?? 0, 'check')} passed${otherCount(listed.misses, stated.misses)}${others}`;
  }
  if (showsNoHits(result, set)) return 'no known issues found';
  const hits = sideOf(result, 'hit');
  if (hits.length === 0 && !stated.hits && others === '') return 'no checks are listed';
  const critical = countByLevel(hits).find(({ level }) => level.rank === 0);
  const worst = critical === undefined ? '' : `, ${critical.count} critical`;
  return `${counted(hits.length, 'hit')}${worst}${otherCount(hits.length, stated.hits)}${others}`;
}

/** What the service counts, where it sent something else; or ''. */
function otherCount(listed: number | undefined, stated: number | undefined): string {
  return stated === undefined || stated === listed ? '' : ` (the service counts ${count(stated)})`;
}

const LONGEST_VERSION = 30;

/** What an upgrade fixes, if anything. Not for whoever filters: that person has read it. */
export function upgradeLine({ upgrades: upgradesHere, view: { filter = {}, question } }: ResultModel): Line {
  const upgrades = question.set === 'miss' || !isOpen(filter) ? undefined : upgradesHere();
  const { recommended } = upgrades ?? {};
  if (upgrades === undefined || recommended === undefined) return { text: '' };
  const short = fixesLine(recommended, upgrades, true);
  return { text: fixesLine(recommended, upgrades), short: [words(short)], ...ONLY_SHOWN };
}

/** `17.1.4 fixes 20 of 37 hits, both critical ones`; in short without how many there are, which the line above it says. */
export function fixesLine(upgrade: Upgrade, { hits }: Pick<Upgrades, 'hits'>, isShort = false): string {
  const { fixed } = upgrade;
  const all = counted(hits.length, 'hit');
  const which = isShort ? counted(fixed.length, 'hit') : `${count(fixed.length)} of ${all}`;
  const critical = hits.filter(isCritical).length;
  const also = critical > 0 && criticalOnes(fixed.filter(isCritical).length, critical);
  return joined(', ', `${versionText(upgrade)} fixes ${which}`, also);
}

function criticalOnes(fixed: number, all: number): string {
  if (fixed === 0) return all === 1 ? 'not the critical one' : 'no critical one';
  if (fixed < all) return `${count(fixed)} of ${count(all)} critical`;
  return all === 1
    ? 'the critical one'
    : all === 2
      ? 'both critical ones'
      : `all ${count(all)} critical ones`;
}

/** The version as the service writes it; a text that only looks like one can be long. */
export function versionText({ version }: Pick<Upgrade, 'version'>): string {
  return shorten(version, LONGEST_VERSION);
}

function isCritical(hit: Diagnostic): boolean {
  return levelOf(hit).rank === 0;
}
