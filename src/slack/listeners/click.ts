import type { BlockAction, ButtonAction, SlackActionMiddlewareArgs } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import type { Message } from '../blocks.ts';
import { faultNotice } from '../messages/fault-message.ts';
import { type Place, responseUrl } from '../place.ts';
import type { ListenerContext } from './context.ts';

/** A click on a button of one of the bot's messages or modals. */
export type ButtonClick = SlackActionMiddlewareArgs<BlockAction<ButtonAction>>;

/** The place of the message that was clicked: what is shown there is replaced. */
export function placeOf({ body }: ButtonClick, now: number): Place {
  const { container, user } = body;
  const thread = container.thread_ts === undefined ? {} : { threadTs: String(container.thread_ts) };
  const place = { channel: body.channel?.id ?? user.id, user: user.id, ...thread };
  const response = { response: responseUrl(body.response_url, true, now) };
  // An ephemeral message can only be replaced through the click itself.
  if (container.is_ephemeral === true || container.message_ts === undefined) return { ...place, ...response };
  return { ...place, messageTs: String(container.message_ts) };
}

/** Replaces the message that was clicked. */
export async function replaceClicked(
  { body }: ButtonClick,
  { responses, now }: ListenerContext,
  message: Message,
): Promise<void> {
  await responses.post(responseUrl(body.response_url, true, now()), message);
}

/** Does what a click asks for; a fault is told to the one who clicked, and to nobody else. */
export async function orTellClicker(
  { respond, action }: ButtonClick,
  { logger, loginUrl }: ListenerContext,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isFault(error)) throw error;
    logger.warn({ err: error, action: action.action_id }, 'a click could not be served');
    await respond({ response_type: 'ephemeral', replace_original: false, ...faultNotice(error, loginUrl) });
  }
}
