import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { byImportance, levelOf, passes, sideOf } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import type { Verdict } from '../../core/searching.ts';
import { isIssueId } from '../../core/texts.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { ACTION } from '../blocks/action-values.ts';
import * as ui from '../blocks/blocks.ts';
import { LIMITS, shorten } from '../blocks/limits.ts';
import { nearWord } from '../commands/ids.ts';
import type { Body } from './body.ts';
import { detailsButton, titleOfHit } from './hit.ts';
import { LEVEL_MARKS, levelCounts, levelMark, levelWord } from './levels.ts';
import { allButton, ofOne } from './report.ts';
import { isOfChecks, type Rows, rowsOf } from './rows.ts';
import { allOf, count, counted, cveWords, joined, listed, some } from './words.ts';

const MOST_NAMES = 3;

/** The report of a search in one analysis: a verdict for each id, and the number of hits with the words. */
export function searchBody(view: Asked, answers: Answers): Body {
  const { result, found: { verdicts } = { verdicts: [] } } = answers;
  const { question, search = [] } = view;
  const rows = rowsOf(view, answers);
  const { open, accepted, passed } = rows;
  const isOfWords = !search.every(isIssueId);
  const inChecks = isOfWords ? passed.length : 0;
  const where = searchedIn(view, result, verdicts, inChecks);
  const isNowhere = open.length + accepted.length + passed.length === 0;
  const meant = isNowhere && search.length === 1 ? nearWord(search.join()) : undefined;
  const said = ui.present(
    isOfWords && [ui.bold(foundIn(view, result, rows))],
    meant && [ui.words('Did you mean '), ui.words(meant, { code: true }), ui.words('?')],
  );
  const verdict = [...verdicts.map(verdictOn), ...said];
  const [check] = isOfWords || open.length > 0 ? [] : passed;
  return {
    lines: ui.present(
      ...verdicts.flatMap((verdict) => [verdictOn(verdict), ...checkLines(verdict)]),
      ...said,
      // Left out if the list of hits ends with `where`, or if a passed check has its own line.
      where && open.length === 0 && check === undefined && [ui.words(where)],
    ),
    summary: ui.plainOf(ui.present(...verdict, where && inChecks > 0 && [ui.words(where)])),
    ...ofOne(view, result, open, {
      end: open.length === 0 ? '' : where,
      said: ui.plainOf(verdict).replaceAll('\n', ' · '),
    }),
    accepted,
    buttons: ui.present(
      meant && ui.button(`Yes, ${meant}`, ACTION.didYouMean, `${question.snapshotId} ${meant}`),
      isNowhere && ui.button('Search again…', ACTION.search),
      check && detailsButton(check, 0),
      ...allButton(result),
      inChecks > 0 && ui.button(counted(inChecks, 'passed check'), ACTION.checks),
    ),
    canBeOwned: !isOfWords && verdicts.some(({ outcome }) => outcome === 'hit'),
  };
}

/** A line such as `“certificate” is in 3 of 37 hits`, or `of 2 critical hits` if the request has a filter. */
function foundIn(view: Asked, result: DiagnosticsResult, { open, accepted, passed }: Rows): string {
  const { search = [], filter = {} } = view;
  const start = `${search.map((term) => `“${term}”`).join(' ')} is in`;
  const checks = counted(sideOf(result, 'miss').length, 'passed check');
  if (isOfChecks(view)) return `${start} ${count(passed.length)} of ${checks}`;
  const { length } = sideOf(result, 'hit').filter((hit) => passes(hit, filter));
  const hits = counted(length, joined(' ', filter.levels?.join(' or '), 'hit'));
  return joined(' ', start, `${count(open.length + accepted.length)} of ${hits}`, cveWords(filter));
}

/** The verdict for one id. It never says “not affected”, because an analysis proves only what it checked. */
function verdictOn({ id, number, outcome, saidBy }: Verdict): ui.RichElement[] {
  const none = ui.bold(`No hit or check names ${id}`);
  if (outcome === 'passed') return [ui.words('✅\u00a0'), ui.bold(`${id} was checked and is not a hit`)];
  if (outcome === 'mentioned') return [none, ui.words(`; only the text of ${namesOf(saidBy)} mentions it`)];
  if (outcome === 'perhaps') return [none, ui.words(`, but ${number} stands in ${namesOf(saidBy)}`)];
  const [worst, ...others] = byImportance(saidBy);
  if (worst === undefined) return [none];
  const level = levelOf(worst);
  const rated = level.rank < LEVEL_MARKS.length ? `${levelWord(level)} ` : '';
  const where =
    others.length > 0
      ? `is in ${counted(saidBy.length, 'hit')}: ${levelCounts(saidBy)}`
      : `is a ${rated}hit (${nameOf(worst)})`;
  const mark = levelMark(level);
  return ui.present(mark && ui.words(mark), ui.bold(`Yes: ${id}`), ui.words(` ${where}`));
}

function checkLines({ outcome, saidBy }: Verdict): ui.RichElement[][] {
  const checks = outcome === 'passed' ? saidBy.slice(0, MOST_NAMES) : [];
  return checks.map((check) => [ui.words(`${titleOfHit(check)} (${nameOf(check)})`)]);
}

function nameOf({ name }: Diagnostic): string {
  return shorten(name, LIMITS.name);
}

function namesOf(saidBy: readonly Diagnostic[]): string {
  return listed(
    ui.present(...saidBy.slice(0, MOST_NAMES).map(nameOf), some(saidBy.slice(MOST_NAMES), 'more')),
  );
}

/** How many passed checks contain the words; if none does, how much was searched, and what that means. */
function searchedIn(
  { search = [], side, filter }: Asked,
  result: DiagnosticsResult,
  verdicts: readonly Verdict[],
  inChecks: number,
): string {
  const all = counted(sideOf(result, 'miss').length, 'passed check');
  if (inChecks > 0 && side !== 'miss') return `And in ${count(inChecks)} of ${all}`;
  // With “hit”, “miss” or a level in the command, words were not looked for everywhere.
  if ((side ?? filter) !== undefined && !search.every(isIssueId)) return '';
  const { diagnostics } = result;
  const isOnlyHits = diagnostics.length > 0 && diagnostics.every(({ match }) => match === 'hit');
  const said = `Searched ${allOf(diagnostics.length, isOnlyHits ? 'hit' : 'check').toLowerCase()}`;
  if (isOnlyHits) return `${said}. The service sent only hits: what else it checked is not known.`;
  const isAbsent = verdicts.length > 0 && verdicts.every(({ outcome }) => outcome === 'absent');
  return isAbsent ? `${said}. This analysis says nothing about it.` : said;
}
