import type { AllMiddlewareArgs, ButtonAction } from '@slack/bolt';
import { readState } from '../block-kit/action-values.ts';
import { ON_IT_ACTION } from '../messages/parts/owners-line.ts';
import { type ButtonClick, originOf, orTellClicker } from './click.ts';
import type { ListenerContext } from './context.ts';
import { redraw } from './controls.ts';
import type { Listeners } from './listeners.ts';

/** "I'm on it" on a result, for anyone. It edits the message, so that nobody is notified. */
export function listenToOnIt(on: Listeners, context: ListenerContext): void {
  on.click<ButtonAction>(ON_IT_ACTION, { message: 'post' }, async (click) => {
    await click.ack();
    await orTellClicker(click, context, () => toggle(click, context));
  });
}

async function toggle(
  click: ButtonClick & Pick<AllMiddlewareArgs, 'client'>,
  context: ListenerContext,
): Promise<void> {
  const { channel, messageTs } = originOf(click);
  // A private message is seen by nobody else.
  if (messageTs === undefined) return;
  const { id: user } = click.body.user;
  const state = readState(click.action.block_id);
  const isOnIt = await context.owners.toggle({ channel, ts: messageTs }, user, context.now());
  const { snapshotId: snapshot } = state.question;
  context.audit({ event: 'on it', user, channel, snapshot, outcome: isOnIt ? 'said' : 'taken back' });
  await redraw(click, state, context);
}
