import leven from 'leven';
import { isSnapshotId, type SnapshotId } from '../../core/diagnostics.ts';
import { composed, idOfLink, isIssueId, withWholeIds } from '../../core/texts.ts';

/** What the bot understands in a text. */
export type Reading = {
  /** The snapshot ids, each once: those in links first, then the others in their order. */
  readonly ids: readonly SnapshotId[];
  /** The search terms: CVEs, articles and diagnostics, as they are written, and quoted words. */
  readonly terms: readonly string[];
  /** The other words, without emoji, people, channels, dates, bullets and polite phrases. */
  readonly words: readonly string[];
  /** Whether the text contains a link without the id of a snapshot, CVE or article. */
  readonly hasOtherLink: boolean;
};

/** How many characters of a text are read; enough for Slack's longest message with its blocks and forwarded texts. */
export const LONGEST_TEXT = 12_000;

/** Matches a text of plain words and numbers, for which the slower steps are skipped. */
const SIMPLE = /^[\w ,;./-]*$/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|(?!\s)\p{Cc}/gu;
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;
const DIGIT = /\p{Nd}/u;

/** Matches `<https://…|label>`, `<@U…|name>` and `<tel:…|number>` as Slack writes them, or a typed URL. */
const MARKED = /<([^<>|]+)(?:\|([^<>]*))?>|(https?:\/\/(?:(?![,;]https?:|[<>|"])[!-~])+)/gi;
const PERSON_OR_CHANNEL = /^[@#!]/;
const ADDRESS = /^https?:/i;

/** Matches what is ignored: emoji, people, channels, telephone numbers, and remarks such as `(active)`. */
const PASSED_OVER =
  /:[a-z][\w+'-]{0,100}:|(?<!\S)[@#]\p{L}\S*|\+\d[\d ().-]*|\((?![^()]{0,100}\d{4})[^()]{0,100}\)/gu;
const PHRASE = /["“”„‟«»]([^"“”„‟«»]*)["“”„‟«»]/g;
/** Matches a word or a number, without the punctuation around it. */
const TOKEN = /[\p{L}\p{N}](?:[^\s,;:=#|]*[\p{L}\p{N}])?/gu;
const HOLDS_AN_ID = /\d{7}|^\s*\d+\s*$/;

/** Matches an id of 7 to 9 digits, even in a file name or beside letters of other scripts, but no date (20261120). */
const USUAL_ID = /(?<![\p{Script=Latin}\d])(?!20\d\d[01]\d[0-3]\d(?!\d))\d{7,9}(?![\p{Script=Latin}\d])/gu;
const NUMBER = /^\d{4,20}$/;
const LETTER = /\p{L}/u;
/** Matches a word: two characters with a letter, a long number, or a version. Bullets and dates are no words. */
const WORD = /\p{L}.|.\p{L}|^(?!20\d{6}$|\d\d?\.\d\d?\.20\d\d$)\d[\d.]{3,}$/u;

/**
 * Reads the beginning of a text that a person typed. Its ids are
 * (a) the ids in its links, see `readLink`;
 * (b) numbers of 7 to 9 digits, except after “case”, “ticket”, “order”, “SR” or “bug”, or after a `+`;
 * (c) without any of these, numbers of 4 to 20 digits that are the whole text, or follow “snapshot”, “qkview” or “id”.
 * Takes linear time.
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
 * Replaces unusual spellings: ligatures, invisible characters, digits of other scripts. Undoes Slack's escapes of `<`,
 * `>` and `&`.
 */
function usual(text: string): string {
  // Cut again: NFKC can make 18 characters of one.
  const seen = composed(text).slice(0, LONGEST_TEXT).replace(INVISIBLE, '');
  const read = seen.replace(FOREIGN_DIGIT, usualDigit).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  return read.replaceAll('&amp;', '&');
}

/** The ASCII digit for a digit of any script: in each script the digits zero to nine have successive code points. */
function usualDigit(digit: string): string {
  let value = 0;
  const code = digit.codePointAt(0) ?? 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/** Separates the quoted phrases and the snapshots in links from `rest`, the other text. */
function takenApart(text: string, hosts: Hosts) {
  const linked: SnapshotId[] = [];
  const phrases: string[] = [];
  let hasOtherLink = false;
  // A link to a CVE or an article is replaced by its id, any other link by its label, which can contain a snapshot id.
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

/** The words and numbers of a text, without numbers of cases or tickets. `issues`: the ids of CVEs and articles. */
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

/** The numbers that rule (c) of `readText` accepts as ids. Command words and polite phrases are ignored. */
function numbersIn(tokens: readonly string[]): string[] {
  const said = tokens.filter((token) => !['command', 'courtesy'].includes(kindOf(token)));
  let isCalled = said.every((token) => NUMBER.test(token) || !WORD.test(token));
  return said.filter((token) => {
    if (LETTER.test(token)) isCalled = kindOf(token) === 'snapshot';
    return isCalled && NUMBER.test(token);
  });
}

/** The service's hosts, in lower case and without ports. */
export type Hosts = readonly string[];

const USUAL_LENGTH = /^\d{7,9}$/;

/**
 * Reads a link, even one that a mail gateway or a search engine wrapped into another: its snapshot ids, else its CVE or
 * article. Ids are path segments of 7 to 9 digits. If the host is the service's, or the segment before says “snapshot”,
 * 4 to 20 digits are enough. Parameters count only on hosts of the service.
 */
export function readLink(
  address: string,
  hosts: Hosts,
): { readonly ids: readonly SnapshotId[]; readonly issue?: string | undefined } {
  const link = URL.parse(address);
  if (link === null) return { ids: [] };
  const { hostname, pathname, hash, href, searchParams } = link;
  const isOfService = hosts.includes(hostname);
  // Single-page applications have their path after `#/`.
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
  // Safe Links and Google put the original link into a parameter, Proofpoint into the path.
  const [, ofProofpoint = ''] = href.split('/v3/__');
  const wrapped = [ofProofpoint.split('__;', 1).join(), ...searchParams.values()];
  const inner = wrapped.filter((each) => ADDRESS.test(each)).map((each) => readLink(each, hosts));
  return inner.find((each) => each.ids.length > 0 || each.issue) ?? { ids, issue: idOfLink(address) };
}

/** The command words for use beside an id, and (`ALONE`) those for use without an id. */
const BESIDE = 'hit miss critical high medium low cve exploited me all compare last watch unwatch'.split(' ');
const ALONE = ['help', 'status', 'devices'];
const PLURALS = { hits: 'hit', misses: 'miss', cves: 'cve' };
const COMMAND_WORDS: ReadonlyMap<string, string> = new Map([
  ...[...BESIDE, ...ALONE].map((word) => [word, word] as const),
  ...Object.entries(PLURALS),
]);

/** Further words that the bot understands, by kind. */
const KINDS = [
  // A number after one of these words is a snapshot id, even in a link.
  ['snapshot', 'snapshot snapshots qkview qkviews qv id ids'],
  // A number after one of these words is something else: `case: 00412345`, `ticket no INC0012345`, `SR#1-234567`.
  ['other', 'case cases ticket tickets order orders sr srs article articles bug bugs'],
  ['label', 'number no nr'],
  // Polite phrases, and words that join two ids; both are ignored.
  ['courtesy', 'please pls plz thanks thank thx ta cheers hi hello hey cc fyi and or vs versus with to'],
  // Words of sentences, which a command does not search for.
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

/** The command word for a typed word, in lower case and singular; undefined for any other word. */
export function commandWord(word: string): string | undefined {
  return COMMAND_WORDS.get(word.toLowerCase());
}

/** Whether a command searches for this word. */
export function isSought(word: string): boolean {
  return kindOf(word) === 'unknown';
}

/** The command word that differs by one letter from a word that a search did not find. */
export function nearWord(word: string): string | undefined {
  const typed = word.toLowerCase();
  // In a word of one or two letters, another letter usually makes a different word.
  if (typed.length < 3 || commandWord(typed) !== undefined) return undefined;
  return BESIDE.find((known) => leven(typed, known) === 1);
}
