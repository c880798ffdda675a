import type { types } from '@slack/bolt';
import { hostOf } from '../../core/device-identity.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { type View, type ViewState, viewValue } from '../block-kit/action-values.ts';
import { actions, button, richText, words } from '../block-kit/blocks.ts';
import { modal, windowTitle } from '../block-kit/modal.ts';
import { FILTER_ACTION, SHOW_ACTION } from './filter.ts';
import { NEXT_ACTION, PREVIOUS_ACTION } from './page.ts';
import { searchInput } from './search-input.ts';
import { viewMessage, WHOLE_RESULT_ACTION } from './view-message.ts';

export const RESULT_WINDOW = 'browse';
/** Reads a result again that was not there. */
export const READ_AGAIN_ACTION = 'browse-again';

/** The controls that make sense for one reader; the others act on the message. */
const INSIDE = [PREVIOUS_ACTION, NEXT_ACTION, FILTER_ACTION, SHOW_ACTION, WHOLE_RESULT_ACTION];

/** A result in a window for one person, with pages, filter, search and details. */
export function resultModal(state: ViewState, answers: Answers): types.ModalView {
  const { blocks } = viewMessage(state, answers, [], true);
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
    (element) => 'action_id' in element && INSIDE.some((known) => known === element.action_id),
  );
  // An actions block cannot be empty; the state is still needed for a search.
  const elements = inside.length > 0 ? inside : [button('Show again', WHOLE_RESULT_ACTION)];
  return { ...controls, elements };
}
