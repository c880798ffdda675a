const ASCII = /^\p{ASCII}*$/u;
/** More marks on one letter than any writing uses (UAX #15, 13): sorting them takes time quadratic in their number. */
const MOST_MARKS = 30;
const MARKS = /\p{M}+/gu;

/** What a person typed, with ligatures and full-width letters as usual ones. Takes time linear in the length. */
export function composed(typed: string): string {
  return (ASCII.test(typed) ? typed : typed.replace(MARKS, fewMarks)).normalize('NFKC');
}

function fewMarks(marks: string): string {
  return [...marks].slice(0, MOST_MARKS).join('');
}

/** A text with each letter apart from its accents. Takes time linear in the length. */
function decomposed(text: string): string {
  return ASCII.test(text) ? text : text.replace(MARKS, '').normalize('NFKD');
}

/** Accents and invisible characters: soft hyphens, joiners, marks of direction. */
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
  // Upper case first: letters with two lower-case forms become one, and ß becomes SS.
  return plain.toUpperCase().toLowerCase().replaceAll('ς', 'σ').replace(SPACES, ' ');
}

/** Matches where white space has to be changed, which few texts need. */
const UNEVEN = /[^\S ]| {2}/;

/** The text on one line: every run of white space is one space, and none is at the ends. */
export function oneLine(text: string): string {
  return (UNEVEN.test(text) ? text.replace(SPACES, ' ') : text).trim();
}

const KINDS = ['cve', 'article', 'diagnostic'] as const;
type Kind = (typeof KINDS)[number];

/** The id of a CVE, an article or a diagnostic: as it is shown, its kind, and its number. */
export type IssueId = { readonly id: string; readonly kind: Kind; readonly number: string };

/**
 * The spellings that titles, texts, evidence, links and people use, on folded text: what stands before the number, the number,
 * and what follows. A CVE may be fused to words; the letter of an article or a diagnostic stands alone.
 */
const SPELLINGS: Record<Kind, RegExp> = {
  // Its number has four digits at least, and no other zero before it.
  cve: /cves?(?:[-_\s]ids?)?[-_:./\s]{0,3}(\d{4})[-_:./\s]{1,3}0{0,9}(\d{4,19})(?!\d)/g,
  // `k000100012`, its old name `sol15483.html`, and `/article/000100020`.
  article: /(?:(?<![\p{L}\p{N}])(k|sol)[-_\s]?|articles?[-_:=/\s]{0,2}k?)(\d{4,19})(?!\d)(?:\.html?)?/gu,
  // `d000162521` and `h770025-1`
  diagnostic: /(?<![\p{L}\p{N}])([dh])[-_\s]?(\d{4,19})(?!\d)(-\d{1,9}(?!\d))?/gu,
};

/** The ids of a kind that a folded text names. */
export function idsIn(folded: string, kind: Kind): IssueId[] {
  return Array.from(folded.matchAll(SPELLINGS[kind]), ([, before = '', number = '', part = '']) => {
    const beginning = { cve: `CVE-${before}-`, article: 'K', diagnostic: before.toUpperCase() }[kind];
    return { id: `${beginning}${number}${part}`, kind, number };
  });
}

/** The CVE ids that a text mentions, each once, as `CVE-2026-10001`. */
export function cveIdsIn(text: string): string[] {
  return [...new Set(idsIn(fold(text), 'cve').map(({ id }) => id))];
}

/** The id of the article that an address leads to, as `K000100012`; the last of several. */
export function articleIn(address: string): string | undefined {
  return idsIn(fold(address), 'article').at(-1)?.id;
}

/** What may stand between the ids of a list. */
const SEPARATORS = /^[\s,;/&|]*$/;

/** The ids that a search term consists of, each as it is shown; none for a word, even for one that holds an id. */
export function idsOfTerm(term: string): IssueId[] {
  const text = fold(idOfLink(term) ?? withWholeIds(term)).trim();
  const kind = KINDS.find((each) => SEPARATORS.test(text.replace(SPELLINGS[each], '')));
  return kind === undefined ? [] : idsIn(text, kind);
}

/** The CVE that a link leads to, wherever its address has the id, or the article, by its path. */
export function idOfLink(text: string): string | undefined {
  const address = URL.parse(text);
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:') return undefined;
  return cveIdsIn(text).at(-1) ?? articleIn(address.pathname);
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
