import type { DiagnosticSet, SnapshotId } from '../../core/diagnostics.ts';
import { isSnapshotId } from '../../core/diagnostics.ts';
import type { Filter, LevelGroup } from '../../core/importance.ts';
import { type Asked, MOST_TOGETHER, withSearch } from '../../core/lookup.ts';
import type { Search } from '../../core/searching.ts';
import { isTooMuch, searchFor } from '../../core/searching.ts';
import { isIssueId } from '../../core/texts.ts';
import { hasRoomFor } from '../blocks/action-values.ts';
import type { Offer, ParsedCommand, Subcommand } from './near-words.ts';
import { asTyped, nearTo, offering, offerOf } from './near-words.ts';
import {
  BETWEEN,
  echoOf,
  isCourtesy,
  isSentence,
  isWrapped,
  spelledOut,
  type Token,
  tokensOf,
} from './tokens.ts';

const TOO_MANY = `At most ${MOST_TOGETHER} snapshots fit in one answer.`;
const TOO_LONG = 'That’s too much for one answer: name fewer snapshots, or search for less.';
const TWICE = 'Name each snapshot once.';
const NO_RANGE = 'A range of ids can’t be looked up: name each snapshot.';

/** The ids of a command, in order, and what prevents that they are looked up together. */
function idsOf(
  tokens: readonly Token[],
  isRange: boolean,
): { readonly ids: readonly SnapshotId[]; readonly problem?: string } {
  const named = tokens.flatMap(({ snapshotId }) => snapshotId ?? []);
  const each = [...new Set(named)];
  const ids = each.slice(0, MOST_TOGETHER);
  if (isRange) return { ids, problem: NO_RANGE };
  if (each.length > ids.length) return { ids, problem: TOO_MANY };
  return named.length > ids.length ? { ids, problem: TWICE } : { ids };
}

/** The request with further snapshots beside its own, as far as the answer can carry it. */
function together(asked: Asked, others: readonly SnapshotId[]): ParsedCommand {
  if (others.length === 0) return { kind: 'lookup', ...asked };
  const { set } = asked.question;
  const request = { ...asked, others: others.map((snapshotId) => ({ snapshotId, set })) };
  return hasRoomFor(request) ? { kind: 'lookup', ...request } : { kind: 'usage', problem: TOO_LONG };
}

/** What a word means, beside an id: a set of diagnostics, which hits are shown first, or for whom. */
type Meaning = {
  readonly set?: DiagnosticSet;
  readonly level?: LevelGroup;
  readonly cve?: 'with';
  readonly isForMe?: true;
};

/** Every word that people use, beside the specification's own. */
const WORDS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...['hit', 'hits'].map((word) => [word, { set: 'hit' }] as const),
  ...['miss', 'misses', 'missed'].map((word) => [word, { set: 'miss' }] as const),
  ['all', { set: 'all' }],
  ...(['critical', 'high', 'medium', 'low'] as const).map((level) => [level, { level }] as const),
  ...['cve', 'cves'].map((word) => [word, { cve: 'with' }] as const),
  ['me', { isForMe: true }],
]);

const GRAMMAR: ReadonlySet<string> = new Set(WORDS.keys());
const TOO_MUCH = 'That’s too much to search for at once: use at most 8 words and about 70 characters.';

/** One snapshot: its hits, its passed checks, or some of the hits first. */
export const lookup = {
  words: [],
  forms: [
    { form: '26808463', gives: 'the hits: the known issues that match this device' },
    { form: '26808463 miss', gives: 'only the checks that passed' },
    {
      form: '26808463 critical',
      gives: 'only the critical hits; also high, medium, low, cve, or several of these',
    },
    {
      form: '26808463 CVE-2026-10000',
      gives: 'whether this was found; also ids of articles (K…), hits or checks (D…, H…), or several',
    },
    { form: '26808463 tmm “core dump”', gives: 'the hits and checks that mention all of these words' },
    {
      form: '26808463 26808470',
      gives: 'up to 8 side by side, also with the words above; two of one device: what changed',
    },
    { form: '26808463 me', gives: 'the result in a window that only you see; nothing is posted' },
  ],
  read: readLookup,
} satisfies Subcommand;

/**
 * Parses one id, or a link that holds one, and words for the set and the filter, in any order. Every other word after
 * the id is searched for, unless it is nearly a word of the grammar: then the person is asked.
 */
function readLookup(typed: readonly Token[]): ParsedCommand {
  const tokens = spelledOut(typed);
  const [first, last] = [tokens.findIndex(isId), tokens.findLastIndex(isId)];
  const words = tokens.filter(
    (token, at) => !isId(token) && !(BETWEEN.includes(token.word) && at > first && at < last),
  );
  const others = words.filter(({ word }) => !WORDS.has(word));
  const misplaced = others.find((token) => isWrapped(token) || tokens.indexOf(token) < first || first === -1);
  if (misplaced !== undefined) return notAnId(misplaced, tokens);
  const slip = slipIn(tokens);
  if (slip !== undefined) return slip;
  const { ids, problem } = idsOf(
    tokens,
    tokens.some((token) => !typed.includes(token)),
  );
  if (problem !== undefined) return nearest(problem, [...ids, ...words.map(asTyped)].join(' '));
  const sought = soughtIn(others.filter((token) => !isCourtesy(token)));
  const search = searchFor(sought.map(({ text }) => text));
  if (isTooMuch(search)) return { kind: 'usage', problem: TOO_MUCH };
  const meanings = tokens.flatMap(({ word }) => WORDS.get(word) ?? []);
  const sets = meanings.flatMap(({ set }) => set ?? []);
  const isForMe = meanings.some((meaning) => meaning.isForMe);
  const filter = filterOf(meanings);
  const { problem: clash, either = [] } = contradictionIn([...new Set(sets)], filter);
  if (ids.length > 0 && clash !== undefined) {
    const rest = [...sought.map(asTyped), ...(isForMe ? ['me'] : [])];
    const offers = either.flatMap((one) => offersOf([...ids, one, ...rest].join(' '), one) ?? []);
    return { kind: 'usage', problem: clash, offers };
  }
  const parsed = understood(ids, sets[0] ?? 'all', filter, search);
  return parsed.kind === 'lookup' && isForMe ? { ...parsed, isForMe } : parsed;
}

/** What is searched for: of a sentence about CVEs, articles or diagnostics only their ids. */
function soughtIn(words: readonly Token[]): readonly Token[] {
  const issues = words.filter(({ text }) => isIssueId(text));
  return issues.length > 0 && words.some(({ word }) => isSentence(word)) ? issues : words;
}

function filterOf(meanings: readonly Meaning[]): Filter | undefined {
  const levels = [...new Set(meanings.flatMap(({ level }) => level ?? []))];
  const cve = meanings.some((meaning) => meaning.cve) ? ({ cve: 'with' } as const) : undefined;
  if (levels.length === 0) return cve;
  return { levels, ...cve };
}

/** What can't be asked for together, and the words that stand for the one and for the other. */
function contradictionIn(
  [set, ...otherSets]: readonly DiagnosticSet[],
  filter: Filter = {},
): { readonly problem?: string; readonly either?: readonly [string, string] } {
  const filters = [...(filter.levels ?? []), ...(filter.cve === undefined ? [] : ['cve'])];
  if (otherSets.length > 0)
    return { problem: 'Use either hit or miss, not both.', either: [['hit', ...filters].join(' '), 'miss'] };
  if (set === 'miss' && filters.length > 0)
    return { problem: 'Only hits can be filtered, not passed checks.', either: [filters.join(' '), 'miss'] };
  return {};
}

function understood(
  [snapshotId, ...others]: readonly SnapshotId[],
  set: DiagnosticSet,
  filter: Filter | undefined,
  search: Search,
): ParsedCommand {
  if (snapshotId === undefined) return { kind: 'usage', problem: 'The snapshot id is missing.' };
  return together(withSearch({ question: { snapshotId, set }, ...(filter && { filter }) }, search), others);
}

function isId({ snapshotId }: Token): boolean {
  return snapshotId !== undefined;
}

/** Letters that are typed or read in place of digits. */
const LETTERS: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1' };
const LETTER = /[oil]/g;
const MOSTLY_DIGITS = /^(?=.*\d)[\doil]{4,20}$/;

/**
 * What to ask about the one word after the id that is nearly one of the grammar; quotes say that it is meant as it
 * stands. Several such words are what somebody searches for: reading the form without one of them, and so on, would
 * take time quadratic in the text.
 */
function slipIn(tokens: readonly Token[]): ParsedCommand | undefined {
  const slips = tokens.filter((token) => !GRAMMAR.has(token.word) && nearTo(token, GRAMMAR) !== undefined);
  const [slip, another] = slips;
  if (slip === undefined || another !== undefined) return undefined;
  const form = formOf(tokens, (token) => (token === slip ? nearTo(token, GRAMMAR) : asTyped(token)));
  const offers = offersOf(form);
  if (offers === undefined) return undefined;
  const typed = echoOf(slip);
  const problem = `Did you mean “${form}”? To search for “${typed}”, put it in quotes.`;
  return { kind: 'usage', problem, meant: { form, typed }, offers };
}

/** What is no id, and the nearest right form: with the id that was typed, or with the digits that were meant. */
function notAnId(misplaced: Token, tokens: readonly Token[]): ParsedCommand {
  const problem = `“${echoOf(misplaced)}” is not a snapshot id.`;
  const hasId = tokens.some(({ snapshotId }) => snapshotId !== undefined);
  const form = formOf(tokens, (token) => {
    if (GRAMMAR.has(token.word) || token.snapshotId !== undefined) return asTyped(token);
    if (!hasId) return digitsIn(token);
    return isIssueId(token.text) ? token.text : nearTo(token, GRAMMAR);
  });
  const ids = [...new Set(tokens.flatMap(({ snapshotId }) => snapshotId ?? []))];
  const meant = ids.length === 1 ? watchMeant(tokens.map(({ word }) => word).join(' ')) : undefined;
  if (meant !== undefined) return { kind: 'usage', problem, ...offering(`${meant} ${ids[0]}`) };
  return isWrapped(misplaced) ? { kind: 'usage', problem } : nearest(problem, form);
}

/** The id first, and then the words, as they are taught. */
function formOf(tokens: readonly Token[], write: (token: Token) => string | undefined): string {
  const written = tokens.flatMap((token) => write(token) ?? []);
  const ids = written.filter(isSnapshotId);
  return [...new Set(ids), ...written.filter((text) => !isSnapshotId(text))].join(' ');
}

/** `26808463` for `268O8463`. */
function digitsIn({ word }: Token): string | undefined {
  return MOSTLY_DIGITS.test(word) ? word.replace(LETTER, (letter) => LETTERS[letter] ?? letter) : undefined;
}

const STOPS = /\b(?:unwatch|unwatching|stop|end|quit|cancel|no|not|don.?t)\b/i;
const WATCHES = /\b(?:un)?watch(?:ing)?\b/i;

/** The word of the grammar for a sentence about watching a snapshot; undefined for any other. */
function watchMeant(text: string): 'watch' | 'unwatch' | undefined {
  if (!WATCHES.test(text)) return undefined;
  return STOPS.test(text) ? 'unwatch' : 'watch';
}

/** What a text can't ask for, and the nearest form that it can be asked in. */
export function nearest(problem: string, form: string): ParsedCommand {
  const offers = offersOf(form);
  return { kind: 'usage', problem, ...(offers && { meant: { form }, offers }) };
}

/** A button that asks for it. Undefined if it is no lookup. */
function offersOf(form: string, short?: string): Offer[] | undefined {
  return readLookup(tokensOf(form)).kind === 'lookup' ? [offerOf(form, short)] : undefined;
}
