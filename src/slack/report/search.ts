import type { types } from '@slack/bolt';
import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { byImportance, levelOf, sideOf } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import type { Search, Verdict } from '../../core/searching.ts';
import { isIssueId } from '../../core/texts.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { button, type RichElement, words } from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import { nearWord } from '../commands/words.ts';
import { allButton, type Body, detailsValue, hitsIn } from './body.ts';
import { CHECKS_ACTION, DETAILS_ACTION, DID_YOU_MEAN_ACTION, SEARCH_ACTION } from './controls.ts';
import { moreLine, titleOfHit } from './hit.ts';
import { levelCounts, levelMark, levelWord } from './levels.ts';
import { count, counted, listed } from './words.ts';

const LONGEST_NAME = 60;
const MOST_NAMES = 3;

/** What a search finds in one analysis: a verdict on each id, and how many hits have the words. */
export function searchBody(view: Asked, answers: Answers): Body {
  const { search: sought = [] } = view;
  const { found, result } = answers;
  const { all, open, accepted } = hitsIn(answers);
  const isFound = (hit: Diagnostic) => found?.matches.has(hit) ?? false;
  const hits = view.side === 'miss' ? [] : open.filter(({ hit }) => isFound(hit));
  const checks = sideOf(result, 'miss');
  const passed = view.side === 'hit' ? [] : checks.filter(isFound);
  const verdicts = found?.verdicts ?? [];
  const typed = sought.filter((term) => !isIssueId(term));
  const said: Sentence[] = verdicts.map(verdictOn);
  const inHits = { found: hits.length, all: all.length };
  if (typed.length > 0) said.push(wordsIn(typed, inHits, verdicts.length > 0));
  const isOnlyIds = typed.length === 0;
  const where = inPassed(passed.length, checks.length, isOnlyIds);
  const isListed = hits.length > 0;
  const meant = isListed || passed.length > 0 ? undefined : meantBy(view);
  if (meant !== undefined) said.push(didYouMean(meant));
  const isHit = verdicts.some(({ outcome }) => outcome === 'hit');
  return {
    lines: [
      ...said.flatMap(({ lines }) => lines),
      ...(isListed || (where === '' && passed.length > 0)
        ? []
        : [[words(where || searchedIn(result, verdicts))]]),
    ],
    summary:
      said.map(({ text }) => text).join('; ') + (isOnlyIds || where === '' ? '' : ` and ${where.slice(7)}`),
    hits,
    named: 30,
    accepted: accepted.filter(({ hit }) => isFound(hit)),
    closing: (unnamed) =>
      unnamed.length > 0 ? moreLine(unnamed) : isListed ? where || searchedIn(result, []) : '',
    buttons: buttonsOf({ verdicts, passed, isListed, isOnlyIds, meant }, view, answers),
    canBeOwned: isHit && isOnlyIds,
  };
}

/** The word of a command that is one letter away from a search of one word and nothing else. */
function meantBy({ search: [term = '', ...others] = [], filter }: Asked): string | undefined {
  return others.length > 0 || filter !== undefined ? undefined : nearWord(term);
}

function didYouMean(word: string): Sentence {
  return {
    lines: [[words('Did you mean '), words(word, { code: true }), words('?')]],
    text: `did you mean ${word}?`,
  };
}

/** A sentence in the message, and as it stands in the text beside it. */
type Sentence = { readonly lines: RichElement[][]; readonly text: string };

const BOLD = { bold: true };

/** What the analysis says of an id. Never that the device is not affected: an analysis knows only what it checks. */
function verdictOn({ id, outcome, saidBy, clues = [] }: Verdict): Sentence {
  const [first, ...others] = byImportance(saidBy);
  switch (outcome) {
    case 'hit': {
      const mark = first === undefined ? '' : levelMark(levelOf(first));
      const rest = hitsThatSay(first, others);
      return {
        lines: [[words(mark), words(`Yes: ${id}`, BOLD), words(` ${rest}`)]],
        text: `yes, ${id} ${rest}`,
      };
    }
    case 'passed': {
      const text = `${id} was checked and is not a hit`;
      const checks = saidBy
        .slice(0, MOST_NAMES)
        .map((check) => [words(`${titleOfHit(check)} (${nameIn(check)})`)]);
      return { lines: [[words('✅\u00a0'), words(text, BOLD)], ...checks], text };
    }
    case 'mentioned':
      return naming(id, `; only the text of ${namesOf(saidBy)} mentions it`);
    case 'perhaps':
      return naming(
        id,
        `, but ${listed(clues.slice(0, 2).map((clue) => shorten(clue, LONGEST_NAME)))} stands in ${namesOf(saidBy)}`,
      );
    case 'absent':
      return naming(id, '');
    default:
      return outcome satisfies never;
  }
}

function naming(id: string, rest: string): Sentence {
  const [none, named] = ['o hit or check names ', id];
  return {
    lines: [[words(`N${none}${named}`, BOLD), ...(rest === '' ? [] : [words(rest)])]],
    text: `n${none}${named}${rest}`,
  };
}

/** `is a critical hit (H00040009)` or `is in 3 hits: 1 critical, 2 high` */
function hitsThatSay(first: Diagnostic | undefined, others: readonly Diagnostic[]): string {
  if (first === undefined) return 'is a hit';
  if (others.length > 0)
    return `is in ${counted(others.length + 1, 'hit')}: ${levelCounts([first, ...others]).join(', ')}`;
  const level = levelWord(levelOf(first));
  const article = /^[aeiou]/i.test(level) ? 'an' : 'a';
  return `is ${article} ${level} hit (${nameIn(first)}${first.isMatchUnstated ? ', match not stated' : ''})`;
}

function nameIn({ name }: Diagnostic): string {
  return shorten(name, LONGEST_NAME);
}

function namesOf(saidBy: readonly Diagnostic[]): string {
  const names = saidBy.slice(0, MOST_NAMES).map(nameIn);
  const more = saidBy.length - names.length;
  return listed(more > 0 ? [...names, `${count(more)} more`] : names);
}

/** `“certificate” is in 3 of 37 hits` */
function wordsIn(
  typed: Search,
  { found, all }: { readonly found: number; readonly all: number },
  isBesideIds: boolean,
): Sentence {
  const size = found === 0 ? 'none' : count(found);
  const named = typed.map((term) => `“${term}”`).join(' ');
  const text = `${named}${isBesideIds ? ' together with it' : ''} is in ${size} of ${counted(all, 'hit')}`;
  return { lines: [[words(text, BOLD)]], text };
}

/** `And in 14 of 210 passed checks`; or ''. */
function inPassed(found: number, all: number, isOnlyIds: boolean): string {
  return found === 0 || isOnlyIds ? '' : `And in ${count(found)} of ${counted(all, 'passed check')}`;
}

/** How much was searched; where nothing names what was asked for, what that means. */
function searchedIn({ diagnostics }: DiagnosticsResult, verdicts: readonly Verdict[]): string {
  const isOnlyHits = diagnostics.length > 0 && diagnostics.every(({ match }) => match === 'hit');
  const all = counted(diagnostics.length, isOnlyHits ? 'hit' : 'check');
  const unseen = isOnlyHits ? ' The service sent only hits: what else it checked is not known.' : '';
  const isAbsent = verdicts.length > 0 && verdicts.every(({ outcome }) => outcome === 'absent');
  const meaning = isAbsent && !isOnlyHits ? ' This analysis says nothing about it.' : '';
  const said = `Searched all ${all}`;
  return unseen + meaning === '' ? said : `${said}.${unseen}${meaning}`;
}

type Outcome = {
  readonly verdicts: readonly Verdict[];
  readonly passed: readonly Diagnostic[];
  readonly isListed: boolean;
  readonly isOnlyIds: boolean;
  readonly meant: string | undefined;
};

function buttonsOf(
  { verdicts, passed, isListed, isOnlyIds, meant }: Outcome,
  { question }: Asked,
  answers: Answers,
): types.Button[] {
  const [first] = verdicts;
  const check = first?.outcome === 'passed' ? first.saidBy[0] : undefined;
  const isNowhere = !isListed && passed.length === 0;
  return [
    ...(meant === undefined
      ? []
      : [button(`Yes, ${meant}`, DID_YOU_MEAN_ACTION, `${question.snapshotId} ${meant}`)]),
    ...(isNowhere ? [button('Search again…', SEARCH_ACTION)] : []),
    ...(check !== undefined && !isListed
      ? [button('Details', `${DETAILS_ACTION}-0`, detailsValue(check, question, answers.result))]
      : []),
    ...allButton(answers),
    ...(passed.length > 0 && !isOnlyIds
      ? [button(counted(passed.length, 'passed check'), CHECKS_ACTION)]
      : []),
  ];
}
