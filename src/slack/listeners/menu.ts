import type { OverflowAction } from '@slack/bolt';
import { MENU_ACTION, MENU_CHOICES } from '../answer/parts/result-menu.ts';
import { readState, type ViewState } from '../block-kit/action-values.ts';
import type { ListenerContext } from '../front/context.ts';
import type { Listeners } from '../front/listeners.ts';
import { interactionOf } from '../front/message-modal.ts';
import { askWhatToCompare } from './compare.ts';
import { redraw } from './controls.ts';
import { exportResult } from './export.ts';
import { openMore } from './more.ts';
import { askWhatToSearch } from './search.ts';

/** The menu of a result: refresh, search, compare, export and more. */
export function listenToMenu(on: Listeners, context: ListenerContext): void {
  on.click<OverflowAction>(MENU_ACTION, { message: 'post' }, async (click) => {
    await click.ack();
    const state = readState(click.action.block_id);
    const choice = MENU_CHOICES.find((known) => known === click.action.selected_option.value);
    if (choice === 'refresh') await redraw(click, state, context, 'anew');
    else if (choice === 'search') await askWhatToSearch(click, state, context);
    else if (choice === 'compare') await askWhatToCompare(click, state, context);
    else if (choice === 'swap') await redraw(click, swapped(state), context);
    else if (choice === 'others') await openMore(click, state, context);
    else if (choice !== undefined) await exportResult(interactionOf(click, context), state, choice, context);
  });
}

/** The comparison the other way round: of two devices, each may be the one that the other is measured by. */
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
