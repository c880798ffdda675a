import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { readCancel } from '../block-kit/action-values.ts';
import { CANCEL_ACTION } from '../messages/waiting-message.ts';
import { type ButtonClick, destinationOf, orTellClicker, tellClicker } from './click.ts';
import type { ListenerContext } from './context.ts';

/** "Cancel" on a message that waits: for the one who asked. */
export function listenToCancel(app: App, context: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>(CANCEL_ACTION, async (click) => {
    await click.ack();
    await orTellClicker(click, context, () => cancel(click, context));
  });
}

async function cancel(click: ButtonClick, { lookups, now }: ListenerContext): Promise<void> {
  const { lookupId, askedBy } = readCancel(click.action.value);
  // A private message has an address of its own here, and only there can it be replaced.
  const { response } = destinationOf(click, now());
  if (click.body.user.id === askedBy) return lookups.cancel(lookupId, response && { response });
  await tellClicker(click, `Only <@${askedBy}>, who asked for it, can cancel this.`);
}
