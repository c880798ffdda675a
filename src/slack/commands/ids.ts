import leven from 'leven';
import { isSnapshotId, type SnapshotId } from '../../core/diagnostics.ts';
import { composed, idOfLink, isIssueId, withWholeIds } from '../../core/texts.ts';

/** What a text names. */
export type Reading = {
  /** The snapshots, each once: those of links first, then the others in their order. */
  readonly ids: readonly SnapshotId[];
  /** What is searched for everywhere: CVEs, articles and diagnostics, as they are written, and quoted words. */
  readonly terms: readonly string[];
  /** All other words, without emoji, people, channels, dates, bullets and courtesies. */
  readonly words: readonly string[];
  /** Whether it holds a link that names neither a snapshot nor an issue. */
  readonly hasOtherLink: boolean;
};

/** The most characters that are read: a message of Slack's longest, with its blocks and what it forwards. */
export const LONGEST_TEXT = 12_000;

const INVISIBLE = /\p{Default_Ignorable_Code_Point}|(?!\s)\p{Cc}/gu;
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;
const DIGIT = /\p{Nd}/u;

/** `<https://…|label>`, `<@U…|name>`, `<tel:…|number>`, as Slack writes them; or an address as it is typed. */
const MARKED = /<([^<>|]+)(?:\|([^<>]*))?>|(https?:\/\/(?:(?![,;]https?:|[<>|"])[!-~])+)/gi;
const PERSON_OR_CHANNEL = /^[@#!]/;
const ADDRESS = /^https?:/i;

/** Emoji, people and channels as they are typed, telephone numbers, days, and remarks in brackets: `26860019 (active)`. */
const PASSED_OVER = [
  /:[a-z][\w+'-]{0,100}:/gi,
  /(?<!\S)[@#]\p{L}\S*/gu,
  /\+\d[\d ().-]*/g,
  /(?<![\d.])\d{1,2}\.\d{1,2}\.20\d\d(?!\d)/g,
  /\((?![^()]{0,100}\d{4})[^()]{0,100}\)/g,
];
const SEPARATORS = /[\s,;:=#|]+/;
const BARE_WORD = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/u;
const PHRASE = /["“”„‟«»]([^"“”„‟«»]*)["“”„‟«»]/g;
const HOLDS_AN_ID = /\d{7}|^\s*\d+\s*$/;

/** Also in the name of a file, and beside letters of other scripts. */
const USUAL_ID =
  /(?:(?<![\p{Script=Latin}\d])|(?<=[Ss]napshot|[Qq]kview|qv))\d{7,9}(?![\p{Script=Latin}\d])/gu;
/** A day in the name of a file, such as 20261120. */
const DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
/** Behind one of these stands the number of something else: `case: 00412345`, `ticket no INC0012345`, `SR#1-234567`. */
const OTHER = /^(?:case|ticket|order|sr)s?$/i;
const LABEL = /^(?:number|no|nr|id)$/i;
const NUMBER = /^\d{4,20}$/;
const BEFORE_A_NUMBER = /^(?:snapshot|qkview|id)s?$/i;
const LETTER = /\p{L}/u;
/** Two characters with a letter, a long number, or a version; bullets are none. */
const WORD = /\p{L}.|.\p{L}|^\d{4,}$|^\d+(?:\.\d+)+$/u;

/**
 * Reads what a person typed or wrote, of a long text the beginning. The ids in it are
 * (a) those that its links lead to, see `readLink`;
 * (b) elsewhere numbers of 7 to 9 digits, but not behind case, ticket, order or SR, nor with a `+` before them;
 * (c) where there is none of these, numbers of 4 to 20 digits that are all of the text or stand behind the word snapshot,
 * qkview or id. `isCommand`: the text stands behind the command's own name, which is such a word.
 * Takes time linear in the text.
 */
export function readText(text: string, hosts: Hosts, isCommand = false): Reading {
  const { rest, linked, hasOtherLink } = withoutLinks(plain(text), hosts);
  const { tokens, terms } = tokensOf(rest);
  const usual = [...linked, ...tokens.flatMap((token) => token.match(USUAL_ID) ?? [])];
  // A number that reads as a day is an id only if there is no other id.
  const sure = usual.some((id) => !DAY.test(id)) ? usual.filter((id) => !DAY.test(id)) : usual;
  const ids = new Set(sure.length > 0 ? sure : numbersIn(tokens, isCommand));
  const isId = (token: string) => ids.has(token) || token.search(USUAL_ID) !== -1;
  const words = tokens.filter((token) => WORD.test(token) && !isSilent(token) && !isId(token));
  return { ids: [...ids].filter(isSnapshotId), terms, words, hasOtherLink };
}

/** Everything that a person could have typed with the same meaning, in one form. Slack escapes `<`, `>` and `&`. */
function plain(text: string): string {
  // Composed, one sign can become eighteen letters.
  const seen = composed(text.slice(0, LONGEST_TEXT)).slice(0, LONGEST_TEXT).replace(INVISIBLE, '');
  const read = seen.replace(FOREIGN_DIGIT, usualDigit).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  return withWholeIds(read.replaceAll('&amp;', '&')).replace(/\s+/g, ' ');
}

/** The digits of a script follow each other from zero to nine. */
function usualDigit(digit: string): string {
  let value = 0;
  const code = digit.codePointAt(0) ?? 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/** A link that names an issue leaves its id, any other one its label, which may name a snapshot. */
function withoutLinks(text: string, hosts: Hosts) {
  const linked: SnapshotId[] = [];
  let hasOtherLink = false;
  const rest = text.replace(MARKED, (_, inside = '', label = '', typed = inside) => {
    if (PERSON_OR_CHANNEL.test(typed)) return ' ';
    const shown = ADDRESS.test(label) ? '' : label;
    if (!ADDRESS.test(typed)) return ` ${shown || typed} `;
    const { ids, issue } = readLink(/^.*[\w/=&%#~-]/.exec(typed)?.[0] ?? typed, hosts);
    linked.push(...ids);
    if (ids.length > 0) return ' ';
    hasOtherLink ||= issue === undefined && shown === '';
    return ` ${issue ?? shown} `;
  });
  return { rest, linked, hasOtherLink };
}

/** The words and numbers of a text, without the signs around them; apart from these what is searched for. */
function tokensOf(text: string) {
  const phrases: string[] = [];
  const rest = PASSED_OVER.reduce((left, part) => left.replace(part, ' '), text);
  const unquoted = rest.replace(PHRASE, (_, phrase: string) => {
    if (HOLDS_AN_ID.test(phrase)) return ` ${phrase} `;
    phrases.push(phrase);
    return ' ';
  });
  const bare = unquoted.split(SEPARATORS).flatMap((part) => BARE_WORD.exec(part)?.[0] ?? []);
  const all = withoutOthers(bare);
  const { issues = [], tokens = [] } = Object.groupBy(all, (each) => (isIssueId(each) ? 'issues' : 'tokens'));
  return { tokens, terms: [...issues, ...phrases] };
}

function withoutOthers(tokens: readonly string[]): string[] {
  let isOther = false;
  return tokens.filter((token) => {
    const wasOther = isOther;
    isOther = OTHER.test(token) || (wasOther && LABEL.test(token));
    return !isOther && !(wasOther && DIGIT.test(token));
  });
}

/** Words of the command and courtesies do not keep a number from being all of the text. */
function numbersIn(tokens: readonly string[], isCommand: boolean): string[] {
  const said = tokens.filter((token) => commandWord(token) === undefined && !isSilent(token));
  const isAll = said.every((token) => NUMBER.test(token) || !WORD.test(token));
  let isCalled = isCommand || isAll;
  return said.filter((token) => {
    if (LETTER.test(token)) isCalled = BEFORE_A_NUMBER.test(token);
    return isCalled && NUMBER.test(token);
  });
}

/** Hosts of the service, in lower case and without ports. */
export type Hosts = readonly string[];

const BEFORE_AN_ID = /^(?:qv|snapshots?|qkviews?)$/i;
/** A number behind one of these names something else. */
const BEFORE_ANOTHER = /^(?:case|ticket|order|sr|article)s?$/i;
const PARAMETER = /^(?:id|snapshot|qkview)$/i;
const USUAL_LENGTH = /^\d{7,9}$/;
const ANY_LENGTH = /^\d{4,20}$/;

/**
 * Reads a link, also one that a mail gateway or a search engine wrapped into another: the snapshots that it leads to, else
 * the CVE or the article. Ids are segments of the path with 7 to 9 digits, or with 4 to 20 where the host is the service's
 * or the segment before says so; and parameters of the service.
 */
export function readLink(
  address: string,
  hosts: Hosts,
): { readonly ids: readonly SnapshotId[]; readonly issue?: string | undefined } {
  const link = URL.parse(address);
  if (link === null) return { ids: [] };
  const isOfService = hosts.includes(link.hostname);
  const parameters = [...link.searchParams].filter(
    ([name, value]) => isOfService && PARAMETER.test(name) && ANY_LENGTH.test(value),
  );
  const ids = [...idsInPath(link, isOfService), ...parameters.map(([, id]) => id)].filter(isSnapshotId);
  if (ids.length > 0) return { ids };
  const inner = wrappedIn(link).map((each) => readLink(each, hosts));
  return inner.find((each) => each.ids.length > 0 || each.issue) ?? { ids, issue: idOfLink(address) };
}

function idsInPath({ pathname, hash }: URL, isOfService: boolean): string[] {
  // Single-page apps have their path behind `#/`.
  const segments = `${pathname}/${hash}`.split('/');
  return segments.filter((segment, at) => {
    const before = segments[at - 1] ?? '';
    const length = isOfService || BEFORE_AN_ID.test(before) ? ANY_LENGTH : USUAL_LENGTH;
    return length.test(segment) && !BEFORE_ANOTHER.test(before);
  });
}

/** The links in the parameters (Safe Links, Google), and the one that Proofpoint wrapped. */
function wrappedIn({ href, searchParams }: URL): string[] {
  const [, ofProofpoint = ''] = href.split('/v3/__');
  const [unwrapped = ''] = ofProofpoint.split('__;');
  return [unwrapped, ...searchParams.values()].filter((value) => /^https?:\/\//i.test(value));
}

/** Words of a command that stand beside ids, and those that stand alone. Every other word is searched for. */
const BESIDE = setOf('hit miss critical high medium low cve exploited me all compare last watch unwatch');
const ALONE = setOf('help status devices');
const PLURAL = /^(hit|miss|cve)(?:s|es)$/;

/** Courtesies, and what joins two ids: no words anywhere. */
const SILENT = setOf(
  'please pls plz thanks thank thx ta cheers hi hello hey cc fyi and or vs versus with to',
);

/** What sentences are made of: a command does not search for these words. */
const OF_SENTENCES = setOf(
  'a an the i we us my our you your it its is are was were be been am this that these those what which why how who ' +
    'when where do does did has have had can could would should will may of on in at for from by about since until ' +
    'now again today yesterday tomorrow there here not no any some only just still also please asap let lets give ' +
    'check look see show tell diagnose analyse analyze run lookup up snapshot snapshots qkview qkviews id ids',
);

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** The word of a command that a word is, in lower case and its singular; undefined for every other word. */
export function commandWord(word: string): string | undefined {
  const singular = word.toLowerCase().replace(PLURAL, '$1');
  return BESIDE.has(singular) || ALONE.has(singular) ? singular : undefined;
}

/** Whether a word says nothing, in a command or elsewhere. */
function isSilent(word: string): boolean {
  return SILENT.has(word.toLowerCase());
}

/** Whether a command searches for a word. */
export function isSought(word: string): boolean {
  return commandWord(word) === undefined && !OF_SENTENCES.has(word.toLowerCase());
}

/** In shorter words another letter makes another word. */
const SHORTEST_SLIP = 3;

/** The word beside ids that is one letter away from a word, for one that was searched for and found nowhere. */
export function nearWord(word: string): string | undefined {
  const typed = word.toLowerCase();
  if (typed.length < SHORTEST_SLIP || commandWord(typed) !== undefined) return undefined;
  return [...BESIDE].find((known) => leven(typed, known) === 1);
}
