import type { AllMiddlewareArgs } from '@slack/bolt';
import { withSearch } from '../../core/lookup.ts';
import { isTooMuch, readSearch } from '../../core/search-text.ts';
import type { ViewState } from '../block-kit/action-values.ts';
import { readMessageModal } from '../block-kit/message-modal.ts';
import type { Click } from '../front/click.ts';
import type { ListenerContext } from '../front/context.ts';
import { listenToForm } from '../front/form.ts';
import type { Listeners } from '../front/listeners.ts';
import { messageModalOf, openOver, redrawUnder } from '../front/message-modal.ts';
import { SEARCH_INPUT, SEARCH_TOO_LONG, SEARCH_VIEW, searchModal } from '../views/search-modal.ts';

/** "Search…" was submitted: the message shows the matches, or everything if the field is empty. */
export function listenToSearch(on: Listeners, context: ListenerContext): void {
  listenToForm(on, SEARCH_VIEW, 'post', context, ({ view, body }) => {
    const search = readSearch(view.state.values[SEARCH_INPUT]?.[SEARCH_INPUT]?.value ?? '');
    if (isTooMuch(search)) return { errors: { [SEARCH_INPUT]: SEARCH_TOO_LONG } };
    const modal = readMessageModal(view);
    const state = { ...withSearch(modal.state, search), page: 0 };
    return { work: () => redrawUnder(modal, state, body.user.id, context) };
  });
}

/** Opens the modal that asks. */
export async function askWhatToSearch(
  click: Click & Pick<AllMiddlewareArgs, 'client'>,
  state: ViewState,
  context: ListenerContext,
): Promise<void> {
  await openOver(click, messageModalOf(click, state, context.now()), searchModal(state.search), context);
}
