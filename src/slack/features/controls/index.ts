import type { types } from '@slack/bolt';
import { withSearch } from '../../../core/lookup.ts';
import type { Search } from '../../../core/searching.ts';
import { FILTER_ACTION, SHOW_ACTION } from '../../answer/filter.ts';
import { NEXT_ACTION, PREVIOUS_ACTION } from '../../answer/page.ts';
import { modelOf, type ResultModel } from '../../answer/result-model.ts';
import { readSearchInput, searchInput } from '../../answer/result-window.ts';
import { MENU_ACTION, OTHERS, othersAreFor, WHOLE_RESULT_ACTION } from '../../answer/view-message.ts';
import { readFilter, SHOWS, type ViewState } from '../../blocks/action-values.ts';
import { actions, button } from '../../blocks/blocks.ts';
import { modal } from '../../blocks/modal.ts';
import type { Feature, MenuEntry } from '../../front/feature.ts';
import type { Listeners } from '../../front/listeners.ts';
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
    listen: (on) => {
      for (const [id, next] of Object.entries(CHANGES))
        on.click(id, PLACES, (use) => showState(use, next(use.state, use.value)));
      listenToMenu(on, [...CONTROLS, ...offered]);
      on.form(SEARCH_VIEW, 'post', (use) => {
        const read = readSearchInput(use, use.state);
        if ('errors' in read) return read;
        const state = { ...withSearch(use.state, read.search), page: 0 };
        return { work: () => redraw(use, state) };
      });
    },
  };
}

/** What the menu of a message does with the message itself. */
const CONTROLS: readonly MenuEntry[] = [
  { value: 'refresh', may: 'post', choose: (use) => redraw(use, use.state, 'anew') },
  { value: 'swap', may: 'post', choose: (use) => showInPlace(use, swapped(use.state)) },
  {
    value: 'search',
    may: 'post',
    // The window of a reader has a field to search in.
    choose: (use) => (isAsker(use) ? use.show(searchModal(use.state.search)) : readAlone(use, use.state)),
  },
];

/** In a message everybody sees what its asker chooses; in a window, only this person. */
const PLACES = { message: 'post', window: 'read' } as const;

/** Each button and menu with the state that it leads to. */
const CHANGES: Readonly<Record<string, (state: ViewState, chosen: string) => ViewState>> = {
  [PREVIOUS_ACTION]: (state) => ({ ...state, page: Math.max(state.page - 1, 0) }),
  [NEXT_ACTION]: (state) => ({ ...state, page: state.page + 1 }),
  [WHOLE_RESULT_ACTION]: (state) => ({ ...withSearch(state, []), page: 0 }),
  [FILTER_ACTION]: (state, chosen) => ({ ...state, filter: readFilter(chosen), page: 0 }),
  [SHOW_ACTION]: ({ show: _before, ...state }, chosen) => {
    const show = SHOWS.find((each) => each === chosen);
    return { ...state, ...(show && { show }), page: 0 };
  },
};

/** The menu of a result, and the window behind its last entry, with those that have no room in it. */
function listenToMenu(on: Listeners, entries: readonly MenuEntry[]): void {
  on.click(MENU_ACTION, { message: 'post' }, async (use) => {
    const { value, state, show, context } = use;
    if (value === OTHERS)
      return showDrawn(show, state, context, (answers) => moreModal(modelOf(state, answers), entries));
    await entries.find((entry) => entry.value === value)?.choose(use);
  });
  for (const { value, label, may, choose } of entries)
    if (label !== undefined) on.click(`${MORE_ACTION}${value}`, { window: may }, choose);
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
