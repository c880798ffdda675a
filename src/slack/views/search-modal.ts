import type { types } from '@slack/bolt';
import { searchText } from '../../core/search-text.ts';
import type { Search } from '../../core/searching.ts';
import { plain } from '../block-kit/blocks.ts';
import { modal } from '../block-kit/modal.ts';

export const SEARCH_VIEW = 'search';
/** The same for block and element. */
export const SEARCH_INPUT = 'search-for';

/** Said of a search that is too long for a message's state. */
export const SEARCH_TOO_LONG = 'Use at most 8 words and about 70 characters.';

const HINT = 'CVE, article or diagnostic ids, words, or phrases in quotes. Leave it empty to see everything.';

/** Asks for the words to search a result for. */
export function searchModal(search: Search = []): types.ModalView {
  return modal(
    { title: 'Search in the result', callbackId: SEARCH_VIEW, submit: 'Search', close: 'Cancel' },
    [searchInput(search, { focus_on_load: true })],
  );
}

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
