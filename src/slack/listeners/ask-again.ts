import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { readView } from '../button-values.ts';
import { ASK_AGAIN_ACTION } from '../messages/timed-out-message.ts';
import { type ButtonClick, orTellClicker, placeOf } from './click.ts';
import type { ListenerContext } from './context.ts';

/** By then the message shows an answer, or that it waits for one. */
const PRESSED_AGAIN_MS = 2_000;

/** "Try again" and "Keep waiting": the same question anew, answered in the message that was clicked. */
export function listenToAskAgain(app: App, context: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>(ASK_AGAIN_ACTION, async (click) => {
    await orTellClicker(click, context, () => askAgain(click, context));
    await click.ack();
  });
}

async function askAgain(click: ButtonClick, { claims, lookups, now }: ListenerContext): Promise<void> {
  const { container, user } = click.body;
  // However often and by however many it is pressed: one message waits once.
  const message = `ask-again:${container.channel_id}:${container.message_ts}`;
  if (!(await claims.take(message, PRESSED_AGAIN_MS))) return;
  const { question, before, filter } = readView(click.action.value);
  const asked = { question, ...(before && { before }), ...(filter && { filter }) };
  await lookups.accept({ ...asked, askedBy: user.id, place: placeOf(click, now()) });
}
