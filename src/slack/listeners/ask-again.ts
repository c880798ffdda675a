import type { ButtonAction } from '@slack/bolt';
import { ASK_AGAIN_ACTION } from '../answer/timed-out-message.ts';
import { readView } from '../block-kit/action-values.ts';
import { type ButtonClick, destinationOf, orTellClicker } from '../front/click.ts';
import type { ListenerContext } from '../front/context.ts';
import type { Listeners } from '../front/listeners.ts';

/** How long a second press is ignored; after that the message shows an answer, or that it waits. */
const PRESSED_AGAIN_MS = 2_000;

/** "Try again" and "Keep waiting": the same request again, answered in the clicked message. */
export function listenToAskAgain(on: Listeners, context: ListenerContext): void {
  on.click<ButtonAction>(ASK_AGAIN_ACTION, { message: 'post' }, async (click) => {
    await orTellClicker(click, context, () => askAgain(click, context));
    await click.ack();
  });
}

async function askAgain(click: ButtonClick, { leases, lookups, now }: ListenerContext): Promise<void> {
  const { container, user } = click.body;
  // Several presses, also by several people, begin one wait.
  const message = `ask-again:${container.channel_id}:${container.message_ts}`;
  if (!(await leases.acquire(message, PRESSED_AGAIN_MS))) return;
  const { show: _shown, ...asked } = readView(click.action.value);
  await lookups.accept({ ...asked, askedBy: user.id, destination: destinationOf(click, now()) });
}
