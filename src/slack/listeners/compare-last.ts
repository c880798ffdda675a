import type { ButtonAction } from '@slack/bolt';
import { COMPARE_LAST_ACTION } from '../answer/since.ts';
import { readView } from '../block-kit/action-values.ts';
import { responseUrl } from '../delivery/response-url.ts';
import { type EntryPoint, take } from '../front/accept.ts';
import { type ButtonClick, originOf, tellClicker } from '../front/click.ts';
import type { ListenerContext } from '../front/context.ts';
import type { Listeners } from '../front/listeners.ts';

/** "Compare" on a result whose device was read before: a comparison with that result, in a new message. */
export function listenToCompareLast(on: Listeners, context: ListenerContext): void {
  on.click<ButtonAction>(COMPARE_LAST_ACTION, { message: 'ask' }, async (click) => {
    await click.ack();
    const { show: _shown, ...asked } = readView(click.action.value);
    await take(asked, entryPointOf(click, context), context);
  });
}

function entryPointOf(click: ButtonClick, context: ListenerContext): EntryPoint {
  const { responses, now } = context;
  const { user, response_url: url, trigger_id: triggerId } = click.body;
  const { channel, threadTs, messageTs } = originOf(click);
  const thread = threadTs === undefined ? {} : { threadTs, hasThread: true };
  // A private result gets a private comparison.
  const response = messageTs === undefined ? { response: responseUrl(url, false, now()) } : {};
  return {
    deliveryId: triggerId,
    destination: { channel, user: user.id, ...thread, ...response },
    tell: (message) => responses.tell({ responseUrl: url, threadTs }, message),
    fail: ({ text }) => tellClicker(click, context, text),
  };
}
