import type { Diagnostic, Match } from './diagnostics.ts';
import { composed, fold, type IssueId, idsIn, idsOfTerm, isIssueId, withWholeIds } from './texts.ts';
import { pace } from './time.ts';

/** The terms of a search: ids of CVEs, articles and diagnostics, words, and quoted phrases. */
export type Search = readonly string[];

type Pace = ReturnType<typeof pace>;

/**
 * How an analysis names an id, strongest first. `hit` and `passed`: a diagnostic is about the id. `mentioned`: another
 * diagnostic cites it. `perhaps`: a text contains only its number.
 */
const OUTCOMES = ['hit', 'passed', 'mentioned', 'perhaps'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The strongest outcome for a searched id, and the diagnostics that gave it. */
export type Verdict = IssueId & {
  readonly outcome: Outcome | 'absent';
  readonly saidBy: readonly Diagnostic[];
};

/** The diagnostics that match a search, and a verdict for each id in it. */
export type Found = { readonly matches: ReadonlySet<Diagnostic>; readonly verdicts: readonly Verdict[] };

/**
 * Searches all texts of all diagnostics. A diagnostic matches if it contains every word (ignoring case and accents) and
 * at least one of the ids. Ids match in any spelling, but only whole: CVE-2026-1000 does not match CVE-2026-10000.
 * Yields to the event loop.
 */
export async function search(diagnostics: readonly Diagnostic[], sought: Search): Promise<Found> {
  const ids = sought.flatMap(idsOfTerm);
  const words = sought.filter((term) => !isIssueId(term)).map((term) => fold(term).trim());
  const rest = pace();
  const seen: Seen[] = [];
  for (const diagnostic of diagnostics) {
    const texts = await textsOf(diagnostic, rest);
    const outcomes = ids.map((id) => outcomeIn(texts, id, diagnostic.match));
    const hasWords = words.every((word) => texts.all.some((text) => text.includes(word)));
    seen.push({ diagnostic, outcomes, hasWords });
  }
  const verdicts = ids.map((id, at): Verdict => {
    const by = Map.groupBy(seen, ({ outcomes }) => outcomes[at]);
    const outcome = OUTCOMES.find((each) => by.has(each));
    const saying = outcome === undefined ? [] : (by.get(outcome) ?? []);
    return { ...id, outcome: outcome ?? 'absent', saidBy: saying.map(({ diagnostic }) => diagnostic) };
  });
  const saying = new Set(verdicts.flatMap(({ saidBy }) => saidBy));
  const matches = seen.filter(
    ({ hasWords, diagnostic }) => hasWords && (ids.length === 0 || saying.has(diagnostic)),
  );
  return { matches: new Set(matches.map(({ diagnostic }) => diagnostic)), verdicts };
}

/** What a search found in one diagnostic: whether every word occurs, and the outcome for each id. */
type Seen = {
  readonly diagnostic: Diagnostic;
  readonly outcomes: readonly (Outcome | undefined)[];
  readonly hasWords: boolean;
};

/** The folded texts of a diagnostic. `own`: only the texts that identify it; other texts may cite other diagnostics. */
type Texts = { readonly own: readonly string[]; readonly all: readonly string[] };

/** The texts to search. Level and match are left out, because filters select by them. */
async function textsOf(diagnostic: Diagnostic, rest: Pace): Promise<Texts> {
  const { name, otherName = '', title, summary, action, output, fixedIn, cveIds, solutions } = diagnostic;
  const own = [name, otherName, title, ...cveIds, ...solutions.flatMap(({ url, id = '' }) => [id, url])];
  const all: string[] = [];
  for (const text of [...own, summary, action, ...output, ...fixedIn]) all.push(await folded(text, rest));
  return { own: all.slice(0, own.length), all };
}

/** How many characters are folded at once, which takes some milliseconds. */
const AT_ONCE = 50_000;

async function folded(text: string, rest: Pace): Promise<string> {
  let whole = '';
  for (let start = 0; start < text.length; start += AT_ONCE) {
    whole += fold(text.slice(start, start + AT_ONCE));
    await rest();
  }
  return whole;
}

function outcomeIn({ own, all }: Texts, { id, number }: IssueId, match: Match): Outcome | undefined {
  const holding = (texts: readonly string[]) => texts.filter((text) => text.includes(number));
  // A search for H770025 also finds its part H770025-1.
  const isIt = (named: IssueId) => named.id === id || named.id.startsWith(`${id}-`);
  const isNamed = (text: string) => idsIn(text).some(isIt);
  if (holding(own).some(isNamed)) return match === 'hit' ? 'hit' : 'passed';
  const texts = holding(all);
  if (texts.some(isNamed)) return 'mentioned';
  const bare = new RegExp(`(?<!\\d)${number}(?!\\d)`);
  return texts.some((text) => bare.test(text)) ? 'perhaps' : undefined;
}

/** The most bytes of JSON for a search: it is stored in a Slack block id, which has a length limit. */
const LONGEST_BYTES = 74;
/** Any closing quotation mark ends a phrase, because phone keyboards mix them. */
const PARTS = /["“”„‟«»]([^"“”„‟«»]*)["“”„‟«»]|[^\s"“”„‟«»]+/g;
const BETWEEN_WORDS = /[\s\p{Cc}"“”„‟«»]+/gu;
/** Matches a word without the punctuation around it. */
const UNDECORATED = /[\p{L}\p{M}\p{N}/\\+%$-](?:.*[\p{L}\p{M}\p{N}/\\+%$-])?/u;

/** Reads a search field: words, and phrases in quotation marks of any kind. */
export function readSearch(text: string): Search {
  const parts = withWholeIds(composed(text)).matchAll(PARTS);
  return searchFor([...parts].map(([whole, phrase]) => phrase ?? undecorated(whole)));
}

/** Makes a search of words and phrases: without duplicates or empty terms, and with ids in their usual spelling. */
export function searchFor(typed: readonly string[]): Search {
  const terms = new Map<string, string>();
  for (const each of typed) {
    const term = composed(each).replace(BETWEEN_WORDS, ' ').trim();
    const ids = idsOfTerm(term).map(({ id }) => id);
    for (const one of ids.length > 0 ? ids : [term]) {
      const key = fold(one).trim();
      if (key !== '' && !terms.has(key)) terms.set(key, one);
    }
  }
  return [...terms.values()];
}

/** The search as text that `readSearch` can read: `tmm “core dump”`. */
export function searchText(search: Search): string {
  const isPlain = (term: string) => !term.includes(' ') && undecorated(term) === term;
  return search.map((term) => (isPlain(term) ? term : `“${term}”`)).join(' ');
}

/** Whether the search is too long for a Slack block id. */
export function isTooMuch(search: Search): boolean {
  return Buffer.byteLength(JSON.stringify(searchText(search))) > LONGEST_BYTES;
}

function undecorated(word: string): string {
  return UNDECORATED.exec(word)?.[0] ?? word;
}
