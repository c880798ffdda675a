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

/** Only words and numbers, as in most commands: no links, quotation marks or other spellings. */
const SIMPLE = /^[\w ,;./-]*$/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|(?!\s)\p{Cc}/gu;
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;
const DIGIT = /\p{Nd}/u;

/** `<https://…|label>`, `<@U…|name>`, `<tel:…|number>`, as Slack writes them; or an address as it is typed. */
const MARKED = /<([^<>|]+)(?:\|([^<>]*))?>|(https?:\/\/(?:(?![,;]https?:|[<>|"])[!-~])+)/gi;
const PERSON_OR_CHANNEL = /^[@#!]/;
const ADDRESS = /^https?:/i;

/** Emoji, people, channels, telephone numbers, and remarks such as `26860019 (active)`. */
const PASSED_OVER =
  /:[a-z][\w+'-]{0,100}:|(?<!\S)[@#]\p{L}\S*|\+\d[\d ().-]*|\((?![^()]{0,100}\d{4})[^()]{0,100}\)/gu;
const PHRASE = /["“”„‟«»]([^"“”„‟«»]*)["“”„‟«»]/g;
/** A word or a number without the signs around it. */
const TOKEN = /[\p{L}\p{N}](?:[^\s,;:=#|]*[\p{L}\p{N}])?/gu;
const HOLDS_AN_ID = /\d{7}|^\s*\d+\s*$/;

/** An id of 7 to 9 digits, also in the name of a file and beside letters of other scripts; but no day, such as 20261120. */
const USUAL_ID = /(?<![\p{Script=Latin}\d])(?!20\d\d[01]\d[0-3]\d(?!\d))\d{7,9}(?![\p{Script=Latin}\d])/gu;
const NUMBER = /^\d{4,20}$/;
const LETTER = /\p{L}/u;
/** A word: two characters with a letter, a long number, or a version; bullets and days are no words. */
const WORD = /\p{L}.|.\p{L}|^(?!20\d{6}$|\d\d?\.\d\d?\.20\d\d$)\d[\d.]{3,}$/u;

/**
 * Reads what a person typed or wrote, of a long text the beginning. The ids in it are
 * (a) those that its links lead to, see `readLink`;
 * (b) elsewhere numbers of 7 to 9 digits, but not behind case, ticket, order or SR, nor with a `+` before them;
 * (c) where there is none of these, numbers of 4 to 20 digits that are all of the text or stand behind the word snapshot,
 * qkview or id.
 * Takes time linear in the text.
 */
export function readText(text: string, hosts: Hosts): Reading {
  const start = text.slice(0, LONGEST_TEXT);
  const { rest, linked, phrases, hasOtherLink } = SIMPLE.test(start)
    ? { rest: start, linked: [], phrases: [], hasOtherLink: false }
    : takenApart(usual(start), hosts);
  const { issues, tokens } = tokensOf(rest);
  const numbers = [...linked, ...(tokens.join(' ').match(USUAL_ID) ?? [])];
  const ids = new Set(numbers.length > 0 ? numbers : numbersIn(tokens));
  const isId = (token: string) => ids.has(token) || token.search(USUAL_ID) !== -1;
  const isWord = (token: string) => WORD.test(token) && !['courtesy', 'snapshot'].includes(kindOf(token));
  return {
    ids: [...ids].filter(isSnapshotId),
    terms: [...issues, ...phrases],
    words: tokens.filter((token) => isWord(token) && !isId(token)),
    hasOtherLink,
  };
}

/**
 * The text in one form for all spellings of the same: ligatures, invisible characters, digits of other scripts. Slack
 * escapes `<`, `>` and `&`.
 */
function usual(text: string): string {
  // NFKC can make eighteen letters of one sign.
  const seen = composed(text).slice(0, LONGEST_TEXT).replace(INVISIBLE, '');
  const read = seen.replace(FOREIGN_DIGIT, usualDigit).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  return read.replaceAll('&amp;', '&');
}

/** The digits of a script follow each other from zero to nine. */
function usualDigit(digit: string): string {
  let value = 0;
  const code = digit.codePointAt(0) ?? 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/** The quoted phrases of a text, and the snapshots that its links lead to; `rest` is all other text. */
function takenApart(text: string, hosts: Hosts) {
  const linked: SnapshotId[] = [];
  const phrases: string[] = [];
  let hasOtherLink = false;
  // A link that names an issue leaves its id, any other one its label, which may name a snapshot.
  const unlinked = text.replace(MARKED, (_, inside = '', label = '', typed = inside) => {
    if (PERSON_OR_CHANNEL.test(typed)) return ' ';
    const shown = ADDRESS.test(label) ? '' : label;
    if (!ADDRESS.test(typed)) return ` ${shown || typed} `;
    const { ids, issue } = readLink(/^.*[\w/=&%#~-]/.exec(typed)?.[0] ?? typed, hosts);
    linked.push(...ids);
    if (ids.length > 0) return ' ';
    hasOtherLink ||= issue === undefined && shown === '';
    return ` ${issue ?? shown} `;
  });
  const rest = unlinked.replace(PASSED_OVER, ' ').replace(PHRASE, (_, phrase: string) => {
    if (HOLDS_AN_ID.test(phrase)) return ` ${phrase} `;
    phrases.push(phrase);
    return ' ';
  });
  return { rest, linked, phrases, hasOtherLink };
}

/** The words and numbers of a text, without numbers of something else, such as a case; `issues` are ids of issues. */
function tokensOf(text: string) {
  const issues: string[] = [];
  let isOther = false;
  const tokens = (withWholeIds(text).match(TOKEN) ?? []).filter((token) => {
    if (isIssueId(token)) return void issues.push(token);
    const [kind, wasOther] = [kindOf(token), isOther];
    isOther = kind === 'other' || (wasOther && (kind === 'label' || kind === 'snapshot'));
    return !isOther && !(wasOther && DIGIT.test(token));
  });
  return { issues, tokens };
}

/** The ids by rule (c) of `readText`. Words of the command and courtesies do not count as text beside a number. */
function numbersIn(tokens: readonly string[]): string[] {
  const said = tokens.filter((token) => !['command', 'courtesy'].includes(kindOf(token)));
  let isCalled = said.every((token) => NUMBER.test(token) || !WORD.test(token));
  return said.filter((token) => {
    if (LETTER.test(token)) isCalled = kindOf(token) === 'snapshot';
    return isCalled && NUMBER.test(token);
  });
}

/** Hosts of the service, in lower case and without ports. */
export type Hosts = readonly string[];

const USUAL_LENGTH = /^\d{7,9}$/;

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
  const { hostname, pathname, hash, href, searchParams } = link;
  const isOfService = hosts.includes(hostname);
  // Single-page apps have their path behind `#/`.
  const inPath = `${pathname}/${hash}`.split('/').filter((segment, at, all) => {
    const before = all[at - 1] ?? '';
    const length = isOfService || kindOf(before) === 'snapshot' ? NUMBER : USUAL_LENGTH;
    return length.test(segment) && kindOf(before) !== 'other';
  });
  const parameters = [...searchParams].flatMap(([name, value]) =>
    isOfService && kindOf(name) === 'snapshot' && NUMBER.test(value) ? value : [],
  );
  const ids = [...inPath, ...parameters].filter(isSnapshotId);
  if (ids.length > 0) return { ids };
  // Safe Links and Google wrap a link into a parameter, Proofpoint into the path.
  const [, ofProofpoint = ''] = href.split('/v3/__');
  const wrapped = [ofProofpoint.split('__;', 1).join(), ...searchParams.values()];
  const inner = wrapped.filter((each) => ADDRESS.test(each)).map((each) => readLink(each, hosts));
  return inner.find((each) => each.ids.length > 0 || each.issue) ?? { ids, issue: idOfLink(address) };
}

/** Words of a command that stand beside ids, and those that stand alone. Every other word is searched for. */
const BESIDE = 'hit miss critical high medium low cve exploited me all compare last watch unwatch'.split(' ');
const ALONE = ['help', 'status', 'devices'];
const PLURALS = { hits: 'hit', misses: 'miss', cves: 'cve' };
const COMMAND_WORDS: ReadonlyMap<string, string> = new Map([
  ...[...BESIDE, ...ALONE].map((word) => [word, word] as const),
  ...Object.entries(PLURALS),
]);

/** All other words with a meaning of their own. */
const KINDS = [
  // Behind one of these, also in a link, stands the id of a snapshot.
  ['snapshot', 'snapshot snapshots qkview qkviews qv id ids'],
  // Behind one of these stands the number of something else: `case: 00412345`, `ticket no INC0012345`, `SR#1-234567`.
  ['other', 'case cases ticket tickets order orders sr srs article articles'],
  ['label', 'number no nr'],
  // These words, and those that join two ids, mean nothing anywhere.
  ['courtesy', 'please pls plz thanks thank thx ta cheers hi hello hey cc fyi and or vs versus with to'],
  // What sentences are made of: a command does not search for these.
  [
    'sentence',
    'a an the i we us my our you your it its is are was were be been am this that these those what which why how who ' +
      'when where do does did has have had can could would should will may of on in at for from by about since until ' +
      'now again today yesterday tomorrow there here not any some only just still also asap let lets give check look ' +
      'see show tell diagnose analyse analyze run lookup up',
  ],
] as const;
type Kind = (typeof KINDS)[number][0] | 'command';

const KIND_OF: ReadonlyMap<string, Kind> = new Map([
  ...KINDS.flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)),
  ...[...COMMAND_WORDS.keys()].map((word) => [word, 'command'] as const),
]);

function kindOf(word: string): Kind | 'unknown' {
  return KIND_OF.get(word.toLowerCase()) ?? 'unknown';
}

/** A word as the command knows it, in lower case and singular; undefined if it is no word of the command. */
export function commandWord(word: string): string | undefined {
  return COMMAND_WORDS.get(word.toLowerCase());
}

/** Whether a command searches for a word. */
export function isSought(word: string): boolean {
  return kindOf(word) === 'unknown';
}

/** The word of a command that is one letter away from a word that was searched for and found nowhere. */
export function nearWord(word: string): string | undefined {
  const typed = word.toLowerCase();
  // In shorter words another letter makes another word.
  if (typed.length < 3 || commandWord(typed) !== undefined) return undefined;
  return BESIDE.find((known) => leven(typed, known) === 1);
}
