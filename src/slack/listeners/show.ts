import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { readView } from '../button-values.ts';
import { processingNotice } from '../messages/fault-message.ts';
import { SHOW_TO_ALL_ACTION } from '../messages/private-message.ts';
import { viewMessage } from '../messages/view-message.ts';
import { type ButtonClick, orTellClicker, placeOf, tellClicker } from './click.ts';
import { type ListenerContext, once } from './context.ts';
import { readAnswers } from './reading.ts';

/** "Show to everyone" on a private answer: the result is posted for all, where the bot is no member. */
export function listenToShow(app: App, context: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>(SHOW_TO_ALL_ACTION, async (click) => {
    await click.ack();
    const view = readView(click.action.value);
    await orTellClicker(click, context, () => show(click, context), view);
  });
}

async function show(click: ButtonClick, context: ListenerContext): Promise<void> {
  const { response_url: url, user, container } = click.body;
  const { threadTs } = placeOf(click, context.now());
  const view = readView(click.action.value);
  const answers = await readAnswers(view, context);
  if (answers === undefined) return tellClicker(click, processingNotice(view));
  const { readAt, before } = answers;
  const made = { madeAt: readAt, ...(before === undefined ? {} : { beforeMadeAt: before.readAt }) };
  const message = viewMessage({ ...view, ...made, page: 0, askedBy: user.id, turn: 0 }, answers);
  // However often it is pressed: everyone needs to see it once.
  await once(context, `show:${container.channel_id}:${container.message_ts}`, async () => {
    if (await context.responses.show(url, message, threadTs)) await context.responses.remove(url);
  });
}
