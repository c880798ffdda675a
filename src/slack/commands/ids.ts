import { isSnapshotId, type SnapshotId } from '../../core/diagnostics.ts';
import { composed, cutBefore, idOfLink, isIssueId, withWholeIds } from '../../core/texts.ts';
import { isSilent, meaningOf } from './words.ts';

/**
 * The one rule for every way to ask: which snapshots a text names.
 *
 * | where the number stands | which numbers are ids |
 * | --- | --- |
 * | (a) the path of a link, also of one inside another link | of 7 to 9 digits; of 4 to 20 on a host of the service or behind `qv`, `snapshot(s)`, `qkview(s)` |
 * | (a) the query of a link to the service | of 4 to 20 digits in `id=`, `snapshot=`, `qkview=` |
 * | (b) elsewhere, also in the name of a file and beside letters of other scripts | of 7 to 9 digits |
 * | (c) where there is none of these | of 4 to 20 digits: all of the text, or behind the word snapshot, qkview or id |
 * | behind case, ticket, order, SR; with a `+` before it | none |
 */
export type Reading = {
  /** Each once, in their order. */
  readonly ids: readonly SnapshotId[];
  /** CVEs, articles and diagnostics, as they are written. */
  readonly issues: readonly string[];
  /** Quoted words. */
  readonly phrases: readonly string[];
  /** All other words, without emoji, people, channels, dates, bullets and courtesies. */
  readonly words: readonly string[];
  /** Whether it holds a link that names neither a snapshot nor an issue. */
  readonly hasOtherLink: boolean;
};

/** Hosts of the service, in lower case and without ports. */
export type Hosts = readonly string[];

/** What nobody sees: direction marks, joiners, controls; and the private characters that mark ids here. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Co}]|(?!\s)\p{Cc}/gu;
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;
const DIGIT = /\p{Nd}/u;
const SEPARATORS = /[\s,;:=#|]+/;
const SPACES = /\s+/g;

const LINK = /<(https?:[^<>|]+)(?:\|([^<>]*))?>|(https?:\/\/(?:(?![,;]https?:|[<>|"])[!-~])+)/gi;
const TELEPHONE = /<tel:([^<>|]*)(?:\|[^<>]*)?>/gi;
const MARKUP = /<(?:[@#!]|mailto:)[^<>]*>/gi;
const PEOPLE = /(?<!\S)(?:@[\p{L}\d._-]+|#\p{L}[\p{L}\d_-]*)/gu;
const EMOJI = /:(?!\d+:)[\w+'-]{1,100}:/g;
const DATES = [
  /(?<!\d)\d{4}-\d\d-\d\d(?!\d)/g,
  /(?<!\d)\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d(?!\d)/g,
  /(?<!\d)\d{1,2}:\d\d(?!\d)/g,
];
const PHONE_NUMBER = /\+\d[\d ().-]*/g;
/** Numbers behind these are of something else: `case: 00412345`, `ticket INC0012345`, `SR#1-234567`. */
const OTHERS = /^(?:case|ticket|order|sr)s?$/i;
const LABELS = /^(?:number|no|nr|id)$/i;
const PHRASE = /["“”„‟«»]([^"“”„‟«»<>]*)["“”„‟«»]/g;
const HOLDS_AN_ID = /\d{7}|^\s*\d{4,20}\s*$|\uE000/;
const BETWEEN_SPACES = /[^\s,;]+/g;

/** An id of a link, which is marked, or a number of the usual length: seven digits in 2014, eight today. */
const USUAL = /\uE000(\d{4,20})\uE000|(?<![\p{Script=Latin}\d])(\d{7,9})(?![\p{Script=Latin}\d])/gu;
/** What names of files write before an id, without a space. */
const GLUED = /(?<![a-z\d])(snapshot|qkview|qv|id)(?=\d)/gi;
/** A day as names of files have it. */
const DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const POSSIBLE = /(?<![\p{L}\d])\d{4,20}(?![\p{L}\d])/gu;
/** What a number is called that is an id, whatever its length. */
const CALLED = /^(?:snapshot|qkview|id)s?$/i;
const LETTER = /\p{L}/u;
const REMARK = /\([^()]{0,100}\)/g;
/** Two characters with a letter, a long number, or a version; bullets are none. */
const WORD = /\p{L}.|.\p{L}|^\d{4,}$|^\d+(?:\.\d+)+$/u;

/** The most characters of a text that are read: a message of Slack's longest, with its blocks and what it forwards. */
const LONGEST_TEXT = 12_000;

/**
 * Reads what somebody typed or wrote, of a long text the beginning. `isCommand`: it stands behind the command's own name,
 * which is the word snapshot. Takes time linear in the text.
 */
export function readText(text: string, hosts: Hosts, isCommand = false): Reading {
  const links = withoutLinks(plain(text), hosts);
  const issues = [...links.issues];
  const phrases: string[] = [];
  const rest = unescaped(
    [MARKUP, EMOJI, PEOPLE, ...DATES, PHONE_NUMBER].reduce(
      (left, part) => left.replace(part, ' '),
      links.rest.replace(TELEPHONE, ' $1 '),
    ),
  )
    .replace(GLUED, '$1 ')
    .replace(PHRASE, (_, phrase: string) => {
      if (HOLDS_AN_ID.test(phrase)) return ` ${phrase} `;
      if (phrase.trim() !== '') phrases.push(phrase.trim());
      return ' ';
    })
    .replace(BETWEEN_SPACES, (part) => {
      const bare = bareWord(part);
      if (!isIssueId(bare)) return part;
      issues.push(bare);
      return ' ';
    });
  const own = withoutOthers(rest);
  const { ids, left } = usualIn(own) ?? possibleIn(own, isCommand);
  const words = wordsIn(left);
  return { ids: [...new Set(ids)].filter(isSnapshotId), issues, phrases, words, hasOtherLink: links.isOther };
}

/** Everything that a person could have typed with the same meaning, in one form. */
function plain(text: string): string {
  // One sign can stand for eighteen letters, so the text is cut once more after it is composed.
  const read = beginningOf(composed(beginningOf(text)));
  return withWholeIds(read.replace(INVISIBLE, '').replace(FOREIGN_DIGIT, usualDigit)).replace(SPACES, ' ');
}

/** No id is cut in two. */
function beginningOf(text: string): string {
  return text.length > LONGEST_TEXT ? text.slice(0, cutBefore(text, LONGEST_TEXT)) : text;
}

/** The digits of a script follow each other from zero to nine. */
function usualDigit(digit: string): string {
  let value = 0;
  const code = digit.codePointAt(0) ?? 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/** The parts of a text without the numbers of cases, tickets and orders. */
function withoutOthers(text: string): string {
  let isOther = false;
  const parts = text.split(SEPARATORS).filter((part) => {
    const word = bareWord(part);
    const wasOther = isOther;
    isOther = OTHERS.test(word) || (wasOther && LABELS.test(word));
    return !isOther && !(wasOther && DIGIT.test(part));
  });
  return parts.join(' ');
}

/** Slack escapes these three in what people type. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** The text with marked ids in place of links. The label of a link that names nothing may hold an id. */
function withoutLinks(text: string, hosts: Hosts) {
  const issues: string[] = [];
  let isOther = false;
  const rest = text.replace(LINK, (_, wrapped?: string, label = '', bare = '') => {
    const address = unescaped(wrapped ?? /^.*[\w/=&%#~-]/.exec(bare)?.[0] ?? '');
    const { ids, issue } = readLink(address, hosts);
    if (ids.length > 0) return ids.map((id) => ` \uE000${id}\uE000 `).join(' ');
    if (issue !== undefined) issues.push(issue);
    // Slack makes a link of a typed `edge-7.example.com`, too.
    const isNamed = label.search(USUAL) !== -1 || address === `http://${label}`;
    isOther ||= issue === undefined && !isNamed;
    return isNamed ? ` ${label} ` : ' ';
  });
  return { rest, issues, isOther };
}

const NAMES_A_SNAPSHOT = /^(?:qv|snapshots?|qkviews?)$/i;
const QUERY = /^(?:id|snapshot|qkview)$/i;
const LIKELY = /^\d{7,9}$/;
const PERHAPS = /^\d{4,20}$/;
/** How often a link may be wrapped into another one. */
const MOST_WRAPPED = 3;

/** The snapshots that a link leads to, or else the CVE or the article. */
export function readLink(
  address: string,
  hosts: Hosts,
  depth = 0,
): { readonly ids: readonly SnapshotId[]; readonly issue?: string | undefined } {
  const link = URL.parse(address);
  if (link === null) return { ids: [] };
  const inner = depth < MOST_WRAPPED ? wrappedIn(link) : [];
  if (inner.length > 0) {
    const found = inner.map((each) => readLink(each, hosts, depth + 1));
    return { ids: found.flatMap(({ ids }) => ids), issue: found.find(({ issue }) => issue)?.issue };
  }
  const isOfService = hosts.includes(link.hostname);
  const issue = isOfService ? undefined : idOfLink(address);
  if (issue !== undefined) return { ids: [], issue };
  const segments = `${link.pathname}${link.hash.startsWith('#/') ? link.hash.slice(1) : ''}`.split('/');
  const inPath = segments.filter((segment, at) => {
    const before = segments[at - 1] ?? '';
    if (OTHERS.test(before)) return false;
    return (isOfService || NAMES_A_SNAPSHOT.test(before) ? PERHAPS : LIKELY).test(segment);
  });
  const inQuery = [...link.searchParams].flatMap(([name, value]) =>
    isOfService && QUERY.test(name) && PERHAPS.test(value) ? value : [],
  );
  return { ids: [...inPath, ...inQuery].filter(isSnapshotId) };
}

const ADDRESS = /^https?:\/\//i;
const PROOFPOINT_2 = /^https?-3A/i;

/** The links that a gateway or a search engine has wrapped: in Proofpoint's ways, or as a parameter. */
function wrappedIn(link: URL): string[] {
  const [, third] = link.href.split('/v3/__');
  if (third !== undefined) return third.split('__;').slice(0, 1);
  return [...link.searchParams.values()].flatMap((value) => {
    if (PROOFPOINT_2.test(value))
      return value
        .replaceAll('_', '/')
        .replace(/-([\dA-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    return ADDRESS.test(value) ? value : [];
  });
}

type Found = { readonly ids: readonly string[]; readonly left: string };

/** (a) and (b). A number that reads as a day is an id only where there is no other one. */
function usualIn(text: string): Found | undefined {
  const found = [...text.matchAll(USUAL)].map(([, linked, number = '']) => linked ?? number);
  if (found.length === 0) return undefined;
  const ids = found.filter((id) => !DAY.test(id));
  // With the name of a file that holds an id, its other parts go.
  const left = text.split(' ').filter((part) => part.search(USUAL) === -1);
  return { ids: ids.length > 0 ? ids : found, left: left.join(' ') };
}

/** (c). Words of the command and courtesies do not keep a number from being all of the text. */
function possibleIn(text: string, isCommand: boolean): Found {
  const kept = text.split(' ').filter((part) => {
    const word = bareWord(part);
    return meaningOf(word) === undefined && !isSilent(word);
  });
  const alone = kept.join(' ');
  if (wordsIn(alone.replace(POSSIBLE, ' ')).length === 0)
    return { ids: alone.match(POSSIBLE) ?? [], left: text.replace(POSSIBLE, ' ') };
  const ids: string[] = [];
  let isCalled = isCommand;
  for (const part of kept) {
    if (LETTER.test(part)) isCalled = CALLED.test(bareWord(part));
    else if (isCalled) ids.push(...(part.match(POSSIBLE) ?? []));
  }
  return { ids, left: text.replace(POSSIBLE, (number) => (ids.includes(number) ? ' ' : number)) };
}

/** A part of a text without the signs around it. */
function bareWord(part: string): string {
  return /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/u.exec(part)?.[0] ?? '';
}

/** What is left are words; remarks in brackets are none. */
function wordsIn(text: string): string[] {
  return text
    .replace(REMARK, ' ')
    .split(' ')
    .map((part) => bareWord(part))
    .filter((part) => WORD.test(part) && !isSilent(part));
}

const TEXT_KEYS = new Set(['text', 'fallback', 'pretext', 'title', 'value', 'url', 'title_link']);

/**
 * Every text of a message as one: its own, its blocks, its attachments, the names of its files. Of a forwarded message its
 * words; Slack's previews of links are left out.
 */
export function textOfMessage(message: unknown): string {
  return [...textsIn(message, '')].join('\n');
}

function* textsIn(value: unknown, key: string): Generator<string> {
  if (typeof value === 'string') {
    if (TEXT_KEYS.has(key) || (key === 'name in files' && value !== '')) yield value;
  } else if (Array.isArray(value)) {
    for (const each of value) yield* textsIn(each, key);
  } else if (typeof value === 'object' && value !== null) yield* textsOfObject(value, key);
}

function* textsOfObject(value: object, key: string): Generator<string> {
  const fields: Readonly<Record<string, unknown>> = { ...value };
  if (key === 'files') {
    yield* textsIn(fields.name, 'name in files');
    yield* textsIn(fields.title, 'title');
  } else if (key === 'attachments' && fields.is_share === true) {
    yield* textsIn(fields.text === '' ? fields.fallback : (fields.text ?? fields.fallback), 'text');
    yield* textsIn(fields.files, 'files');
  } else if (key !== 'attachments' || fields.from_url === undefined) {
    for (const [name, inner] of Object.entries(fields)) yield* textsIn(inner, name);
  }
}
