import { cvesIn, foldings, type IdInText, type IssueId, idsIn, KINDS } from './texts.ts';
import { lazily } from './time.ts';

/** With the indentation of the next line. */
const LINE_BREAKS = /\n[ \t]*/g;

/** How a text mentions an id: in one of its spellings, or only perhaps, by what stands there in its place. */
type Mention = 'named' | { readonly clue: string };

/** A text as it is searched: folded, also with its escapes of addresses decoded. Takes time linear in its length. */
export function searchedText(text: string) {
  const plain = foldings(text);
  const joined = text.includes('\n') ? foldings(text.replace(LINE_BREAKS, '')) : [];
  const idSets = lazily(() => [...plain, ...joined].flatMap(idSetsIn));
  /**
   * How the text mentions an id; perhaps where its number, or only the end of that, stands behind another id, where the end of
   * a line breaks it, or in a range or a pattern of ids. In a `field` that is for ids of this kind alone, its number is enough for that.
   */
  const mentionOf = (sought: IssueId, isField = false): Mention | undefined => {
    if (plain.some((each) => mentions(each, sought))) return 'named';
    const isMeant =
      joined.some((each) => mentions(each, sought)) ||
      plain.some((each) => mayMention(each, sought, isField));
    if (isMeant) return { clue: sought.number };
    const idSet = idSets().find(({ holds }) => holds(sought));
    return idSet && { clue: idSet.name };
  };
  return { plain, mentionOf };
}

function mentions(text: string, { kind, id, number }: IssueId): boolean {
  if (!text.includes(number)) return false;
  // In `disk10011` the letter is of another word.
  const isSure = (start: number) => kind === 'cve' || !LETTER.test(text.charAt(start - 1));
  return idsIn(text, kind).some((found) => found.id === id && isSure(found.start));
}

/** Where a text begins to speak of ids of a kind: after this, a bare number can mean one. */
const TOPIC: Record<IssueId['kind'], RegExp> = {
  cve: /cve/,
  article: /k[-_\s]?\d|kb(?![a-z])|sol|article/,
  diagnostic: /[dh][-_\s]?\d|diag/,
};
/** What a number is fused to that can mean one all the same: `cve202610018`, `kb000100012`, `seek000100012`. */
const FUSED: Record<IssueId['kind'], RegExp> = {
  cve: /cves?[-_:./\s]{0,3}(\d{4})$/,
  article: /(?<!\d)(?:kb?|sol)$/,
  diagnostic: /(?<!\d)[dh]$/,
};
/** A number before another one, as the year of a CVE. */
const JOINED_TO = /(\d{1,8})[-_:./]\s?$/;
const LONGEST_START = 12;
const DIGIT = /\d/;
const LETTER = /\p{L}/u;
const LETTER_OR_DIGIT_LAST = /[\p{L}\p{N}]$/u;

function mayMention(text: string, sought: IssueId, isField: boolean): boolean {
  const { kind, id, number } = sought;
  if (!text.includes(number)) return false;
  const others = new Set(idsIn(text, kind).flatMap((found) => (found.id === id ? [] : found.end)));
  const topic = isField ? 0 : text.search(TOPIC[kind]);
  for (let at = text.indexOf(number); at !== -1; at = text.indexOf(number, at + 1)) {
    const end = at + number.length;
    if (DIGIT.test(text.charAt(end)) || others.has(end)) continue;
    const start = text.slice(Math.max(at - LONGEST_START, 0), at);
    if (mayMean(start, sought, topic !== -1 && topic <= at)) return true;
  }
  return false;
}

/** Whether a number means this id, by what stands before it, and whether the text speaks of such ids there. */
function mayMean(start: string, { kind, year }: IssueId, isOfTopic: boolean): boolean {
  const fused = FUSED[kind].exec(start);
  if (fused && fused[1] === year) return true;
  if (LETTER_OR_DIGIT_LAST.test(start)) return false;
  const [, joinedTo] = JOINED_TO.exec(start) ?? [];
  return joinedTo === undefined ? isOfTopic : joinedTo === year;
}

/** Ids of which a text spells out the first one, or only how they begin; with what stands there, as it is shown. */
type IdSet = { readonly name: string; readonly holds: (id: IssueId) => boolean };

/** How a text goes on after an id to mean others: ` through cve-2026-10020`, `..10020`, `-20`; `/19`, `, 19 and 20`. */
const GAP =
  String.raw`([\s,;/&|+(]{0,3}(?:[-=]{0,2}[-~>→⇒⟶]|\.{2,3}|` +
  String.raw`(?:(?:up|to|through|thru|till|until|and|or|incl|including|all|the|way)[\s,]{0,2}){1,5})?[\s(]{0,3})`;
const NUMBER = String.raw`-?(\d{1,19})(?!\d|[-.:]\d)`;
const NEXT: Record<IssueId['kind'], RegExp> = {
  cve: new RegExp(String.raw`${GAP}(cves?[-_:./\s]{0,3})?(?:(\d{4})[-_:./\s]{1,3}(?=\d{4}))?${NUMBER}`, 'y'),
  article: new RegExp(`${GAP}(k|sol)?()${NUMBER}`, 'y'),
  // Without its letter it is a part of one name.
  diagnostic: new RegExp(`${GAP}([dh])()${NUMBER}`, 'y'),
};
/** What means all ids up to the next one; and what only the next one, unless `between` stands before the first. */
const TO = /^[\s(]*[-=~>→⇒⟶.]|to|through|thru|till|until/;
const ALSO = /[,;/&|+]|and|or/;
const AND = /^[\s,]*and/;
const BETWEEN = /between (?:the )?$/;
const LONGEST_BETWEEN = 12;
/** What stands between blanks is a number for itself, as in `cve-2026-10015 - 20 packages`. */
const APART = / -{1,3} /;
const LONGEST_NUMBER = 19;

/** How a text goes on after an id at a place: to all up to `number`, which may be an id of its own, or to that one. */
type Continuation = {
  readonly isTo: boolean;
  readonly number: string;
  readonly isOwn: boolean;
  readonly end: number;
};

function continuationFrom(first: IdInText, at: number, folded: string): Continuation | undefined {
  const { kind, year = '', number, start } = first;
  const next = NEXT[kind];
  next.lastIndex = at;
  const [whole, gap = '', prefix, itsYear = '', digits = ''] = next.exec(folded) ?? [];
  if (whole === undefined || (itsYear !== '' && itsYear !== year)) return undefined;
  const isOwn = prefix !== undefined || itsYear !== '';
  const isShort = !isOwn && digits.length < number.length;
  const isTo = meansAllTo(gap, folded.slice(Math.max(start - LONGEST_BETWEEN, 0), start));
  if (isTo ? isShort && APART.test(gap) : isOwn || !ALSO.test(gap)) return undefined;
  const meant = isShort ? number.slice(0, -digits.length) + digits : digits;
  if (isTo && padded(meant) < padded(number)) return undefined;
  return { isTo, number: meant, isOwn, end: next.lastIndex };
}

function meansAllTo(gap: string, before: string): boolean {
  return TO.test(gap) || (AND.test(gap) && BETWEEN.test(before));
}

/** Numbers of one length stand in the order of their texts. */
function padded(number: string): string {
  return number.padStart(LONGEST_NUMBER, '0');
}

function rangeName({ id, kind, year = '' }: IssueId, last: string): string {
  return `${id} to ${kind === 'cve' ? `CVE-${year}-` : id.charAt(0)}${last}`;
}

/** What a text means after an id beside what it spells out; `ends` are those of all its ids, each of which goes on by itself. */
function* rangesFrom(first: IdInText, folded: string, ends: ReadonlySet<number>): Generator<IdSet> {
  const { id, year = '', number } = first;
  let next = continuationFrom(first, first.end, folded);
  while (next !== undefined) {
    const { isTo, number: last, end } = next;
    const [least, most] = [padded(isTo ? number : last), padded(last)];
    yield {
      name: isTo ? rangeName(first, last) : `${id}${folded.slice(first.end, end)}`,
      holds: (sought) =>
        sought.id.charAt(0) === id.charAt(0) &&
        (sought.year ?? '') === year &&
        least <= padded(sought.number) &&
        padded(sought.number) <= most,
    };
    next = next.isOwn || ends.has(end) ? undefined : continuationFrom(first, end, folded);
  }
}

const ONE_EACH = /^[\dx?#]+$/;

/** The many ids that `cve-2026-1001[5-9]` stands for, at least. */
function* patternsIn(folded: string): Generator<IdSet> {
  for (const { id, year, number: begin, many } of cvesIn(folded)) {
    if (many === '') continue;
    const hasLength = (length: number) =>
      ONE_EACH.test(many) ? length === begin.length + many.length : length > begin.length;
    yield {
      name: id,
      holds: ({ number, ...of }) => of.year === year && number.startsWith(begin) && hasLength(number.length),
    };
  }
}

/** Ids that a folded text means without spelling them out. Takes time linear in its length. */
function idSetsIn(folded: string): IdSet[] {
  const ranges = KINDS.flatMap((kind) => {
    const ids = idsIn(folded, kind);
    const ends = new Set(ids.map(({ end }) => end));
    return ids.flatMap((first) => [...rangesFrom(first, folded, ends)]);
  });
  return [...ranges, ...patternsIn(folded)];
}

/** The CVE ids that a text mentions, each once, as `CVE-2026-10001`, or as `CVE-2026-10001 to CVE-2026-10004`, `CVE-2026-1000x`. */
export function cveIdsIn(text: string): string[] {
  return [...new Set(foldings(text).flatMap(cvesOrRangesIn))];
}

function cvesOrRangesIn(folded: string): string[] {
  let end = 0;
  return [...cvesIn(folded)].flatMap((id) => {
    // The last one of a range is in its name.
    if (id.start < end) return [];
    const next = id.many === '' ? continuationFrom(id, id.end, folded) : undefined;
    if (!next?.isTo) return id.id;
    end = next.end;
    return rangeName(id, next.number);
  });
}
