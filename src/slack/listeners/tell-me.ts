import type { ButtonAction } from '@slack/bolt';
import { HAS_ENDED, TELL_ME_ACTION } from '../answer/waiting.ts';
import { readCancel } from '../block-kit/action-values.ts';
import type { Subscribed } from '../delivery/notifier.ts';
import { type ButtonClick, orTellClicker, tellClicker } from '../front/click.ts';
import type { ListenerContext } from '../front/context.ts';
import type { Listeners } from '../front/listeners.ts';

const ANSWERS: Record<Subscribed, string> = {
  joined: 'You’re on the list: I’ll mention you in the thread when it’s done.',
  over: HAS_ENDED,
  full: 'The list is full: check that message later.',
};
const IS_TOLD_ANYWAY = 'You’re on the list: I’ll mention you if this takes over a minute.';

/** "Tell me too" on a waiting message: for anyone. */
export function listenToTellMe(on: Listeners, context: ListenerContext): void {
  on.click<ButtonAction>(TELL_ME_ACTION, { message: 'post' }, async (click) => {
    await click.ack();
    await orTellClicker(click, context, () => join(click, context));
  });
}

async function join(click: ButtonClick, context: ListenerContext): Promise<void> {
  const { lookups, notifier } = context;
  const { lookupId } = readCancel(click.action.value);
  const open = await lookups.find(lookupId);
  const { id } = click.body.user;
  // The asker too is told that it is over.
  const outcome = open === undefined ? 'over' : await notifier.join(lookupId, id);
  const text = outcome !== 'over' && id === open?.askedBy ? IS_TOLD_ANYWAY : ANSWERS[outcome];
  await tellClicker(click, context, text);
}
