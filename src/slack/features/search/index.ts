import type { types } from '@slack/bolt';
import { withSearch } from '../../../core/lookup.ts';
import type { Search } from '../../../core/searching.ts';
import { readSearchInput, searchInput } from '../../answer/search-input.ts';
import { modal } from '../../block-kit/modal.ts';
import type { Feature } from '../../front/feature.ts';
import { listenToForm } from '../../front/form.ts';
import { isAsker, readAlone } from '../../front/reader-window.ts';
import { inForm, redraw } from '../../front/result-use.ts';

const SEARCH_VIEW = 'search';

/**
 * "Search…": the message shows what is found in its result, or everything if the field is empty; to anybody but its asker,
 * a window of that person's own does.
 */
export const search: Feature = {
  menu: [
    {
      value: 'search',
      may: 'post',
      choose: (use, context) => {
        const { show, opened } = use;
        const { state } = opened;
        // The window of a reader has a field to search in.
        return isAsker(use) ? show(searchModal(state.search)) : readAlone(use, state, context);
      },
    },
  ],
  listen: (on, context) =>
    listenToForm(on, SEARCH_VIEW, 'post', context, (submission) => {
      const use = inForm(submission, context);
      const read = readSearchInput(submission.view.state.values, use.opened.state);
      if ('errors' in read) return read;
      const state = { ...withSearch(use.opened.state, read.search), page: 0 };
      return { work: () => redraw(use, state, context) };
    }),
};

/** Asks for the words to search a result for. */
export function searchModal(before: Search = []): types.ModalView {
  const frame = { title: 'Search in the result', callbackId: SEARCH_VIEW, submit: 'Search' };
  return modal({ ...frame, close: 'Cancel' }, [searchInput(before, { focus_on_load: true })]);
}
