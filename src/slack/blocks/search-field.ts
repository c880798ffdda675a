import type { types } from '@slack/bolt';
import { type Asked, withSearch } from '../../core/lookup.ts';
import { isTooMuch, readSearch, type Search, searchText } from '../../core/searching.ts';
import { hasRoomFor } from './action-values.ts';
import { plain } from './blocks.ts';
import { input } from './modal.ts';

/** The same for block and element. */
export const SEARCH_INPUT = 'search-for';

/** Said of a search that is too long for a message's state. */
export const SEARCH_TOO_LONG = 'That’s too much to search for: use at most 8 words and about 70 characters.';
/** Said of a search that is too long beside several snapshots. */
export const TOO_MUCH_TOGETHER = 'That’s too much for one answer: name fewer snapshots, or search for less.';

const HINT =
  'Ids of CVEs, articles, hits or checks; words, or phrases in quotes. Leave it empty for no search.';

/** The search field; it may stay empty. */
export function searchInput(search: Search = []): types.InputBlock {
  const element: types.PlainTextInput = {
    type: 'plain_text_input',
    placeholder: plain('CVE-2026-10000, or: tmm "core dump"'),
    max_length: 150,
    ...(search.length > 0 && { initial_value: searchText(search) }),
  };
  return input(SEARCH_INPUT, 'Search for', element, { isOptional: true, hint: HINT });
}

type Form = { field(name: string): { readonly block: string; readonly value: string } };

/** What was typed into the field of a form, or what is wrong with it; `asked` is what is searched. */
export function readSearchInput(
  form: Form,
  asked: Asked,
): { readonly search: Search } | { readonly errors: Readonly<Record<string, string>> } {
  const { block, value } = form.field(SEARCH_INPUT);
  const search = readSearch(value);
  if (isTooMuch(search)) return { errors: { [block]: SEARCH_TOO_LONG } };
  const isOne = asked.others === undefined;
  return isOne || hasRoomFor(withSearch(asked, search))
    ? { search }
    : { errors: { [block]: TOO_MUCH_TOGETHER } };
}
