import type { Diagnostic } from './diagnostics.ts';
import { pace } from './event-loop.ts';
import { composed, fold, type IssueId, idsIn, idsOfTerm, isIssueId, withWholeIds } from './texts.ts';

/** What to look for: ids of CVEs, articles and diagnostics, words and quoted phrases. */
export type Search = readonly string[];

/**
 * Where the analysis names an id: in a hit, in a check that passed, only in the text of another diagnostic, perhaps in some
 * text (its number stands there alone), or nowhere.
 */
type Outcome = 'hit' | 'passed' | 'mentioned' | 'perhaps' | 'absent';

/** One id of a search, with the diagnostics that name it, in their order. */
export type Verdict = Pick<IssueId, 'id' | 'number'> & {
  readonly outcome: Outcome;
  readonly saidBy: readonly Diagnostic[];
};

/** The diagnostics that match a search, and a verdict for each id in it. */
export type Found = { readonly matches: ReadonlySet<Diagnostic>; readonly verdicts: readonly Verdict[] };

/** How a diagnostic names an id, the best first: it is about the id, cites it, or holds its bare number. */
const [ABOUT, CITED, NUMBER] = [0, 1, 2];

/** What of a search occurs in a diagnostic: words, and how each id is named. */
type Occurring = {
  readonly diagnostic: Diagnostic;
  readonly words: ReadonlySet<string>;
  readonly ids: ReadonlyMap<IssueId, number>;
};

/**
 * Searches every text of every diagnostic. All words must occur (ignoring case and accents), and at least one of the
 * ids, in any spelling. An id matches only as a whole: CVE-2026-1000 is not found in CVE-2026-10000. Yields to the
 * event loop in between.
 */
export async function search(diagnostics: readonly Diagnostic[], sought: Search): Promise<Found> {
  const ids = sought.flatMap(idsOfTerm);
  const words = [...new Set(sought.filter((term) => !isIssueId(term)).map((term) => fold(term).trim()))];
  const rest = pace();
  const found: Occurring[] = [];
  for (const diagnostic of diagnostics) found.push(await occurringIn(diagnostic, words, ids, rest));
  const verdicts = ids.map((id) => verdictOn(id, found));
  const saying = new Set(verdicts.flatMap(({ saidBy }) => saidBy));
  const matches = found.filter(
    (each) => each.words.size === words.length && (ids.length === 0 || saying.has(each.diagnostic)),
  );
  return { matches: new Set(matches.map(({ diagnostic }) => diagnostic)), verdicts };
}

/** In this order: a hit about the id, a passed check about it, a citation, the bare number. */
function verdictOn(sought: IssueId, found: readonly Occurring[]): Verdict {
  const { id, number } = sought;
  const by = (how: number | undefined) =>
    found.flatMap(({ ids, diagnostic }) => (ids.get(sought) === how ? diagnostic : []));
  const about = by(ABOUT);
  const ranked = [
    ['hit', about.filter(({ match }) => match === 'hit')],
    ['passed', about],
    ['mentioned', by(CITED)],
    ['perhaps', by(NUMBER)],
  ] as const;
  const [outcome, saidBy] = ranked.find(([, saying]) => saying.length > 0) ?? ['absent', []];
  return { id, number, outcome, saidBy };
}

async function occurringIn(
  diagnostic: Diagnostic,
  words: readonly string[],
  ids: readonly IssueId[],
  rest: ReturnType<typeof pace>,
): Promise<Occurring> {
  const found = { diagnostic, words: new Set<string>(), ids: new Map<IssueId, number>() };
  for (const { text, about } of slicesOf(diagnostic)) {
    const folded = fold(text);
    for (const word of words) if (folded.includes(word)) found.words.add(word);
    for (const id of ids) {
      const how = howNamed(id, folded, about);
      if (how !== undefined) found.ids.set(id, Math.min(how, found.ids.get(id) ?? how));
    }
    await rest();
  }
  return found;
}

function howNamed(
  { id, kind, number }: IssueId,
  folded: string,
  about?: IssueId['kind'],
): number | undefined {
  if (!folded.includes(number)) return undefined;
  // H770025-1 is also a part of H770025.
  if (idsIn(folded, kind).some((named) => named.id === id || named.id.startsWith(`${id}-`)))
    return about === kind ? ABOUT : CITED;
  return new RegExp(`(?<!\\d)${number}(?!\\d)`).test(folded) ? NUMBER : undefined;
}

/** How many characters are searched at once: some milliseconds of work, as one may stand for 18. */
const SLICE = 25_000;
/** Longer than any term, so that a term across the end of a slice is found in the next slice. */
const OVERLAP = 1_000;

/** Every text in slices that overlap; they begin and end at spaces, so that none has a part of an id. */
function* slicesOf(diagnostic: Diagnostic): Generator<Text> {
  for (const { text, ...of } of textsOf(diagnostic)) {
    for (let start = 0; start < text.length; start += SLICE) {
      const end = spaceBefore(text, start + SLICE + OVERLAP);
      yield { text: text.slice(spaceBefore(text, start), end), ...of };
    }
  }
}

/** The last space before a place, unless that is far away. */
function spaceBefore(text: string, place: number): number {
  const space = place > 0 && place < text.length ? text.lastIndexOf(' ', place) : place;
  return space > place - OVERLAP ? space : place;
}

/** `about`: the kind of ids that the diagnostic itself is about. Summaries, actions and evidence may cite others. */
type Text = { readonly text: string; readonly about?: IssueId['kind'] };

/** Every text of the service. Levels, exploited and match are not searched: filters and sides select by those. */
function* textsOf(diagnostic: Diagnostic): Generator<Text> {
  const { name, otherName = '', title, summary, action, output, fixedIn, cveIds, solutions } = diagnostic;
  for (const text of [name, otherName]) yield { text, about: 'diagnostic' };
  yield { text: title, about: 'cve' };
  for (const text of [summary, action, ...output, ...fixedIn]) yield { text };
  for (const text of cveIds) yield { text, about: 'cve' };
  for (const { url, id = '' } of solutions) for (const text of [id, url]) yield { text, about: 'article' };
}

/** The most bytes of JSON that a search may take: it is stored in the id of a block in Slack, beside other state. */
const LONGEST_BYTES = 74;
const MOST_TERMS = 8;
/** The most characters of a text that are read: a search is one line. */
const LONGEST_TYPED = 1_000;
const QUOTES = /["“”„‟«»]/g;
/** Any closing quotation mark ends a phrase, because phones mix the kinds. */
const PARTS = /["“”„‟«»]([^"“”„‟«»]*)["“”„‟«»]|[^\s"“”„‟«»]+/g;
const SPACES_AND_CONTROLS = /[\s\p{Cc}]+/gu;
const EDGE = /[\p{L}\p{M}\p{N}/\\+%$-]/u;

/** Reads what a person typed into a search field: words, and phrases in quotation marks of any kind. */
export function readSearch(text: string): Search {
  const parts = withWholeIds(composed(text.slice(0, LONGEST_TYPED))).matchAll(PARTS);
  return searchFor([...parts].map(([whole, phrase]) => phrase ?? undecorated(whole)));
}

/** A search for these words and phrases: each once, ids in their usual spelling, empty ones left out. */
export function searchFor(typed: readonly string[]): Search {
  const terms = new Map<string, string>();
  for (const each of typed) {
    const term = composed(each).replace(QUOTES, ' ').replace(SPACES_AND_CONTROLS, ' ').trim();
    const ids = idsOfTerm(term).map(({ id }) => id);
    for (const one of ids.length > 0 ? ids : [term]) {
      const key = fold(one).trim();
      if (key !== '' && !terms.has(key)) terms.set(key, one);
    }
  }
  return [...terms.values()];
}

/** A search as text, which `readSearch` reads back: `tmm “core dump”`. */
export function searchText(search: Search): string {
  const isPlain = (term: string) => !term.includes(' ') && undecorated(term) === term;
  return search.map((term) => (isPlain(term) ? term : `“${term}”`)).join(' ');
}

/** Whether the search is too long for a message's state. */
export function isTooMuch(search: Search): boolean {
  return search.length > MOST_TERMS || Buffer.byteLength(JSON.stringify(searchText(search))) > LONGEST_BYTES;
}

function undecorated(word: string): string {
  const characters = [...word];
  const isEdge = (character: string) => EDGE.test(character);
  const end = characters.findLastIndex(isEdge);
  return end === -1 ? word : characters.slice(characters.findIndex(isEdge), end + 1).join('');
}
