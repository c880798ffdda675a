const ASCII = /^\p{ASCII}*$/u;
const MARKS = /\p{M}+/gu;
/** Longer runs of marks than any language uses (UAX #15, 13) are dropped: sorting them takes quadratic time. */
const MOST_MARKS = 30;

function normalized(text: string, form: 'NFKC' | 'NFD'): string {
  if (ASCII.test(text)) return text;
  return text.replace(MARKS, (marks) => (marks.length > MOST_MARKS ? '' : marks)).normalize(form);
}

/** Replaces ligatures and full-width letters by ordinary letters. Takes linear time. */
export function composed(typed: string): string {
  return normalized(typed, 'NFKC');
}

/** Accents and invisible characters, such as soft hyphens, joiners and direction marks. */
const UNSEEN = /[\p{M}\p{Cf}]+/gu;
const DASHES = /[\p{Pd}\u2212]/gu;
/** White space other than a single space. */
const UNEVEN = /[^\S ]\s*| \s+/g;

/** For comparisons: lower case, no accents, hyphens for dashes, one space for white space. Takes linear time. */
export function fold(text: string): string {
  const plain = ASCII.test(text) ? text : normalized(text, 'NFD').replace(UNSEEN, '').replace(DASHES, '-');
  return plain.toLowerCase().replace(UNEVEN, ' ');
}

/** Replaces each run of white space by one space, and trims the ends. */
export function oneLine(text: string): string {
  return text.replace(UNEVEN, ' ').trim();
}

/** The id of a CVE, an article or a diagnostic in its usual spelling, and its number. */
export type IssueId = { readonly id: string; readonly number: string };

/** Matches a CVE id even inside a word: `vulnerabilityCVE-2026-10001and`, `CVE 2026-10001`, `CVE_2026_10001`. */
const CVE = /cves?[-_:\s]{0,3}((?:19|20)\d\d)[-_\s]{1,3}(\d{4,19})(?!\d)/gi;
/**
 * Matches the ids of articles (`K000100012`, its old name `sol15483.html`, `/article/000100020`) and of diagnostics
 * (`D000162521`, `H770025-1`); their letter must not follow another letter or digit.
 */
const LETTERED =
  /(?:(?<![\p{L}\p{N}])(kb?|sol|[dh])[-_ ]?|articles?\/)(\d{4,19})(?!\d)(-\d{1,9}(?!\d))?(?:\.html?)?/gu;

/** The ids in a folded text, CVEs first. */
export function idsIn(folded: string): IssueId[] {
  const cves = folded.matchAll(CVE).map(([, year, number = '']) => ({ id: `CVE-${year}-${number}`, number }));
  const others = folded.matchAll(LETTERED).map(([, letters = '', number = '', part = '']) => {
    const letter = /^[dh]/.test(letters) ? letters.toUpperCase() : 'K';
    return { id: `${letter}${number}${part}`, number };
  });
  return [...cves, ...others];
}

/** The CVE ids in a text, each once, as `CVE-2026-10001`. */
export function cveIdsIn(text: string): string[] {
  const ids = idsIn(fold(text)).map(({ id }) => id);
  return [...new Set(ids.filter((id) => id.startsWith('CVE')))];
}

/** The id of the last article in an address, such as `K000100012`. */
export function articleIn(address: string): string | undefined {
  return idsIn(fold(address)).findLast(({ id }) => id.startsWith('K'))?.id;
}

/** The id that a link is about: a CVE anywhere in the address, else an article in the path. */
export function idOfLink(text: string): string | undefined {
  const address = /^https?:/.test(text) ? URL.parse(text) : null;
  return address === null ? undefined : (cveIdsIn(text).at(-1) ?? articleIn(address.pathname));
}

const MAY_BE_AN_ID = /\D\d{4}/;
/** Matches the separators in a list of ids. */
const BETWEEN = /^[\s,;/&|]*$/;

/** The ids of a search term that consists only of ids; empty if it contains any other word. */
export function idsOfTerm(term: string): IssueId[] {
  if (!MAY_BE_AN_ID.test(term)) return [];
  const text = fold(idOfLink(term) ?? term);
  return BETWEEN.test(text.replace(CVE, '').replace(LETTERED, '')) ? idsIn(text) : [];
}

/** Whether a term consists only of ids of CVEs, articles or diagnostics. */
export function isIssueId(term: string): boolean {
  return idsOfTerm(term).length > 0;
}

/** The typed text with each CVE id written as one word. */
export function withWholeIds(typed: string): string {
  return typed.replace(CVE, 'CVE-$1-$2');
}
