import type { types } from '@slack/bolt';
import { hostOf } from '../../core/diagnostics.ts';
import { type Asked, withSearch } from '../../core/lookup.ts';
import type { Search } from '../../core/searching.ts';
import { isTooMuch, readSearch, searchText } from '../../core/searching.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { hasRoomFor, type View, type ViewState, viewValue } from '../blocks/action-values.ts';
import { actions, button, plain, richText, words } from '../blocks/blocks.ts';
import { input, modal, windowTitle } from '../blocks/modal.ts';
import { FILTER_ACTION, SHOW_ACTION } from './filter.ts';
import { NEXT_ACTION, PREVIOUS_ACTION } from './page.ts';
import type { Since } from './since.ts';
import { viewMessage, WHOLE_RESULT_ACTION } from './view-message.ts';

export const RESULT_WINDOW = 'browse';
/** Reads a result again that was not there. */
export const READ_AGAIN_ACTION = 'browse-again';

/** The controls that make sense for one reader; the others act on the message. */
const READER_CONTROLS = [PREVIOUS_ACTION, NEXT_ACTION, FILTER_ACTION, SHOW_ACTION, WHOLE_RESULT_ACTION];

/** A result in a window for one person, with pages, filter, search and details, and what changed `since` it was made. */
export function resultModal(
  state: ViewState,
  answers: Answers,
  since: readonly Since[] = [],
): types.ModalView {
  const { blocks } = viewMessage(state, answers, since, true);
  const controls = blocks.at(-1);
  const canSearch = state.before === undefined;
  const host = hostOf(answers.result.device);
  return modal({ ...frame(state, host), ...(canSearch && { submit: 'Search' }) }, [
    ...(canSearch ? [{ ...searchInput(state.search), block_id: `search-${state.turn}` }] : []),
    ...blocks.slice(0, -1),
    ...(controls?.type === 'actions' ? [onlyInside(controls)] : []),
  ]);
}

/** Says in mrkdwn why there is no result yet, and offers to read it again. */
export function noResultModal(view: View, text: string): types.ModalView {
  return modal(frame(view), [
    { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } },
    actions([button('Check again', READ_AGAIN_ACTION, viewValue(view))]),
  ]);
}

/** Shown while the result is read. */
export function loadingModal(view: View): types.ModalView {
  return modal(frame(view), [richText([words('Reading the result…')])]);
}

function frame(view: View, host = '') {
  return { title: windowTitle(view, host), callbackId: RESULT_WINDOW };
}

/** The block's id carries the state for the next click. */
function onlyInside(controls: types.ActionsBlock): types.ActionsBlock {
  const inside = controls.elements.filter(
    (element) => 'action_id' in element && READER_CONTROLS.some((known) => known === element.action_id),
  );
  // An actions block cannot be empty; the state is still needed for a search.
  const elements = inside.length > 0 ? inside : [button('Show again', WHOLE_RESULT_ACTION)];
  return { ...controls, elements };
}

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
    placeholder: plain('CVE-2026-10000, or: tmm "core dump"'),
    max_length: 150,
    ...focus,
    ...(search.length > 0 && { initial_value: searchText(search) }),
  };
  return input(SEARCH_INPUT, 'Search for', element, { isOptional: true, hint: HINT });
}

type Form = { field(name: string): { readonly block: string; readonly value: string } };

const TOO_MUCH_TOGETHER = 'That’s too much beside so many snapshots: use fewer words.';

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
