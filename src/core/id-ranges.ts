import { foldings, type IdInText, type IssueId, idsIn, type Kind } from './issue-ids.ts';

/** Many ids, of which a text names the first and the last, or how all begin; with its name as it is shown. */
export type IdRange = {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly holds: (id: IssueId) => boolean;
};

/** How a text goes on after an id to mean all up to another one: ` through cve-2026-10020`, `..10020`, `-20`. */
const TO = String.raw`([\s,(]{0,3}(?:-{1,3}|\.{2,3}|~|(?:up )?(?:to|through|thru|till|until|and))[\s(]{0,3})`;
const LAST = String.raw`-?(\d{1,19})(?!\d|[-./:]\d)`;
const UP_TO: Record<Kind, RegExp> = {
  cve: new RegExp(String.raw`${TO}(cves?[-_:./\s]{0,3})?(?:(\d{4})[-_:./\s]{1,3}(?=\d{4}))?${LAST}`, 'y'),
  article: new RegExp(`${TO}(k|sol)?()${LAST}`, 'y'),
  // Without its letter it is a part of one name.
  diagnostic: new RegExp(`${TO}([dh])()${LAST}`, 'y'),
};
const AND = /^[\s,]*and/;
const BETWEEN = /between (?:the )?$/;
const LONGEST_BETWEEN = 12;
/** What stands between blanks is a number for itself, as in `cve-2026-10015 - 20 packages`. */
const APART = / -+ /;
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
const UNFINISHED =
  /cves?[-_:./\s]{0,3}(\d{4})[-_:./\s]{1,3}(\d{1,18})(x{1,6}|\?{1,6}|\*{1,3}|[[{(]\d{1,19}[,;|-][\d,;|\s-]{0,40}[\]})])/g;
const ONE_EACH = /^[x?]/;

function* unfinishedIn(folded: string): Generator<IdRange> {
  for (const { 0: whole, 1: year = '', 2: begin = '', 3: rest = '', index } of folded.matchAll(UNFINISHED)) {
    const hasLength = (number: string) =>
      ONE_EACH.test(rest) ? number.length === begin.length + rest.length : number.length > begin.length;
    yield {
      name: `CVE-${year}-${begin}${rest}`,
      ...{ start: index, end: index + whole.length },
      holds: (sought) => sought.year === year && sought.number.startsWith(begin) && hasLength(sought.number),
    };
  }
}

const KINDS: readonly Kind[] = ['cve', 'article', 'diagnostic'];

/** The ranges of ids that a folded text names. Takes time linear in its length. */
export function rangesIn(folded: string): IdRange[] {
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
