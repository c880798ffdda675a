const ASCII = /^\p{ASCII}*$/u;
/** More marks on one letter than any writing has (UAX #15, 13): to bring them into order takes time quadratic in their number. */
const MOST_MARKS = 30;
const MARKS = /\p{M}+/gu;

/** What a person typed, each sign as the usual letters that it stands for. Takes time linear in the length. */
export function composed(typed: string): string {
  return (ASCII.test(typed) ? typed : typed.replace(MARKS, fewMarks)).normalize('NFKC');
}

function fewMarks(marks: string): string {
  return [...marks].slice(0, MOST_MARKS).join('');
}

/** A text without marks that stand alone, each letter apart from its accents. Takes time linear in the length. */
function decomposed(text: string): string {
  return ASCII.test(text) ? text : text.replace(MARKS, '').normalize('NFKD');
}

/** Accents, and what nobody sees: soft hyphens, joiners, marks of direction. */
const UNSEEN = /[\p{M}\p{Cf}]+/gu;
const DASHES = /[\p{Pd}\u2212]/gu;
const SPACES = /\s+/g;

/**
 * A text as it is compared with what a person typed: without case and accents, every dash a hyphen, every run of
 * white space one space. Takes time linear in the length.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(SPACES, ' ');
  const plain = decomposed(text).replace(UNSEEN, '').replace(DASHES, '-');
  // Upper case first: it makes one of the letters that have two lower-case forms, and two of ß.
  return plain.toUpperCase().toLowerCase().replaceAll('ς', 'σ').replace(SPACES, ' ');
}

/** A text without this has single spaces only, as most have. */
const UNEVEN = /[^\S ]| {2}/;

/** The text on one line: every run of white space is one space, and none is at the ends. */
export function oneLine(text: string): string {
  return (UNEVEN.test(text) ? text.replace(SPACES, ' ') : text).trim();
}

/**
 * The ids of CVEs, articles and diagnostics, in every spelling that titles, texts, evidence, links and people use, on
 * folded text. A CVE may be fused to words; the one letter of an article or a diagnostic stands alone.
 */
const CVE = /cves?(?:[-_\s]ids?)?[-_:./\s]{0,3}(\d{4})[-_:./\s]{1,3}(\d{4,19})(?!\d)/g;
/** What goes on after a CVE id, as in `cve-2026-10018/10019`, `cve-2026-10006, -10007` or `cve-2026-10006, 2025-10007`. */
const ANOTHER_CVE = /[ ,;&|]{0,3}(?:(?:and|or) )?(?:\/ ?-?|-|(\d{4})-)(\d{4,19})(?!\d)/y;
/** `k000100012`, its old name `sol15483.html`, and `/article/000100020`. */
const ARTICLE =
  /(?:(?<![\p{L}\p{N}])(?:k|sol)[-_\s]?|articles?[-_:=/\s]{0,2}k?)(\d{4,19})(?!\d)(?:\.html?)?/gu;
/** `d000162521` and `h770025-1`, which is also named where it stands without its last part. */
const DIAGNOSTIC = /(?<![\p{L}\p{N}])([dh])[-_\s]?(\d{4,19})(?!\d)(?:-(\d{1,9})(?!\d))?/gu;

const KINDS = ['cve', 'article', 'diagnostic'] as const;
type Kind = (typeof KINDS)[number];

/** One id: as it is shown, its kind, and its number. */
export type IssueId = { readonly id: string; readonly kind: Kind; readonly number: string };

/** An id where it stands in a text. */
type IdInText = IssueId & { readonly start: number; readonly end: number };

function* cvesIn(folded: string): Generator<IdInText> {
  for (const head of folded.matchAll(CVE)) {
    let [, year = '', number = ''] = head;
    let [start, end] = [head.index, head.index + head[0].length];
    for (;;) {
      // A number has four digits at least, and no other zero before it.
      number = number.replace(/^0+(?=\d{4})/, '');
      yield { id: `CVE-${year}-${number}`, kind: 'cve', number, start, end };
      ANOTHER_CVE.lastIndex = end;
      const next = ANOTHER_CVE.exec(folded);
      if (next === null) break;
      [, year = year, number = ''] = next;
      [start, end] = [end, ANOTHER_CVE.lastIndex];
    }
  }
}

function* articlesIn(folded: string): Generator<IdInText> {
  for (const { 0: whole, 1: number = '', index } of folded.matchAll(ARTICLE)) {
    yield { id: `K${number}`, kind: 'article', number, start: index, end: index + whole.length };
  }
}

function* diagnosticsIn(folded: string): Generator<IdInText> {
  for (const { 0: whole, 1: letter = '', 2: number = '', 3: part, index } of folded.matchAll(DIAGNOSTIC)) {
    const id = (letter + number).toUpperCase();
    const found = { kind: 'diagnostic', number, start: index } as const;
    const end = index + whole.length;
    if (part !== undefined) yield { ...found, id: `${id}-${part}`, end };
    yield { ...found, id, end: part === undefined ? end : end - part.length - 1 };
  }
}

const FINDERS = { cve: cvesIn, article: articlesIn, diagnostic: diagnosticsIn };

/** The ids of a kind that a folded text names, each where it stands. */
export function idsIn(folded: string, kind: Kind): IdInText[] {
  return [...FINDERS[kind](folded)];
}

const ESCAPES = /(?:%[\da-f]{2})+/gi;
/** How often an address may have been escaped. */
const ESCAPED_AT_MOST = 2;

/** A text as it is searched: folded, also with its escapes of addresses decoded. */
export function foldings(text: string): string[] {
  const found = [fold(text)];
  let escaped = text;
  for (let times = 0; times < ESCAPED_AT_MOST && escaped.includes('%'); times += 1) {
    const decoded = escaped.replace(ESCAPES, unescaped);
    if (decoded === escaped) break;
    found.push(fold(decoded));
    escaped = decoded;
  }
  return found;
}

function unescaped(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

/** The id of the article that an address leads to, as `K000100012`; the last of several. */
export function articleIn(address: string): string | undefined {
  return foldings(address)
    .flatMap((folded) => [...articlesIn(folded)])
    .at(-1)?.id;
}

/** What may stand between the ids of a list. */
const SEPARATORS = /^[\s,;/&|]*$/;

/** The ids that a search term consists of, each as it is shown; none for a word, even for one that holds an id. */
export function idsOfTerm(term: string): IssueId[] {
  const text = fold(idOfLink(term) ?? withWholeIds(term)).trim();
  for (const kind of KINDS) {
    const found = new Map<number, IdInText>();
    for (const each of idsIn(text, kind)) if (!found.has(each.start)) found.set(each.start, each);
    const ids = [...found.values()];
    const rest = ids.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
    if (ids.length > 0 && SEPARATORS.test(rest)) return ids;
  }
  return [];
}

/** The CVE that a link leads to, wherever its address has the id, or the article, by its path. */
export function idOfLink(text: string): string | undefined {
  const address = URL.parse(text);
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:') return undefined;
  const cve = foldings(text)
    .flatMap((folded) => idsIn(folded, 'cve'))
    .at(-1);
  return cve?.id ?? articleIn(address.pathname);
}

/** Whether a term is the id of a CVE, an article or a diagnostic, or a list of such. */
export function isIssueId(term: string): boolean {
  return idsOfTerm(term).length > 0;
}

/** A CVE id as people type it: in several words, or without anything between its parts. */
const TYPED_APART = /\bcves?(?:[\s:_-]{1,3}((?:19|20)\d\d)[\s_-]{1,3}|((?:19|20)\d\d))(\d{4,19})(?!\d)/gi;
const TYPED_KB = /\bkb-?(?=\d{4,19}\b)/gi;

/** What a person typed, with each id written out and in one word. */
export function withWholeIds(typed: string): string {
  return typed.replace(TYPED_APART, 'CVE-$1$2-$3').replace(TYPED_KB, 'K');
}

/** What an id and its escapes consist of. */
const OF_AN_ID = /[\p{L}\p{N}%_:./-]/u;
/** Longer than any id. */
const LONGEST_ID = 100;

/** Where a text can be cut at this place or shortly before it, without making another id of one. */
export function cutBefore(text: string, place: number): number {
  for (let at = place; at > Math.max(place - LONGEST_ID, 0); at -= 1) {
    if (!OF_AN_ID.test(text.charAt(at - 1)) || !OF_AN_ID.test(text.charAt(at))) return at;
  }
  return place;
}
