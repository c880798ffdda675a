import type { ButtonAction, OverflowAction, StaticSelectAction, types } from '@slack/bolt';
import { withSearch } from '../../../core/lookup.ts';
import type { Search } from '../../../core/searching.ts';
import { FILTER_ACTION, SHOW_ACTION } from '../../answer/filter.ts';
import { NEXT_ACTION, PREVIOUS_ACTION } from '../../answer/page.ts';
import { modelOf, type ResultModel } from '../../answer/result-model.ts';
import { readSearchInput, searchInput } from '../../answer/result-window.ts';
import { MENU_ACTION, OTHERS, othersAreFor, WHOLE_RESULT_ACTION } from '../../answer/view-message.ts';
import { readFilter, SHOWS, type ViewState } from '../../block-kit/action-values.ts';
import { actions, button } from '../../block-kit/blocks.ts';
import { modal } from '../../block-kit/modal.ts';
import { listenToForm } from '../../front/accept.ts';
import { stateOf } from '../../front/click.ts';
import type { ListenerContext } from '../../front/context.ts';
import type { Listeners } from '../../front/listeners.ts';
import { type Feature, inForm, inWindow, type MenuEntry, onMessage } from '../../front/result-use.ts';
import { isAsker, readAlone, redraw, showDrawn, showInPlace, showState } from '../../front/show-result.ts';

const SEARCH_VIEW = 'search';
/** Before the value of an entry in the id of its button. */
const MORE_ACTION = 'do-';

/**
 * The controls of a result: pages, filters, changes, a search, and the menu with these entries of other features. For
 * anyone at any time: the message carries its state, so they work after restarts. The asker's choice edits the message;
 * anybody else's opens a window, so that nobody's view changes.
 */
export function controls(offered: readonly MenuEntry[]): Feature {
  return {
    menu: CONTROLS,
    listen: (on, context) => {
      listenToButtons(on, context);
      listenToMenu(on, [...CONTROLS, ...offered], context);
      listenToForm(on, SEARCH_VIEW, 'post', context, (submission) => {
        const use = inForm(submission, context);
        const read = readSearchInput(submission.view.state.values, use.opened.state);
        if ('errors' in read) return read;
        const state = { ...withSearch(use.opened.state, read.search), page: 0 };
        return { work: () => redraw(use, state, context) };
      });
    },
  };
}

/** What the menu of a message does with the message itself. */
const CONTROLS: readonly MenuEntry[] = [
  { value: 'refresh', may: 'post', choose: (use, context) => redraw(use, use.opened.state, context, 'anew') },
  {
    value: 'swap',
    may: 'post',
    choose: (use, context) => showInPlace(use, swapped(use.opened.state), context),
  },
  {
    value: 'search',
    may: 'post',
    choose: (use, context) => {
      const { state } = use.opened;
      // The window of a reader has a field to search in.
      return isAsker(use) ? use.show(searchModal(state.search)) : readAlone(use, state, context);
    },
  },
];

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

function listenToButtons(on: Listeners, context: ListenerContext): void {
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

/** The menu of a result, and the window behind its last entry, with those that have no room in it. */
function listenToMenu(on: Listeners, entries: readonly MenuEntry[], context: ListenerContext): void {
  on.click<OverflowAction>(MENU_ACTION, { message: 'post' }, async (click) => {
    const state = stateOf(click);
    const use = onMessage(click, state, context);
    const { value } = click.action.selected_option;
    if (value === OTHERS)
      return showDrawn(use.show, state, context, (answers) => moreModal(modelOf(state, answers), entries));
    await entries.find((entry) => entry.value === value)?.choose(use, context);
  });
  for (const { value, label, may, choose } of entries) {
    if (label === undefined) continue;
    on.click<ButtonAction>(`${MORE_ACTION}${value}`, { window: may }, async (click) => {
      await choose(inWindow(click, context), context);
    });
  }
}

/** The comparison the other way round: where both may be of two devices, either can be what the other is measured by. */
function swapped({ before, beforeMadeAt, ...state }: ViewState): ViewState {
  if (before === undefined || beforeMadeAt === undefined) return state;
  const { question, madeAt } = state;
  const turned = { question: before, madeAt: beforeMadeAt, before: question, beforeMadeAt: madeAt };
  return { ...state, ...turned, page: 0 };
}

/** Asks for the words to search a result for: the message shows what is found, or everything if the field is empty. */
export function searchModal(before: Search = []): types.ModalView {
  const frame = { title: 'Search in the result', callbackId: SEARCH_VIEW, submit: 'Search' };
  return modal({ ...frame, close: 'Cancel' }, [searchInput(before, { focus_on_load: true })]);
}

/** Further actions on a result: one button a line, as phones show them anyway. */
export function moreModal(model: ResultModel, entries: readonly MenuEntry[]): types.ModalView {
  const rows = entries.flatMap(({ value, label }) => {
    const text = label?.(model);
    return text === undefined ? [] : actions([button(text, `${MORE_ACTION}${value}`)]);
  });
  return modal({ title: othersAreFor(model) }, rows);
}
