import type { ButtonAction, StaticSelectAction } from '@slack/bolt';
import { withSearch } from '../../../core/lookup.ts';
import { FILTER_ACTION, SHOW_ACTION } from '../../answer/filter.ts';
import { NEXT_ACTION, PREVIOUS_ACTION } from '../../answer/page.ts';
import { WHOLE_RESULT_ACTION } from '../../answer/view-message.ts';
import { readFilter, SHOWS, type ViewState } from '../../block-kit/action-values.ts';
import { stateOf } from '../../front/click.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { MenuEntry } from '../../front/feature.ts';
import type { Listeners } from '../../front/listeners.ts';
import { showInPlace, showState } from '../../front/reader-window.ts';
import { redraw } from '../../front/result-use.ts';

/** In a message everybody sees what its asker chooses; in a window, only this person. */
const PLACES = { message: 'post', window: 'read' } as const;

/** Each button with the state that it leads to. */
const BUTTONS: Readonly<Record<string, (state: ViewState) => ViewState>> = {
  [PREVIOUS_ACTION]: (state) => ({ ...state, page: Math.max(state.page - 1, 0) }),
  [NEXT_ACTION]: (state) => ({ ...state, page: state.page + 1 }),
  [WHOLE_RESULT_ACTION]: (state) => ({ ...withSearch(state, []), page: 0 }),
};

/** The same for menus, with the value that was chosen. */
const SELECTS: Readonly<Record<string, (state: ViewState, chosen: string) => ViewState>> = {
  [FILTER_ACTION]: (state, chosen) => ({ ...state, filter: readFilter(chosen), page: 0 }),
  [SHOW_ACTION]: ({ show: _before, ...state }, chosen) => {
    const show = SHOWS.find((each) => each === chosen);
    return { ...state, ...(show && { show }), page: 0 };
  },
};

/**
 * The controls of a result: pages, filters and changes, for anyone at any time. The message carries its state, so they
 * work after restarts. The asker's choice edits the message; anybody else's opens a window, so that nobody's view changes.
 */
export function listenToControls(on: Listeners, context: ListenerContext): void {
  for (const [id, next] of Object.entries(BUTTONS)) {
    on.click<ButtonAction>(id, PLACES, async (click) => {
      await showState(click, next(stateOf(click)), context);
    });
  }
  for (const [id, next] of Object.entries(SELECTS)) {
    on.click<StaticSelectAction>(id, PLACES, async (click) => {
      const chosen = click.action.selected_option.value;
      await showState(click, next(stateOf(click), chosen), context);
    });
  }
}

/** What the menu of a message does with the message itself. */
export const CONTROLS: readonly MenuEntry[] = [
  { value: 'refresh', may: 'post', choose: (use, context) => redraw(use, use.opened.state, context, 'anew') },
  {
    value: 'swap',
    may: 'post',
    choose: (use, context) => showInPlace(use, swapped(use.opened.state), context),
  },
];

/** The comparison the other way round: where both may be of two devices, either can be what the other is measured by. */
function swapped({ before, beforeMadeAt, ...state }: ViewState): ViewState {
  if (before === undefined || beforeMadeAt === undefined) return state;
  const { question, madeAt } = state;
  return {
    ...state,
    question: before,
    madeAt: beforeMadeAt,
    before: question,
    beforeMadeAt: madeAt,
    page: 0,
  };
}
