import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { readCancel } from '../button-values.ts';
import { TELL_ME_ACTION } from '../messages/waiting-message.ts';
import type { Joined } from '../telling.ts';
import { type ButtonClick, orTellClicker } from './click.ts';
import type { ListenerContext } from './context.ts';

const ANSWERS: Record<Joined, string> = {
  joined:
    'You will be mentioned in the thread of that message when the snapshot is ready, or cannot be read.',
  over: 'The wait is over: that message shows what came of it.',
  full: 'More people than one reply can mention want to be told already: please look at that message later.',
};
const IS_TOLD_ANYWAY =
  'You asked for it: you will be mentioned in the thread if it takes more than a minute.';

/** "Tell me too" on a message that waits: for anyone. */
export function listenToTellMe(app: App, context: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>(TELL_ME_ACTION, async (click) => {
    await click.ack();
    await orTellClicker(click, context, () => join(click, context));
  });
}

async function join(click: ButtonClick, { telling }: ListenerContext): Promise<void> {
  const { lookupId, askedBy } = readCancel(click.action.value);
  const { id } = click.body.user;
  const text = id === askedBy ? IS_TOLD_ANYWAY : ANSWERS[await telling.join(lookupId, id)];
  await click.respond({ response_type: 'ephemeral', replace_original: false, text });
}
