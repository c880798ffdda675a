import type { DiagnosticSet, SnapshotId } from '../../core/diagnostics.ts';
import { isSnapshotId } from '../../core/diagnostics.ts';
import type { Filter, LevelGroup } from '../../core/importance.ts';
import { type Asked, MOST_TOGETHER, withSearch } from '../../core/lookup.ts';
import type { Search } from '../../core/searching.ts';
import { isTooMuch, searchFor } from '../../core/searching.ts';
import { isIssueId } from '../../core/texts.ts';
import { hasRoomFor } from '../block-kit/action-values.ts';
import type { ParsedCommand, Subcommand } from './near-words.ts';
import { asTyped, nearest, notAnId, offerOf, slipIn } from './near-words.ts';
import { BETWEEN, isCourtesy, isSentence, isWrapped, type Token } from './tokens.ts';

const TOO_MANY = `At most ${MOST_TOGETHER} snapshots fit in one answer.`;
const TOO_LONG = 'That’s too much for one answer: name fewer snapshots, or search for less.';
const TWICE = 'Name each snapshot once.';
const NO_RANGE = 'A range of ids can’t be looked up: name each snapshot.';

/** Those that mean all ids from one to the other. */
const FROM_TO: readonly string[] = 'to - – — ... ..'.split(' ');
/** `26808463-26808470`; not what may be the end of the id of a CVE, which begins with a year. */
const RANGE = /^(?!(?:19|20)\d\d-)(\d{4,20})(?:[-–—]|\.{2,3})(\d{4,20})$/;

/** The tokens with all ids of each range in its place; of one that is too long the ends. */
function spelledOut(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, at) => {
    const ends = (RANGE.exec(token.text) ?? []).slice(1);
    const [from, to] = ends.filter(isSnapshotId);
    if (from !== undefined && to !== undefined) return between(from, to).map(idToken);
    const [one, other] = [tokens[at - 1]?.snapshotId, tokens[at + 1]?.snapshotId];
    const isRange = FROM_TO.includes(token.word) && one !== undefined && other !== undefined;
    return isRange ? between(one, other).map(idToken) : token;
  });
}

function idToken(snapshotId: SnapshotId): Token {
  return { text: snapshotId, word: snapshotId, snapshotId, isPhrase: false };
}

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

function between(from: SnapshotId, to: SnapshotId): SnapshotId[] {
  const [first, last] = [BigInt(from), BigInt(to)];
  if (from.length !== to.length || last < first || last - first >= BigInt(MOST_TOGETHER)) return [from, to];
  return Array.from({ length: Number(last - first) + 1 }, (_, step) =>
    String(first + BigInt(step)).padStart(from.length, '0'),
  ).filter(isSnapshotId);
}

/** The request with further snapshots beside its own, as far as the answer can carry it. */
function together(asked: Asked, others: readonly SnapshotId[]): ParsedCommand {
  if (others.length === 0) return { kind: 'lookup', ...asked };
  const { set } = asked.question;
  const request = { ...asked, others: others.map((snapshotId) => ({ snapshotId, set })) };
  return hasRoomFor(request) ? { kind: 'lookup', ...request } : { kind: 'usage', problem: TOO_LONG };
}

/** What a word means, beside an id: a set of diagnostics, or which hits are shown first. */
type Meaning =
  | { readonly set: DiagnosticSet }
  | { readonly level: LevelGroup }
  | { readonly cve: 'with' }
  | { readonly isForMe: true };

/** Every word that people use, beside the specification's own. */
const WORDS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['hit', { set: 'hit' }],
  ['hits', { set: 'hit' }],
  ['miss', { set: 'miss' }],
  ['misses', { set: 'miss' }],
  ['missed', { set: 'miss' }],
  ['all', { set: 'all' }],
  ['critical', { level: 'critical' }],
  ['high', { level: 'high' }],
  ['medium', { level: 'medium' }],
  ['low', { level: 'low' }],
  ['cve', { cve: 'with' }],
  ['cves', { cve: 'with' }],
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
  if (misplaced !== undefined) return notAnId(misplaced, tokens, GRAMMAR, readLookup);
  const slip = slipIn(tokens, GRAMMAR, readLookup);
  if (slip !== undefined) return slip;
  const { ids, problem } = idsOf(
    tokens,
    tokens.some((token) => !typed.includes(token)) || tokens.length < typed.length,
  );
  if (problem !== undefined) return nearest(problem, [...ids, ...words.map(asTyped)].join(' '), readLookup);
  const search = searchFor(soughtIn(others.filter((token) => !isCourtesy(token))).map(({ text }) => text));
  if (isTooMuch(search)) return { kind: 'usage', problem: TOO_MUCH };
  const meanings = tokens.flatMap(({ word }) => WORDS.get(word) ?? []);
  const sets = meanings.flatMap((meaning) => ('set' in meaning ? meaning.set : []));
  const parsed = understood(ids, [...new Set(sets)], filterOf(meanings), search);
  const isForMe = meanings.some((meaning) => 'isForMe' in meaning);
  return parsed.kind === 'lookup' && isForMe ? { ...parsed, isForMe } : parsed;
}

/** What is searched for: of a sentence about CVEs, articles or diagnostics only their ids. */
function soughtIn(words: readonly Token[]): readonly Token[] {
  const issues = words.filter(({ text }) => isIssueId(text));
  return issues.length > 0 && words.some(({ word }) => isSentence(word)) ? issues : words;
}

function filterOf(meanings: readonly Meaning[]): Filter | undefined {
  const levels = [...new Set(meanings.flatMap((meaning) => ('level' in meaning ? meaning.level : [])))];
  const cve = meanings.some((meaning) => 'cve' in meaning) ? ({ cve: 'with' } as const) : undefined;
  if (levels.length === 0) return cve;
  return { levels, ...cve };
}

function understood(
  [snapshotId, ...otherIds]: readonly SnapshotId[],
  [set = 'all', ...otherSets]: readonly DiagnosticSet[],
  filter: Filter | undefined,
  search: Search,
): ParsedCommand {
  if (snapshotId === undefined) return { kind: 'usage', problem: 'The snapshot id is missing.' };
  const ids = [snapshotId, ...otherIds].join(' ');
  const either = (problem: string, one: string, other: string): ParsedCommand => ({
    kind: 'usage',
    problem,
    offers: [offerOf(`${ids} ${one}`), offerOf(`${ids} ${other}`)],
  });
  if (otherSets.length > 0) return either('Use either hit or miss, not both.', 'hit', 'miss');
  if (set === 'miss' && filter !== undefined) {
    const shown = [...(filter.levels ?? []), ...(filter.cve === undefined ? [] : ['cve'])].join(' ');
    return either('Only hits can be filtered, not passed checks.', shown, 'miss');
  }
  return together(withSearch({ question: { snapshotId, set }, ...(filter && { filter }) }, search), otherIds);
}

function isId({ snapshotId }: Token): boolean {
  return snapshotId !== undefined;
}
