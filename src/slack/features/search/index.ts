import type { types } from '@slack/bolt';
import { withSearch } from '../../../core/lookup.ts';
import type { Search } from '../../../core/searching.ts';
import { readSearchInput, searchInput } from '../../answer/search-input.ts';
import { modal } from '../../block-kit/modal.ts';
import type { Feature } from '../../front/feature.ts';
import { listenToForm } from '../../front/form.ts';
import { inForm, redraw } from '../../front/result-use.ts';

const SEARCH_VIEW = 'search';

/** "Search…": the message shows what is found in its result, or everything if the field is empty. */
export const search: Feature = {
  menu: [
    { value: 'search', may: 'post', choose: ({ show, opened }) => show(searchModal(opened.state.search)) },
  ],
  listen: (on, context) =>
    listenToForm(on, SEARCH_VIEW, 'post', context, (submission) => {
      const read = readSearchInput(submission.view.state.values);
      if ('errors' in read) return read;
      const use = inForm(submission, context);
      const state = { ...withSearch(use.opened.state, read.search), page: 0 };
      return { work: () => redraw(use, state, context) };
    }),
};

/** Asks for the words to search a result for. */
export function searchModal(before: Search = []): types.ModalView {
  const frame = { title: 'Search in the result', callbackId: SEARCH_VIEW, submit: 'Search' };
  return modal({ ...frame, close: 'Cancel' }, [searchInput(before, { focus_on_load: true })]);
}
