import { isSnapshotId, type SnapshotId } from '../../core/diagnostics.ts';
import { MOST_TOGETHER } from '../../core/lookup.ts';
import { composed, idOfLink, oneLine, withWholeIds } from '../../core/texts.ts';
import { shorten } from '../blocks/limits.ts';

/** One word of a command: as Slack delivered it, in lower case for comparing, and the id that it is or holds. */
export type Token = {
  readonly text: string;
  /** '' for a phrase, because quoted words are never words of the grammar. */
  readonly word: string;
  readonly snapshotId: SnapshotId | undefined;
  /** Whether it was quoted while an id was not, or is the CVE or the article of a link. */
  readonly isPhrase: boolean;
};

/** A link or a mention as Slack wraps it, `<url|label>`, or a word. */
const TOKENS = /<[^<>]*>|[^\s<]+/g;
/** The same, with a quoted phrase as one token. Any closing quote ends a phrase, because phones mix the kinds. */
const TOKENS_AND_PHRASES = /<[^<>]*>|["“”„‟«»]([^"“”„‟«»<>]*)["“”„‟«»]|[^\s<]+/g;
/** Characters that phones, word processors and copying leave around an id. */
const BEFORE = new Set('"\'`‘’‚“”„«»‹›<([{#*_~,.;:');
const AFTER = new Set('"\'`‘’‚“”„«»‹›>)]}*_~,.;:!?');
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const WRAPPED = /^<([^|>]*)(?:\|([^>]*))?>$/;
const LONGEST_ECHO = 60;

/** Splits a text into tokens, ignoring case and decoration. */
export function tokensOf(text: string): Token[] {
  const typed = withWholeIds(composed(text).replace(INVISIBLE, ''));
  const tokens = withoutDots(
    [...typed.matchAll(TOKENS_AND_PHRASES)].flatMap(([token, phrase]) =>
      phrase === undefined ? tokenOf(token) : phraseOf(phrase),
    ),
  );
  // Quotes around everything, or around the id itself, are decoration.
  if (tokens.some(({ snapshotId }) => snapshotId !== undefined)) return tokens;
  return withoutDots((typed.match(TOKENS) ?? []).flatMap(tokenOf));
}

/** Dots that stand alone say something between two ids; elsewhere they are decoration. */
function withoutDots(tokens: readonly Token[]): Token[] {
  const isId = (token: Token | undefined) => token?.snapshotId !== undefined;
  return tokens.filter(
    ({ word }, at) => !DOTS.includes(word) || (isId(tokens[at - 1]) && isId(tokens[at + 1])),
  );
}

function tokenOf(token: string): Token[] {
  const plain = unescaped(token);
  const text = WRAPPED.test(token) ? token : BETWEEN.includes(plain) ? plain : undecorated(plain);
  if (seenIn(text) === '') return [];
  const linked = idOfLink(parts(text).address);
  if (linked !== undefined) return [{ text: linked, word: '', snapshotId: undefined, isPhrase: true }];
  return [{ text, word: text.toLowerCase(), snapshotId: snapshotIdIn(text), isPhrase: false }];
}

function phraseOf(phrase: string): Token[] {
  const text = unescaped(phrase).trim();
  return text === '' ? [] : [{ text, word: '', snapshotId: undefined, isPhrase: true }];
}

function undecorated(token: string): string {
  let [start, end] = [0, token.length];
  while (start < end && BEFORE.has(token.charAt(start))) start += 1;
  while (end > start && AFTER.has(token.charAt(end - 1))) end -= 1;
  return token.slice(start, end);
}

/** Slack escapes these three in what people type. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function snapshotIdIn(token: string): SnapshotId | undefined {
  const { address, label } = parts(token);
  return [address, label].map(idOf).find((id) => id !== undefined);
}

/** Whether Slack has wrapped it: a link, or a mention of a person or a channel. */
export function isWrapped({ text }: Token): boolean {
  return WRAPPED.test(text);
}

/** What people say to a bot beside what they ask of it. */
const COURTESIES = new Set(['please', 'pls', 'plz', 'thanks', 'thank', 'thx', 'ta', 'cheers']);

/** Words that people put between two ids. */
export const BETWEEN: readonly string[] = 'and with to vs versus -> → & + - – — ... ..'.split(' ');

/** Words of a sentence, which nobody searches an analysis for. */
const OF_A_SENTENCE = new Set(
  'a i we me my us you your it its is are was were be the this that these those what why how who when where do does did has can could would should will'.split(
    ' ',
  ),
);

/** Words that ask for a snapshot. */
const REQUESTS = new Set(
  'check look see show diagnose analyse analyze have run lookup snapshot snapshots qkview qkviews id case'.split(
    ' ',
  ),
);
const WORDS = /[\p{L}\p{N}]+/gu;

/** Whether nobody searches for this word: sentences are made of it. */
export function isOfASentence(word: string): boolean {
  return OF_A_SENTENCE.has(word.toLowerCase());
}

/** Whether somebody speaks to the bot rather than types a command. */
export function isSentence(text: string): boolean {
  const said = text.toLowerCase().match(WORDS) ?? [];
  return said.some((word) => isOfASentence(word) || REQUESTS.has(word));
}

export function isCourtesy({ word }: Pick<Token, 'word'>): boolean {
  return COURTESIES.has(word);
}

/** The token as the person saw it, shortened. */
export function echoOf({ text }: Token): string {
  return shorten(seenIn(text), LONGEST_ECHO);
}

function seenIn(text: string): string {
  const { address, label } = parts(text);
  const isMention = address.startsWith('@') || address.startsWith('#');
  const seen = label === '' ? address : isMention ? `${address.charAt(0)}${label}` : label;
  return oneLine(seen);
}

function parts(token: string): { address: string; label: string } {
  const [, address = token, label = ''] = WRAPPED.exec(token) ?? [];
  return { address: unescaped(address), label: unescaped(label).trim() };
}

const ADDRESSES = ['http:', 'https:', 'tel:'];

function idOf(text: string): SnapshotId | undefined {
  if (isSnapshotId(text)) return text;
  const address = URL.parse(text);
  if (address === null || !ADDRESSES.includes(address.protocol)) return undefined;
  // The query comes last, because it may hold longer numbers that are not ids, such as a time.
  return longestId(`${address.pathname}/${address.hash}`) ?? longestId(address.search);
}

/** The longest number of a path: a version there can be decimal too. */
function longestId(path: string): SnapshotId | undefined {
  const ids = path.split(/[/#?&=]/).filter(isSnapshotId);
  return ids.toSorted((one, other) => other.length - one.length)[0];
}

const DOTS: readonly string[] = ['..', '...'];
/** Those that mean all ids from one to the other. */
const FROM_TO: readonly string[] = 'to - – — ... ..'.split(' ');
/** `26808463-26808470`; not what may be the end of the id of a CVE, which begins with a year. */
const RANGE = /^(?!(?:19|20)\d\d-)(\d{4,20})(?:[-–—]|\.{2,3})(\d{4,20})$/;

/** The tokens with all ids of each range in its place; of one that is too long the ends. */
export function spelledOut(tokens: readonly Token[]): Token[] {
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

function between(from: SnapshotId, to: SnapshotId): SnapshotId[] {
  const [first, last] = [BigInt(from), BigInt(to)];
  if (from.length !== to.length || last < first || last - first >= BigInt(MOST_TOGETHER)) return [from, to];
  return Array.from({ length: Number(last - first) + 1 }, (_, step) =>
    String(first + BigInt(step)).padStart(from.length, '0'),
  ).filter(isSnapshotId);
}
