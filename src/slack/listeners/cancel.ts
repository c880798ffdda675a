import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { readCancel } from '../button-values.ts';
import { CANCEL_ACTION } from '../messages/waiting-message.ts';
import { type ButtonClick, orTellClicker, tellClicker } from './click.ts';
import type { ListenerContext } from './context.ts';

/** "Cancel" on a message that waits: for the one who asked. */
export function listenToCancel(app: App, context: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>(CANCEL_ACTION, async (click) => {
    await click.ack();
    await orTellClicker(click, context, () => cancel(click, context));
  });
}

async function cancel(click: ButtonClick, { lookups }: ListenerContext): Promise<void> {
  const { lookupId, askedBy } = readCancel(click.action.value);
  if (click.body.user.id === askedBy) return lookups.cancel(lookupId);
  await tellClicker(click, `Only <@${askedBy}>, who asked for it, can cancel this.`);
}
