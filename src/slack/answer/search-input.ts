import type { types } from '@slack/bolt';
import type { Search } from '../../core/searching.ts';
import { isTooMuch, readSearch, searchText } from '../../core/searching.ts';
import { plain } from '../block-kit/blocks.ts';

/** The same for block and element; a window whose field changes gives the block other ids. */
export const SEARCH_INPUT = 'search-for';

/** Said of a search that is too long for a message's state. */
const SEARCH_TOO_LONG = 'Use at most 8 words and about 70 characters.';

const HINT = 'CVE, article or diagnostic ids, words, or phrases in quotes. Leave it empty to see everything.';

/** The search field; it may stay empty. */
export function searchInput(
  search: Search = [],
  focus?: Pick<types.PlainTextInput, 'focus_on_load'>,
): types.InputBlock {
  const element: types.PlainTextInput = {
    type: 'plain_text_input',
    action_id: SEARCH_INPUT,
    placeholder: plain('CVE-2026-10000, or: tmm "core dump"'),
    max_length: 150,
    ...focus,
    ...(search.length > 0 && { initial_value: searchText(search) }),
  };
  return {
    type: 'input',
    block_id: SEARCH_INPUT,
    optional: true,
    label: plain('Search for'),
    hint: plain(HINT),
    element,
  };
}

type Values = Readonly<Record<string, Readonly<Record<string, { readonly value?: string | null }>>>>;

/** What was typed into the field of a form, or what is wrong with it. */
export function readSearchInput(
  values: Values,
): { readonly search: Search } | { readonly errors: Readonly<Record<string, string>> } {
  const [[block, inputs = {}] = ['']] = Object.entries(values).filter(([, given]) => SEARCH_INPUT in given);
  const search = readSearch(inputs[SEARCH_INPUT]?.value ?? '');
  return isTooMuch(search) ? { errors: { [block]: SEARCH_TOO_LONG } } : { search };
}
