import type { AllMiddlewareArgs, ButtonAction, StaticSelectAction } from '@slack/bolt';
import { CHANGES } from '../../core/comparing.ts';
import { withSearch } from '../../core/lookup.ts';
import { SHOW_ACTION } from '../answer/comparison-message.ts';
import { processingNotice } from '../answer/fault-message.ts';
import { NEXT_ACTION, PREVIOUS_ACTION } from '../answer/page.ts';
import { FILTER_ACTION } from '../answer/parts/filter-select.ts';
import { withShow } from '../answer/private-message.ts';
import { WHOLE_RESULT_ACTION } from '../answer/search-message.ts';
import { viewMessage } from '../answer/view-message.ts';
import { readFilter, readState, showValue, type ViewState } from '../block-kit/action-values.ts';
import { replaceOwned } from '../delivery/owners.ts';
import { type Click, originOf, orTellClicker, replaceClicked, tellClicker } from '../front/click.ts';
import type { ListenerContext } from '../front/context.ts';
import type { Listeners } from '../front/listeners.ts';
import { readAnswers, sinceMade } from '../front/reading.ts';
import { browseIn, readerOf } from './browse.ts';

/** In a message everybody sees what is chosen; in a window, only this person. */
const PLACES = { message: 'post', window: 'read' } as const;
const PAGING = new RegExp(`^(?:${PREVIOUS_ACTION}|${NEXT_ACTION})$`);

/**
 * The controls of a result: pages, filters and changes, for anyone at any time. The message carries its state, so they
 * work after restarts; the clicked message is edited, so nothing is posted.
 */
export function listenToControls(on: Listeners, context: ListenerContext): void {
  on.click<ButtonAction>(PAGING, PLACES, async (click) => {
    await click.ack();
    const state = readState(click.action.block_id);
    const page = state.page + (click.action.action_id === NEXT_ACTION ? 1 : -1);
    await redraw(click, { ...state, page: Math.max(page, 0) }, context);
  });
  on.click<StaticSelectAction>(FILTER_ACTION, PLACES, async (click) => {
    await click.ack();
    const filter = readFilter(click.action.selected_option.value);
    await redraw(click, { ...readState(click.action.block_id), filter, page: 0 }, context);
  });
  on.click<ButtonAction>(WHOLE_RESULT_ACTION, PLACES, async (click) => {
    await click.ack();
    const everything = withSearch(readState(click.action.block_id), []);
    await redraw(click, { ...everything, page: 0 }, context);
  });
  on.click<StaticSelectAction>(SHOW_ACTION, PLACES, async (click) => {
    await click.ack();
    const { show: _before, ...state } = readState(click.action.block_id);
    const show = CHANGES.find((change) => change === click.action.selected_option.value);
    await redraw(click, { ...state, ...(show && { show }), page: 0 }, context);
  });
}

/** Shows this state in the clicked message or modal, from the cache or read from the service. */
export async function redraw(
  click: Click & Pick<AllMiddlewareArgs, 'client'>,
  state: ViewState,
  context: ListenerContext,
  how: 'cached' | 'anew' = 'cached',
): Promise<void> {
  const { view, user } = click.body;
  if (view !== undefined) return browseIn(click.client, view, state, readerOf(view, user.id), context);
  const draw = async () => {
    const answers = await readAnswers(state, context, how);
    // A click cannot wait for the service.
    if (answers === undefined) return tellClicker(click, context, processingNotice(state));
    const since = await sinceMade(state, answers, context);
    const origin = originOf(click);
    // A private message keeps its offer to show the result to everyone.
    const isPrivate = click.body.container.is_ephemeral === true;
    const shows = showValue(state, state.threadTs ?? origin.threadTs);
    await replaceOwned(
      origin,
      context,
      (times) => viewMessage({ ...state, turn: state.turn + times }, answers, since),
      (message) => replaceClicked(click, context, isPrivate ? withShow(message, shows) : message),
    );
  };
  await orTellClicker(click, context, draw, state);
}
