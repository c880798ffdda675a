import { lazily } from './scheduling.ts';
import { foldings, type IdInText, type IssueId, idsIn } from './texts.ts';

/** With the indentation of the next line. */
const LINE_BREAKS = /\n[ \t]*/g;

/** How a text names an id: in one of its spellings, or only perhaps, by what stands there in its place. */
type Naming = 'named' | { readonly clue: string };

/** A text as it is searched: folded, also with its escapes of addresses decoded. Takes time linear in its length. */
export class Reading {
  readonly plain: readonly string[];
  /** With its lines joined. */
  readonly #joined: readonly string[];
  readonly #ranges = lazily(() => [...this.plain, ...this.#joined].flatMap(rangesIn));

  constructor(text: string) {
    this.plain = foldings(text);
    this.#joined = text.includes('\n') ? foldings(text.replace(LINE_BREAKS, '')) : [];
  }

  /**
   * How the text names an id; perhaps where its number stands behind another id, where the end of a line breaks it, or in
   * a range of ids. In a `field` that is for ids of this kind alone, its number is enough for that.
   */
  namingOf(sought: IssueId, isField = false): Naming | undefined {
    if (this.plain.some((text) => names(text, sought))) return 'named';
    const isMeant =
      this.#joined.some((text) => names(text, sought)) ||
      this.plain.some((text) => hints(text, sought, isField));
    if (isMeant) return { clue: sought.number };
    const range = this.#ranges().find(({ holds }) => holds(sought));
    return range && { clue: range.name };
  }
}

function names(text: string, { kind, id, number }: IssueId): boolean {
  return text.includes(number) && idsIn(text, kind).some((found) => found.id === id);
}

/** Where a text begins to speak of ids of a kind: after this, a bare number can mean one. */
const TOPIC: Record<IssueId['kind'], RegExp> = {
  cve: /cve/,
  article: /k[-_\s]?\d|kb(?![a-z])|sol|article/,
  diagnostic: /[dh][-_\s]?\d|diag/,
};
/** What a number is fused to that can mean one all the same: `cve202610018`, `kb000100012`. */
const FUSED: Partial<Record<IssueId['kind'], RegExp>> = {
  cve: /cves?[-_:./\s]{0,3}(\d{4})$/,
  article: /(?<!\d)kb$/,
};
/** A number before another one, as the year of a CVE. */
const JOINED_TO = /(\d{1,8})[-_:./]\s?$/;
const LONGEST_START = 12;
const DIGIT = /\d/;
const LETTER_OR_DIGIT_LAST = /[\p{L}\p{N}]$/u;

function hints(text: string, sought: IssueId, isField: boolean): boolean {
  const { kind, number } = sought;
  if (!text.includes(number)) return false;
  const others = new Set(idsIn(text, kind).map(({ end }) => end));
  const topic = isField ? 0 : text.search(TOPIC[kind]);
  for (let at = text.indexOf(number); at !== -1; at = text.indexOf(number, at + 1)) {
    const end = at + number.length;
    if (DIGIT.test(text.charAt(end)) || others.has(end)) continue;
    const start = text.slice(Math.max(at - LONGEST_START, 0), at);
    if (isHinted(start, sought, topic !== -1 && topic <= at)) return true;
  }
  return false;
}

/** Whether a number means this id, by what stands before it, and whether the text speaks of such ids there. */
function isHinted(start: string, { kind, year }: IssueId, isOfTopic: boolean): boolean {
  const fused = FUSED[kind]?.exec(start);
  if (fused && fused[1] === year) return true;
  if (LETTER_OR_DIGIT_LAST.test(start)) return false;
  const [, joinedTo] = JOINED_TO.exec(start) ?? [];
  return joinedTo === undefined ? isOfTopic : joinedTo === year;
}

/** Many ids, of which a text names the first and the last, or how all begin; with its name as it is shown. */
type IdRange = {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly holds: (id: IssueId) => boolean;
};

/** How a text goes on after an id to mean all up to another one: ` through cve-2026-10020`, `..10020`, `-20`. */
const TO = String.raw`([\s,(]{0,3}(?:-{1,3}|\.{2,3}|~|(?:up )?(?:to|through|thru|till|until|and))[\s(]{0,3})`;
const LAST = String.raw`-?(\d{1,19})(?!\d|[-./:]\d)`;
const UP_TO: Record<IssueId['kind'], RegExp> = {
  cve: new RegExp(String.raw`${TO}(cves?[-_:./\s]{0,3})?(?:(\d{4})[-_:./\s]{1,3}(?=\d{4}))?${LAST}`, 'y'),
  article: new RegExp(`${TO}(k|sol)?()${LAST}`, 'y'),
  // Without its letter it is a part of one name.
  diagnostic: new RegExp(`${TO}([dh])()${LAST}`, 'y'),
};
const AND = /^[\s,]*and/;
const BETWEEN = /between (?:the )?$/;
const LONGEST_BETWEEN = 12;
/** What stands between blanks is a number for itself, as in `cve-2026-10015 - 20 packages`. */
const APART = / -{1,3} /;
const LONGEST_NUMBER = 19;

function rangeFrom({ kind, id, year = '', number, start, end }: IdInText, folded: string): IdRange[] {
  const upTo = UP_TO[kind];
  upTo.lastIndex = end;
  const [whole, gap = '', prefix, lastYear, digits = ''] = upTo.exec(folded) ?? [];
  if (whole === undefined || (lastYear && lastYear !== year)) return [];
  const isBetween = BETWEEN.test(folded.slice(Math.max(start - LONGEST_BETWEEN, 0), start));
  const isShort = prefix === undefined && !lastYear && digits.length < number.length;
  if ((AND.test(gap) && !isBetween) || (isShort && APART.test(gap))) return [];
  const last = isShort ? number.slice(0, -digits.length) + digits : digits;
  const isIn = (other: string) => sized(number) <= sized(other) && sized(other) <= sized(last);
  if (!isIn(last)) return [];
  const name = `${id} to ${kind === 'cve' ? `CVE-${year}-` : id.charAt(0)}${last}`;
  const holds = (sought: IssueId) =>
    sought.id.charAt(0) === id.charAt(0) && (sought.year ?? '') === year && isIn(sought.number);
  return [{ name, start, end: end + whole.length, holds }];
}

/** Numbers of one length stand in the order of their texts. */
function sized(number: string): string {
  return number.padStart(LONGEST_NUMBER, '0');
}

/** `cve-2026-100xx`, `cve-2026-1001?`, `cve-2026-10*` and `cve-2026-1001[5-9]`. */
const UNFINISHED = /cves?[-_:./\s]{0,3}(\d{4})[-_:./\s]{1,3}(\d{1,18})([x?*[{(])\3{0,5}/g;
const LONGEST_RUN = 6;
const IN_BRACKETS = /^\d{1,19}[,;|-][\d,;|\s-]{0,40}[\]})]/;
const LONGEST_IN_BRACKETS = 62;
const ONE_EACH = /^[x?]/;
const BRACKET = /[[{(]/;

function* unfinishedIn(folded: string): Generator<IdRange> {
  for (const { 0: head, 1: year = '', 2: begin = '', 3: sign = '', index } of folded.matchAll(UNFINISHED)) {
    const after = index + head.length;
    const [inBrackets] = IN_BRACKETS.exec(folded.slice(after, after + LONGEST_IN_BRACKETS)) ?? [];
    if (BRACKET.test(sign) !== (inBrackets !== undefined)) continue;
    const run = head.slice(head.indexOf(sign, head.length - LONGEST_RUN));
    const rest = `${run}${inBrackets ?? ''}`;
    const hasLength = (number: string) =>
      ONE_EACH.test(rest) ? number.length === begin.length + rest.length : number.length > begin.length;
    yield {
      name: `CVE-${year}-${begin}${rest}`,
      ...{ start: index, end: after + (inBrackets ?? '').length },
      holds: (sought) => sought.year === year && sought.number.startsWith(begin) && hasLength(sought.number),
    };
  }
}

const KINDS: readonly IssueId['kind'][] = ['cve', 'article', 'diagnostic'];

/** The ranges of ids that a folded text names. Takes time linear in its length. */
function rangesIn(folded: string): IdRange[] {
  return [
    ...KINDS.flatMap((kind) => idsIn(folded, kind).flatMap((first) => rangeFrom(first, folded))),
    ...unfinishedIn(folded),
  ];
}

/** The CVE ids that a text names, each once, as `CVE-2026-10001`, or a range as `CVE-2026-10001 to CVE-2026-10004`. */
export function cveIdsIn(text: string): string[] {
  return [...new Set(foldings(text).flatMap(cvesOrRangesIn))];
}

function cvesOrRangesIn(folded: string): string[] {
  const unfinished = new Map([...unfinishedIn(folded)].map((range) => [range.start, range]));
  let end = 0;
  return idsIn(folded, 'cve').flatMap((id) => {
    // The last one of a range is in its name.
    if (id.start < end) return [];
    const range = unfinished.get(id.start) ?? rangeFrom(id, folded)[0];
    end = range?.end ?? end;
    return range?.name ?? id.id;
  });
}
