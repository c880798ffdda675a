import { words } from '../block-kit/blocks.ts';
import { shorten } from '../block-kit/limits.ts';
import { acceptedWords } from './accepted-line.ts';
import { filterLine } from './filter.ts';
import { type Line, ONLY_SHOWN } from './message-text.ts';
import type { ResultCounts, ResultModel } from './result-model.ts';
import { lastReadLine, NO_LAST_READ } from './since.ts';
import { upgradeOf } from './upgrade-words.ts';
import { count, countDoubt, counted, deviceLine, unstatedCount, wordInCounts } from './wording.ts';

/** Three lines of a phone. */
const LONGEST_DEVICE_LINE = 120;

/** Which device, how many hits of which importance, what an upgrade fixes, and what else is known of them together. */
export function resultLines(model: ResultModel): Line[] {
  const { answers, counts, noun, pages } = model;
  const { lastRead, hasNoLast, result } = answers;
  const device = deviceLine(result);
  const { bold, plain } = summaryOf(model);
  // Nobody reads hundreds of checks.
  const isLong = noun === 'check' && pages.length > 1;
  const longList = 'Search or export them with ⋯.';
  return [
    { text: shorten(device, LONGEST_DEVICE_LINE), beside: '', report: device },
    {
      text: `${bold}${plain}`,
      rich: [words(bold, { bold: true }), ...(plain === '' ? [] : [words(plain)])],
    },
    { text: countDoubt(counts.checks) },
    { text: upgradeOf(model), ...ONLY_SHOWN },
    ...(lastRead === undefined ? [] : [lastReadLine(lastRead)]),
    { text: hasNoLast === undefined ? '' : NO_LAST_READ, isBold: true, report: '' },
    { text: filterLine(model), isBold: true, report: '' },
    { text: isLong ? longList : '', ...ONLY_SHOWN },
  ];
}

/** One line that sums a result up: what the eye should fall on, and what follows it. */
type Summary = { readonly bold: string; readonly plain: string };

/** The answer in one line, for either side of a result. */
export function summaryOf(model: ResultModel): Summary {
  const { view, counts } = model;
  if (view.question.set === 'miss') return missSummary(counts);
  const { total, levels } = hitCounts(model);
  if (levels !== '') return { bold: total, plain: ` — ${levels}` };
  if (counts.isClear) return { bold: goodNews(counts), plain: '' };
  return {
    bold: counts.checks.isDisputed || counts.checks.unstated > 0 ? total : 'No checks are listed.',
    plain: '',
  };
}

/** Zero hits is what the user hoped for, so it says so. */
function goodNews({ checks }: ResultCounts): string {
  const passed = checks.misses || undefined;
  return `✓ No known issues found.${passed === undefined ? '' : ` ${counted(passed, 'check')} passed.`}`;
}

/** A check is named after the issue that it looks for: without a word about it, the list would read like findings. */
function missSummary({ checks }: ResultCounts): Summary {
  const { misses: passed = 0, hits } = checks;
  const unstated = unstatedCount(checks);
  const others = [hits ? ` ${counted(hits, 'hit')} not listed here.` : '', unstated && ` ${unstated}.`].join(
    '',
  );
  if (passed === 0) return { bold: 'No passed checks are listed.', plain: others };
  return {
    bold: `✓ ${counted(passed, 'check')} passed`,
    plain: ` — none of these issues were found.${others}`,
  };
}

/** Levels named in the counts; a document with more of them is no list that a person reads. */
const MOST_LEVELS = 8;

/** `12 hits in 247 checks`, and `2 critical · 5 high · 3 with CVEs`. */
function hitCounts({ view, counts }: ResultModel): { total: string; levels: string } {
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
    total: [
      `${counted(listed.hits ?? 0, 'hit')}${acceptedWords(accepted, listed.hits ?? 0)}${ofChecks}${passed}`,
      unstatedCount(counts.checks),
    ]
      .filter(Boolean)
      .join(', '),
    levels: [
      ...named,
      ...(others > 0 ? [`${count(others)} of other levels`] : []),
      ...(withCves > 0 ? [`${count(withCves)} with CVEs`] : []),
    ].join(' · '),
  };
}
