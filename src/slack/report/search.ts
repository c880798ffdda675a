import type { types } from '@slack/bolt';
import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { byImportance, levelOf, sideOf } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import type { Verdict } from '../../core/searching.ts';
import { isIssueId } from '../../core/texts.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { bold, button, plainOf, present, type RichElement, words } from '../blocks/blocks.ts';
import { LIMITS, shorten } from '../blocks/limits.ts';
import { nearWord } from '../commands/ids.ts';
import { ACTION } from './action-ids.ts';
import type { Body } from './body.ts';
import { detailsButton, titleOfHit } from './hit.ts';
import { LEVEL_MARKS, levelCounts, levelMark, levelWord } from './levels.ts';
import { allButton, ofOne } from './report.ts';
import { type Rows, rowsOf } from './rows.ts';
import { count, counted, listed } from './words.ts';

const MOST_NAMES = 3;

/** What a search finds in one analysis: a verdict on each id, and how many hits have the words. */
export function searchBody(view: Asked, answers: Answers): Body {
  const { result, found } = answers;
  const { question, search = [], filter } = view;
  const rows = rowsOf(view, answers);
  const { open, accepted, passed } = rows;
  const verdicts = found?.verdicts ?? [];
  const isOfWords = !search.every(isIssueId);
  const isInChecks = isOfWords && passed.length > 0;
  const where = isInChecks
    ? `And in ${count(passed.length)} of ${counted(sideOf(result, 'miss').length, 'passed check')}`
    : searchedIn(result, verdicts);
  // Where hits are listed, it stands below them; of ids, the checks that passed say it.
  const isSaidAbove = open.length === 0 && (isOfWords || passed.length === 0);
  const isAlone = search.length === 1 && filter === undefined && open.length + passed.length === 0;
  const meant = isAlone ? nearWord(search.join()) : undefined;
  const size = `${count(open.length)} of ${counted(sideOf(result, 'hit').length, 'hit')}`;
  const said = present(
    isOfWords && [bold(`${search.map((term) => `“${term}”`).join(' ')} is in ${size}`)],
    meant && [words('Did you mean '), words(meant, { code: true }), words('?')],
  );
  return {
    lines: present(
      ...verdicts.flatMap((verdict) => [verdictOn(verdict), ...checkLines(verdict)]),
      ...said,
      isSaidAbove && [words(where)],
    ),
    summary: plainOf(present(...verdicts.map(verdictOn), ...said, isInChecks && [words(where)])),
    ...ofOne(view, result, { rows: open, end: open.length === 0 ? '' : where }),
    accepted,
    buttons: present(
      meant && button(`Yes, ${meant}`, ACTION.didYouMean, `${question.snapshotId} ${meant}`),
      ...buttonsOf(result, rows, verdicts, isInChecks),
    ),
    canBeOwned: !isOfWords && verdicts.some(({ outcome }) => outcome === 'hit'),
  };
}

function buttonsOf(
  result: DiagnosticsResult,
  { open, passed }: Rows,
  [first]: readonly Verdict[],
  isInChecks: boolean,
): types.Button[] {
  const check = first?.outcome === 'passed' && passed.find(({ hit }) => hit === first.saidBy[0]);
  return present(
    open.length + passed.length === 0 && button('Search again…', ACTION.search),
    check && open.length === 0 && detailsButton(check, 0),
    ...allButton(result),
    isInChecks && button(counted(passed.length, 'passed check'), ACTION.checks),
  );
}

/** What the analysis says of an id. Never that the device is not affected: an analysis knows only what it checks. */
function verdictOn({ id, outcome, saidBy, clues = [] }: Verdict): RichElement[] {
  const none = bold(`No hit or check names ${id}`);
  if (outcome === 'passed') return [words('✅\u00a0'), bold(`${id} was checked and is not a hit`)];
  if (outcome === 'mentioned') return [none, words(`; only the text of ${namesOf(saidBy)} mentions it`)];
  if (outcome === 'perhaps') return [none, words(`, but ${listed(clues)} stands in ${namesOf(saidBy)}`)];
  if (outcome === 'absent') return [none];
  const [worst] = byImportance(saidBy);
  const mark = worst && levelMark(levelOf(worst));
  return present(mark && words(mark), bold(`Yes: ${id}`), words(` ${hitsThatSay(saidBy)}`));
}

function checkLines({ outcome, saidBy }: Verdict): RichElement[][] {
  const checks = outcome === 'passed' ? saidBy.slice(0, MOST_NAMES) : [];
  return checks.map((check) => [words(`${titleOfHit(check)} (${nameOf(check)})`)]);
}

/** `is a critical hit (H00040009)` or `is in 3 hits: 1 critical, 2 high` */
function hitsThatSay(hits: readonly Diagnostic[]): string {
  const [only, ...others] = hits;
  if (only === undefined || others.length > 0)
    return `is in ${counted(hits.length, 'hit')}: ${levelCounts(hits)}`;
  const level = levelOf(only);
  const rated = level.rank < LEVEL_MARKS.length ? `${levelWord(level)} ` : '';
  return `is a ${rated}hit (${nameOf(only)}${only.isMatchUnstated ? ', match not stated' : ''})`;
}

function nameOf({ name }: Diagnostic): string {
  return shorten(name, LIMITS.name);
}

function namesOf(saidBy: readonly Diagnostic[]): string {
  const names = saidBy.slice(0, MOST_NAMES).map(nameOf);
  const more = saidBy.length - names.length;
  return listed(more > 0 ? [...names, `${count(more)} more`] : names);
}

/** How much was searched; where nothing names what was asked for, what that means. */
function searchedIn({ diagnostics }: DiagnosticsResult, verdicts: readonly Verdict[]): string {
  const isOnlyHits = diagnostics.length > 0 && diagnostics.every(({ match }) => match === 'hit');
  const said = `Searched all ${counted(diagnostics.length, isOnlyHits ? 'hit' : 'check')}`;
  if (isOnlyHits) return `${said}. The service sent only hits: what else it checked is not known.`;
  const isAbsent = verdicts.length > 0 && verdicts.every(({ outcome }) => outcome === 'absent');
  return isAbsent ? `${said}. This analysis says nothing about it.` : said;
}
