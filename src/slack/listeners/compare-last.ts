import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { readView } from '../block-kit/action-values.ts';
import { responseUrl } from '../delivery/response-url.ts';
import { COMPARE_LAST_ACTION } from '../messages/parts/last-read-line.ts';
import { type ButtonClick, originOf, orTellClicker } from './click.ts';
import { type ListenerContext, once } from './context.ts';

/** "Compare" on a result whose device was read before: a comparison like one that was typed, beside the result. */
export function listenToCompareLast(app: App, context: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>(COMPARE_LAST_ACTION, async (click) => {
    await click.ack();
    await orTellClicker(click, context, () => compare(click, context));
  });
}

async function compare(click: ButtonClick, context: ListenerContext): Promise<void> {
  const { user, response_url, trigger_id } = click.body;
  const { channel, threadTs, messageTs } = originOf(click);
  const { show: _shown, ...asked } = readView(click.action.value);
  const thread = threadTs === undefined ? {} : { threadTs };
  // What only one person sees is compared for that person.
  const response =
    messageTs === undefined ? { response: responseUrl(response_url, false, context.now()) } : {};
  const destination = { channel, user: user.id, ...thread, ...response };
  await once(context, trigger_id, () => context.lookups.accept({ ...asked, askedBy: user.id, destination }));
}
