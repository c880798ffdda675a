import type { types } from '@slack/bolt';
import type { Answers } from '../../lookups/lookup-status.ts';
import { SHOW_ACTION } from '../answer/comparison-message.ts';
import { NEXT_ACTION, PREVIOUS_ACTION } from '../answer/page.ts';
import { FILTER_ACTION } from '../answer/parts/filter-select.ts';
import { WHOLE_RESULT_ACTION } from '../answer/search-message.ts';
import { viewMessage } from '../answer/view-message.ts';
import { type View, type ViewState, viewValue } from '../block-kit/action-values.ts';
import { actions, button, richText, words } from '../block-kit/blocks.ts';
import { modal } from '../block-kit/modal.ts';
import { searchInput } from './search-modal.ts';

export const BROWSE_VIEW = 'browse';
/** Reads a result again that was not there. */
export const BROWSE_AGAIN_ACTION = 'browse-again';

/** The choices of the menu that make sense for one reader; the others act on the message. */
const INSIDE = [PREVIOUS_ACTION, NEXT_ACTION, FILTER_ACTION, SHOW_ACTION, WHOLE_RESULT_ACTION];

/** A result in a modal for one person, with pages, filter, search and details. */
export function browseModal(state: ViewState, answers: Answers): types.ModalView {
  const { blocks } = viewMessage(state, answers);
  const controls = blocks.at(-1);
  const rest = blocks.slice(0, -1);
  const canSearch = state.before === undefined;
  return modal({ ...frame(state), ...(canSearch && { submit: 'Search' }) }, [
    ...(canSearch ? [{ ...searchInput(state.search), block_id: `search-${state.turn}` }] : []),
    ...rest,
    ...(controls?.type === 'actions' ? onlyInside(controls) : []),
  ]);
}

/** Says in mrkdwn why there is no result yet, and offers to read it again. */
export function browseNotice(view: View, text: string): types.ModalView {
  const again = button('Check again', BROWSE_AGAIN_ACTION, viewValue(view));
  return modal(frame(view), [
    { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } },
    actions([again]),
  ]);
}

/** Shown while the result is read. */
export function browseLoading(view: View): types.ModalView {
  return modal(frame(view), [richText([words('Reading the result…')])]);
}

function frame({ question }: View) {
  return { title: `Snapshot ${question.snapshotId}`, callbackId: BROWSE_VIEW };
}

/** The block's id carries the state for the next click. */
function onlyInside(controls: types.ActionsBlock): types.KnownBlock[] {
  const elements = controls.elements.filter(
    (element) => 'action_id' in element && INSIDE.some((known) => known === element.action_id),
  );
  // An actions block cannot be empty; the state is still needed for a search.
  const row = elements.length > 0 ? elements : [button('Show again', WHOLE_RESULT_ACTION)];
  return [{ ...controls, elements: row }];
}
