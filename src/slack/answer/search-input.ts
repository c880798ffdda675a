import type { types } from '@slack/bolt';
import { type Asked, withSearch } from '../../core/lookup.ts';
import type { Search } from '../../core/searching.ts';
import { isTooMuch, readSearch, searchText } from '../../core/searching.ts';
import { hasRoomFor } from '../block-kit/action-values.ts';
import { plain } from '../block-kit/blocks.ts';

/** The same for block and element; a window whose field changes gives the block other ids. */
export const SEARCH_INPUT = 'search-for';

/** Said of a search that is too long for a message's state. */
const SEARCH_TOO_LONG = 'Use at most 8 words and about 70 characters.';

const HINT =
  'Ids of CVEs, articles, hits or checks; words, or phrases in quotes. Leave it empty for no search.';

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

const TOO_MUCH_TOGETHER = 'That’s too much beside so many snapshots: use fewer words.';

/** What was typed into the field of a form, or what is wrong with it; `asked` is what is searched. */
export function readSearchInput(
  values: Values,
  asked: Asked,
): { readonly search: Search } | { readonly errors: Readonly<Record<string, string>> } {
  const [[block, inputs = {}] = ['']] = Object.entries(values).filter(([, given]) => SEARCH_INPUT in given);
  const search = readSearch(inputs[SEARCH_INPUT]?.value ?? '');
  if (isTooMuch(search)) return { errors: { [block]: SEARCH_TOO_LONG } };
  const isOne = asked.others === undefined;
  return isOne || hasRoomFor(withSearch(asked, search))
    ? { search }
    : { errors: { [block]: TOO_MUCH_TOGETHER } };
}
