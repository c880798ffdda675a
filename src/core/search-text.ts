import { fold } from './folding.ts';
import { idsOfTerm, withWholeIds } from './issue-ids.ts';
import type { Search } from './searching.ts';

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
  const parts = withWholeIds(text.slice(0, LONGEST_TYPED).normalize('NFKC')).matchAll(PARTS);
  return searchFor([...parts].map(([whole, phrase]) => phrase ?? undecorated(whole)));
}

/** A search for these words and phrases: each once, ids in their usual spelling, empty ones left out. */
export function searchFor(typed: readonly string[]): Search {
  const terms = new Map<string, string>();
  for (const each of typed) {
    const term = each.normalize('NFKC').replace(QUOTES, ' ').replace(SPACES_AND_CONTROLS, ' ').trim();
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

/** The word without the punctuation around it. */
function undecorated(word: string): string {
  const characters = [...word];
  const isEdge = (character: string) => EDGE.test(character);
  const end = characters.findLastIndex(isEdge);
  return end === -1 ? word : characters.slice(characters.findIndex(isEdge), end + 1).join('');
}
