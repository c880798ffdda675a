const ASCII = /^\p{ASCII}*$/u;
const MARKS = /\p{M}+/gu;
/** More marks on one letter than any writing uses (UAX #15, 13) are dropped: sorting takes time quadratic in their number. */
const MOST_MARKS = 30;

function normalized(text: string, form: 'NFKC' | 'NFD'): string {
  if (ASCII.test(text)) return text;
  return text.replace(MARKS, (marks) => (marks.length > MOST_MARKS ? '' : marks)).normalize(form);
}

/** What a person typed, with ligatures and full-width letters as usual ones. Takes time linear in the length. */
export function composed(typed: string): string {
  return normalized(typed, 'NFKC');
}

/** Accents and invisible characters: soft hyphens, joiners, marks of direction. */
const UNSEEN = /[\p{M}\p{Cf}]+/gu;
const DASHES = /[\p{Pd}\u2212]/gu;
/** White space other than a single space. */
const UNEVEN = /[^\S ]\s*| \s+/g;

/**
 * A text as it is compared with what a person typed: without case and accents, every dash a hyphen, every run of
 * white space one space. Takes time linear in the length.
 */
export function fold(text: string): string {
  const plain = ASCII.test(text) ? text : normalized(text, 'NFD').replace(UNSEEN, '').replace(DASHES, '-');
  return plain.toLowerCase().replace(UNEVEN, ' ');
}

/** The text on one line: every run of white space is one space, and none is at the ends. */
export function oneLine(text: string): string {
  return text.replace(UNEVEN, ' ').trim();
}

/** The id of a CVE, an article or a diagnostic as it is shown, and its number. */
export type IssueId = { readonly id: string; readonly number: string };

/** A CVE may be fused to words: `vulnerabilityCVE-2026-10001and`, `CVE 2026-10001`, `CVE_2026_10001`. */
const CVE = /cves?[-_:\s]{0,3}((?:19|20)\d\d)[-_\s]{1,3}(\d{4,19})(?!\d)/gi;
/**
 * The letter of an article or a diagnostic stands alone: `K000100012`, its old name `sol15483.html`, `/article/000100020`,
 * `D000162521` and `H770025-1`.
 */
const LETTERED =
  /(?:(?<![\p{L}\p{N}])(kb?|sol|[dh])[-_ ]?|articles?\/)(\d{4,19})(?!\d)(-\d{1,9}(?!\d))?(?:\.html?)?/gu;

/** The ids that a folded text names, CVEs first. */
export function idsIn(folded: string): IssueId[] {
  const cves = folded.matchAll(CVE).map(([, year, number = '']) => ({ id: `CVE-${year}-${number}`, number }));
  const others = folded.matchAll(LETTERED).map(([, letters = '', number = '', part = '']) => {
    const letter = /^[dh]/.test(letters) ? letters.toUpperCase() : 'K';
    return { id: `${letter}${number}${part}`, number };
  });
  return [...cves, ...others];
}

/** The CVE ids that a text mentions, each once, as `CVE-2026-10001`. */
export function cveIdsIn(text: string): string[] {
  const ids = idsIn(fold(text)).map(({ id }) => id);
  return [...new Set(ids.filter((id) => id.startsWith('CVE')))];
}

/** The id of the article that an address leads to, as `K000100012`; the last of several. */
export function articleIn(address: string): string | undefined {
  return idsIn(fold(address)).findLast(({ id }) => id.startsWith('K'))?.id;
}

/** The id that a link leads to: a CVE anywhere in the address, else an article in its path. */
export function idOfLink(text: string): string | undefined {
  const address = /^https?:/.test(text) ? URL.parse(text) : null;
  return address === null ? undefined : (cveIdsIn(text).at(-1) ?? articleIn(address.pathname));
}

const MAY_BE_AN_ID = /\D\d{4}/;
/** What may stand between the ids of a list. */
const BETWEEN = /^[\s,;/&|]*$/;

/** The ids that a search term consists of; none for a word, even for one that holds an id. */
export function idsOfTerm(term: string): IssueId[] {
  if (!MAY_BE_AN_ID.test(term)) return [];
  const text = fold(idOfLink(term) ?? term);
  return BETWEEN.test(text.replace(CVE, '').replace(LETTERED, '')) ? idsIn(text) : [];
}

/** Whether a term is the id of a CVE, an article or a diagnostic, or a list of such. */
export function isIssueId(term: string): boolean {
  return idsOfTerm(term).length > 0;
}

/** What a person typed, with each CVE id in one word. */
export function withWholeIds(typed: string): string {
  return typed.replace(CVE, 'CVE-$1-$2');
}
