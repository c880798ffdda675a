import { isSnapshotId, type SnapshotId } from '../../core/diagnostics.ts';
import { isIssueId, oneLine, withWholeIds } from '../../core/texts.ts';
import type { ParsedCommand } from './near-words.ts';
import { isTooLong, parseCommand } from './parse-command.ts';
import { isCourtesy, isOfASentence, isSentence, tokensOf } from './tokens.ts';

const STARTS_WITH_ID = /^\d/;

/**
 * Parses a sentence to the bot: the grammar of the command, except that a sentence that begins with an id is not a
 * search for its words.
 */
export function parseSpoken(text: string): ParsedCommand {
  const parsed = parseCommand(text);
  if (parsed.kind === 'usage' && parsed.problem !== undefined) {
    const isForMore = parsed.offers?.some(({ form }) => !STARTS_WITH_ID.test(form)) === true;
    if (isForMore || isTooLong(text) || !isSentence(text)) return parsed;
    // Words of a sentence are no slips of the grammar.
    return named(text) ?? { kind: 'usage', problem: parsed.problem };
  }
  if (parsed.kind !== 'lookup' || parsed.search === undefined) return parsed;
  // Among the words of a sentence a number may be that of a case.
  const spoken = parsed.others && isSentence(text) ? named(text) : undefined;
  if (spoken !== undefined) return spoken;
  // In a sentence "hit" is a word like others: the answer is about everything.
  const { search, side: _said, ...asked } = parsed;
  return search.some(isOfASentence) ? asked : parsed;
}

/** A number of another length counts where the sentence calls it a snapshot, or asks for nothing else. */
const NAMED_ID =
  /\b(?:snapshots?|qkviews?|ids?|check|diagnose|analy[sz]e|show|look up|look at) (?:me )?(\d{4,20})(?![\w.:/-])/gi;
/** A number that the sentence calls something else. */
const NAMED_OTHERWISE = [
  /\b(?:case|ticket|incident|order|serial|sr) (?:number |no |id )?(\d{4,20})/gi,
  /\bports? (\d{4,5})\b/gi,
  /\b(?:in|of|from|since|until|till|by|before|after|during|year) ((?:19|20)\d\d)\b/gi,
  /(?<!look )\bat (\d{4})\b/gi,
];
/** What stands between a word and the number that it names, in any writing: `Snapshot ID: 26808463`. */
const COLONS = /(?<!\d)[:#=]/g;
const QUESTION =
  /^(?:is|are|was|were|do|does|did|has|have|can|could|will|would|should|what|which|why|how)\b|\?$/i;

/**
 * What a sentence asks for: the snapshots that it names (`can you check 26808463 please`), and what it asks of them: the
 * ids of CVEs, articles and diagnostics in it. No other number of a sentence is taken for an id. Undefined if it names
 * no snapshot.
 */
function named(text: string): ParsedCommand | undefined {
  const whole = withWholeIds(text);
  const others = NAMED_OTHERWISE.flatMap((so) => numbersCalled(whole, so));
  const found = findIds({ text: whole });
  const isLeft = (id: SnapshotId) => !others.includes(id);
  const usual = found.filter((id) => USUAL.test(id));
  const called = numbersCalled(whole, NAMED_ID).filter(isLeft);
  // Whoever asks has a snapshot in mind, so the one number that is left is its id, whatever its length.
  const left = QUESTION.test(whole.trim()) ? found.filter(isLeft) : [];
  const readings = [usual.filter(isLeft), called, usual, left.length === 1 ? left : []];
  const ids = readings.find((some) => some.length > 0);
  if (ids === undefined) return undefined;
  const issues = tokensOf(whole).flatMap(({ text: term }) => (isIssueId(term) ? term : []));
  return parseCommand([...ids, ...issues].join(' '));
}

/** The numbers behind words of a kind, each once. */
function numbersCalled(text: string, so: RegExp): SnapshotId[] {
  const found = [...oneLine(text.replace(COLONS, ' ')).matchAll(so)].map(([, id = '']) => id);
  return [...new Set(found)].filter(isSnapshotId);
}

/** A text of a message that may name snapshots. In file names, words and numbers are joined. */
type Passage = { readonly text: string; readonly isFileName: boolean };

const LINK = /https?:\/\/[^\s<>|"]+/gi;
/** Slack's markup of people and channels: its ids are not snapshots. */
const MARKUP = /<[@#!][^<>]*>/g;
/** A number that is not a part of a word, a date, a time, a version or an amount. */
const NUMBER = /(?<![\p{L}\p{N}_.,:/#+-])\d+(?![\p{L}\p{N}_/+-]|[.,:]\d)/gu;
const NUMBER_IN_NAME = /\d+/g;
/** The usual length of an id: seven digits in 2014, eight today. Other numbers in a sentence may be anything. */
const USUAL = /^\d{7,9}$/;
/** The length of an id if no usual one is found; years and ports are shorter. */
const POSSIBLE = /^\d{4,20}$/;
/** The most ids to choose from. */
const MOST = 20;
const TEXT_KEYS = ['text', 'fallback', 'pretext', 'title', 'value', 'url', 'title_link', 'from_url', 'name'];

/**
 * The snapshots that a message names, in its text, blocks, attachments and the names of its files: those of links
 * first, then numbers that look like ids. Numbers of another length count only when there is nothing better.
 */
export function findIds(message: unknown): SnapshotId[] {
  const passages = [...passagesOf(message)];
  const linked = passages.flatMap(({ text }) => (text.match(LINK) ?? []).flatMap(idOfLink));
  const numbers = passages.flatMap(numbersOf);
  const usual = [...linked, ...numbers.filter((number) => USUAL.test(number))];
  const found = usual.length > 0 ? usual : numbers.filter((number) => POSSIBLE.test(number));
  return [...new Set(found.filter(isSnapshotId))].slice(0, MOST);
}

function numbersOf({ text, isFileName }: Passage): string[] {
  const plain = text.replace(LINK, ' ').replace(MARKUP, ' ');
  return plain.match(isFileName ? NUMBER_IN_NAME : NUMBER) ?? [];
}

/** The id in the path of a link, if it is long enough for one. */
function idOfLink(link: string): string[] {
  const parsed = parseCommand(`<${link}>`);
  const id = parsed.kind === 'lookup' ? parsed.question.snapshotId : '';
  return POSSIBLE.test(id) ? [id] : [];
}

/** In their order, however deep they are nested. */
function* passagesOf(message: unknown): Generator<Passage> {
  const left: Place[] = [{ value: message, key: '', isInFile: false }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, key, isInFile } = next;
    if (typeof value !== 'string') for (const inner of placesIn(next).reverse()) left.push(inner);
    else if (TEXT_KEYS.includes(key)) yield { text: value, isFileName: isInFile };
  }
}

/** A value in a message, under the key of an object that is nearest to it. */
type Place = { readonly value: unknown; readonly key: string; readonly isInFile: boolean };

function placesIn({ value, key, isInFile }: Place): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.map((each) => ({ value: each, key, isInFile }));
  return (
    Object.entries(value)
      // Of a file only its name and title count: its other fields are Slack's.
      .filter(([name]) => !isInFile || name === 'name' || name === 'title')
      .map(([name, inner]) => ({ value: inner, key: name, isInFile: isInFile || name === 'files' }))
  );
}

/** Every mention of this user, as Slack writes it in a message: `<@U…>` or `<@U…|name>`. */
function mentionOf(user: string): RegExp {
  return new RegExp(`<@${user}(?:\\|[^<>]*)?>`, 'g');
}

/** The text with a space in place of each mention of the bot. Takes time in proportion to the text. */
export function withoutMention(text: string, botUser: string): string {
  return text.replace(mentionOf(botUser), ' ');
}

const ID_OR_LINK = /\d|<https?:/;

/** Whether a mention could hold a request. It decides whether a refused person is told so, without parsing. */
export function mayBeARequest(text: string, botUser: string): boolean {
  return ID_OR_LINK.test(withoutMention(text, botUser));
}

/** The most words of a mention that addresses the bot; sentences about it are longer. */
const FEW_WORDS = 3;
/** A number that may be an id, or a mistyped one. */
const LIKE_AN_ID = /\d{5,}/;
const SEEN_BY_ALL =
  'Everyone sees the answer to a mention. To read a result in private, type the command with “me”, or send me the id directly.';
/** Words of somebody who has a snapshot in mind and does not name it, and of somebody who asks about one. */
const ASKS = /\b(?:check|show|diagnose|analy[sz]e|look (?:up|at))\b/i;
const ABOUT_SNAPSHOTS = /\bsnapshots?\b/i;
const WHICH = 'Which snapshot? Mention me with its id.';

/**
 * Reads a message that mentions the bot: the grammar of the command, the mention wherever it stands. What can't be
 * understood is a near miss when it holds something like an id, or is short and addresses the bot; else it is no
 * request at all, and only talks about the bot (`quiet`). Nobody asks in a text longer than `LONGEST_TEXT`: it is not read.
 */
export function parseMention(text: string, botUser: string): ParsedCommand | { readonly kind: 'quiet' } {
  if (isTooLong(text)) return { kind: 'quiet' };
  const rest = withoutMention(text, botUser).trim();
  const parsed = parseSpoken(rest);
  if (parsed.kind === 'lookup' && parsed.isForMe) return { kind: 'usage', problem: SEEN_BY_ALL };
  if (parsed.kind !== 'usage') return parsed;
  if (isOnlyPolite(rest)) return { kind: 'quiet' };
  const count = rest.match(/\S+/g)?.length ?? 0;
  // In a longer sentence “help” is a word like others.
  if (parsed.problem === undefined && count < FEW_WORDS) return parsed;
  const isAddressed = text.trimStart().search(mentionOf(botUser)) === 0;
  if (parsed.offers !== undefined) return parsed;
  if (isAddressed && asks(rest)) return { kind: 'usage', problem: WHICH };
  const isNear = LIKE_AN_ID.test(rest) || (isAddressed && count <= FEW_WORDS && isOfTheGrammar(rest));
  return isNear ? parsed : { kind: 'quiet' };
}

function asks(rest: string): boolean {
  if (ID_OR_LINK.test(rest)) return false;
  return ASKS.test(rest) || (rest.endsWith('?') && ABOUT_SNAPSHOTS.test(rest));
}

function isOnlyPolite(rest: string): boolean {
  const words = rest.toLowerCase().match(/\p{L}+/gu);
  return words?.every((word) => isCourtesy({ word })) === true;
}

/** Whether the words belong to the grammar, though they form no command yet. */
function isOfTheGrammar(rest: string): boolean {
  if (ID_OR_LINK.test(rest)) return true;
  return [`1 ${rest}`, `${rest} 1 2`].some((completed) => {
    const parsed = parseCommand(completed);
    return parsed.kind === 'lookup' && parsed.search === undefined;
  });
}
