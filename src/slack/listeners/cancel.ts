import type { ButtonAction } from '@slack/bolt';
import { CANCEL_ACTION } from '../answer/waiting-message.ts';
import { readCancel } from '../block-kit/action-values.ts';
import { type ButtonClick, destinationOf, orTellClicker, tellClicker } from '../front/click.ts';
import type { ListenerContext } from '../front/context.ts';
import type { Listeners } from '../front/listeners.ts';

/** For whoever uses a message of a lookup that the bot no longer works on, whatever the message says. */
export const HAS_ENDED =
  'This lookup has ended: see that message. If it shows no answer, ask for the snapshot again.';

/** "Cancel" on a waiting message: for the asker alone. */
export function listenToCancel(on: Listeners, context: ListenerContext): void {
  on.click<ButtonAction>(CANCEL_ACTION, { message: 'post' }, async (click) => {
    await click.ack();
    await orTellClicker(click, context, () => cancel(click, context));
  });
}

async function cancel(click: ButtonClick, context: ListenerContext): Promise<void> {
  const { lookups, now } = context;
  const { lookupId } = readCancel(click.action.value);
  const open = await lookups.find(lookupId);
  if (open === undefined) return tellClicker(click, context, HAS_ENDED);
  // A private message can only be replaced through the response URL of this click.
  const { response } = destinationOf(click, now());
  if (click.body.user.id === open.askedBy) return lookups.cancel(lookupId, response && { response });
  await tellClicker(click, context, `Only <@${open.askedBy}>, who asked for it, can cancel this.`);
}
