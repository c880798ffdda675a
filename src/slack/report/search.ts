import type { types } from '@slack/bolt';
import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { byImportance, levelOf, sideOf } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import type { Verdict } from '../../core/searching.ts';
import { isIssueId } from '../../core/texts.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { hitKeyValue } from '../blocks/action-values.ts';
import { button, plainOf, type RichElement, words } from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import { nearWord } from '../commands/words.ts';
import { type Body, MOST_NAMED, moreLine } from './body.ts';
import { CHECKS_ACTION, DETAILS_ACTION, DID_YOU_MEAN_ACTION, SEARCH_ACTION } from './controls.ts';
import { hitKeyOf, type Row, titleOfHit } from './hit.ts';
import { LEVEL_MARKS, levelCounts, levelMark, levelWord } from './levels.ts';
import { about, allButton, oneList, rowsIn } from './report.ts';
import { count, counted, listed } from './words.ts';

const BOLD = { bold: true };
const LONGEST_NAME = 60;
const MOST_NAMES = 3;

/** What a search finds in one analysis: a verdict on each id, and how many hits have the words. */
export function searchBody(view: Asked, answers: Answers): Body {
  const { result } = answers;
  const found = foundIn(view, answers);
  const { hits, passed, verdicts, typed } = found;
  const isOfWords = typed.length > 0;
  const isInChecks = isOfWords && passed.length > 0;
  const where = isInChecks
    ? `And in ${count(passed.length)} of ${counted(sideOf(result, 'miss').length, 'passed check')}`
    : searchedIn(result, verdicts);
  // Where hits are listed, it stands below them; of ids, the checks that passed say it.
  const isSaidAbove = hits.length === 0 && (isOfWords || passed.length === 0);
  const said = [
    ...(isOfWords ? [wordsIn(found, sideOf(result, 'hit').length)] : []),
    ...(found.meant === undefined
      ? []
      : [[words('Did you mean '), words(found.meant, { code: true }), words('?')]]),
  ];
  return {
    ...about(view, result),
    lines: [
      ...verdicts.flatMap((verdict) => [verdictOn(verdict), ...checkLines(verdict)]),
      ...said,
      ...(isSaidAbove ? [[words(where)]] : []),
    ],
    summary: plainOf([...verdicts.map(verdictOn), ...said, ...(isInChecks ? [[words(where)]] : [])]),
    ...oneList(view, result, hits, hits.slice(0, MOST_NAMED), (unnamed) =>
      hits.length === 0 ? '' : moreLine(unnamed) || where,
    ),
    accepted: found.accepted,
    buttons: buttonsOf(view, result, found),
    canBeOwned: !isOfWords && verdicts.some(({ outcome }) => outcome === 'hit'),
  };
}

/** `meant`: the word of a command that is one letter away from a search that finds nothing. */
type Finding = {
  readonly hits: readonly Row[];
  readonly accepted: readonly Row[];
  readonly passed: readonly Row[];
  readonly verdicts: readonly Verdict[];
  readonly typed: readonly string[];
  readonly meant: string | undefined;
};

function foundIn({ question, side, filter, search = [] }: Asked, answers: Answers): Finding {
  const { result, found } = answers;
  const isFound = ({ hit }: Row) => found?.matches.has(hit) ?? false;
  const { open, accepted } = rowsIn(question, answers);
  const hits = side === 'miss' ? [] : open.filter(isFound);
  const checks = side === 'hit' ? [] : sideOf(result, 'miss');
  const passed = checks.map((hit): Row => ({ hit, question, result })).filter(isFound);
  const [term = '', ...others] = search;
  const isAlone = others.length === 0 && filter === undefined && hits.length + passed.length === 0;
  return {
    ...{ hits, accepted: accepted.filter(isFound), passed, verdicts: found?.verdicts ?? [] },
    typed: search.filter((each) => !isIssueId(each)),
    meant: isAlone ? nearWord(term) : undefined,
  };
}

function buttonsOf({ question }: Asked, result: DiagnosticsResult, found: Finding): types.Button[] {
  const { hits, passed, verdicts, typed, meant } = found;
  const [first] = verdicts;
  const check = first?.outcome === 'passed' && passed.find(({ hit }) => hit === first.saidBy[0]);
  return [
    ...(meant === undefined
      ? []
      : [button(`Yes, ${meant}`, DID_YOU_MEAN_ACTION, `${question.snapshotId} ${meant}`)]),
    ...(hits.length + passed.length === 0 ? [button('Search again…', SEARCH_ACTION)] : []),
    ...(check && hits.length === 0
      ? [button('Details', `${DETAILS_ACTION}-0`, hitKeyValue(hitKeyOf(check)))]
      : []),
    ...allButton(result),
    ...(typed.length > 0 && passed.length > 0
      ? [button(counted(passed.length, 'passed check'), CHECKS_ACTION)]
      : []),
  ];
}

/** What the analysis says of an id. Never that the device is not affected: an analysis knows only what it checks. */
function verdictOn({ id, outcome, saidBy, clues = [] }: Verdict): RichElement[] {
  const none = words(`No hit or check names ${id}`, BOLD);
  switch (outcome) {
    case 'hit': {
      const [worst] = byImportance(saidBy);
      const mark = worst === undefined ? '' : levelMark(levelOf(worst));
      return [words(mark), words(`Yes: ${id}`, BOLD), words(` ${hitsThatSay(saidBy)}`)];
    }
    case 'passed':
      return [words('✅\u00a0'), words(`${id} was checked and is not a hit`, BOLD)];
    case 'mentioned':
      return [none, words(`; only the text of ${namesOf(saidBy)} mentions it`)];
    case 'perhaps':
      return [none, words(`, but ${listed(clues)} stands in ${namesOf(saidBy)}`)];
    case 'absent':
      return [none];
    default:
      return outcome satisfies never;
  }
}

/** The checks that passed, below their verdict. */
function checkLines({ outcome, saidBy }: Verdict): RichElement[][] {
  if (outcome !== 'passed') return [];
  return saidBy.slice(0, MOST_NAMES).map((check) => [words(`${titleOfHit(check)} (${nameOf(check)})`)]);
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
  return shorten(name, LONGEST_NAME);
}

function namesOf(saidBy: readonly Diagnostic[]): string {
  const names = saidBy.slice(0, MOST_NAMES).map(nameOf);
  const more = saidBy.length - names.length;
  return listed(more > 0 ? [...names, `${count(more)} more`] : names);
}

/** `“certificate” is in 3 of 37 hits` */
function wordsIn({ typed, hits, verdicts }: Finding, all: number): RichElement[] {
  const named = typed.map((term) => `“${term}”`).join(' ');
  const together = verdicts.length > 0 ? ' together with it' : '';
  const size = hits.length === 0 ? 'none' : count(hits.length);
  return [words(`${named}${together} is in ${size} of ${counted(all, 'hit')}`, BOLD)];
}

/** How much was searched; where nothing names what was asked for, what that means. */
function searchedIn({ diagnostics }: DiagnosticsResult, verdicts: readonly Verdict[]): string {
  const isOnlyHits = diagnostics.length > 0 && diagnostics.every(({ match }) => match === 'hit');
  const said = `Searched all ${counted(diagnostics.length, isOnlyHits ? 'hit' : 'check')}`;
  if (isOnlyHits) return `${said}. The service sent only hits: what else it checked is not known.`;
  const isAbsent = verdicts.length > 0 && verdicts.every(({ outcome }) => outcome === 'absent');
  return isAbsent ? `${said}. This analysis says nothing about it.` : said;
}
