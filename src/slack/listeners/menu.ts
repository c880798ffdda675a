import type { App, BlockAction, OverflowAction } from '@slack/bolt';
import { readState } from '../button-values.ts';
import { MENU_ACTION, MENU_CHOICES } from '../messages/result-menu.ts';
import { askWhatToCompare } from './compare.ts';
import type { ListenerContext } from './context.ts';
import { redraw } from './controls.ts';
import { exportResult } from './export.ts';

/** The menu below a result: refresh, compare, export. */
export function listenToMenu(app: App, context: ListenerContext): void {
  app.action<BlockAction<OverflowAction>>(MENU_ACTION, async (click) => {
    await click.ack();
    const state = readState(click.action.block_id);
    const choice = MENU_CHOICES.find((known) => known === click.action.selected_option.value);
    if (choice === 'refresh') await redraw(click, state, context, 'anew');
    else if (choice === 'compare') await askWhatToCompare(click, state);
    else if (choice !== undefined) await exportResult(click, state, choice, context);
  });
}
