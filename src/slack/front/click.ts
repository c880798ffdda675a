import type { BlockAction, BlockElementAction, ButtonAction, SlackActionMiddlewareArgs } from '@slack/bolt';
import { type Destination, responseUrl } from '../../core/lookup.ts';
import { readState, type ViewState } from '../block-kit/action-values.ts';
import type { Message } from '../block-kit/blocks.ts';
import type { Origin } from '../block-kit/modal.ts';
import { tellPrivately } from '../delivery/response-url-poster.ts';
import { ResponseUrlFailed } from '../delivery/slack-errors.ts';
import type { ListenerContext } from './context.ts';

/** A use of an element of one of the bot's messages or modals. */
export type Click<Action extends BlockElementAction = BlockElementAction> = SlackActionMiddlewareArgs<
  BlockAction<Action>
>;
export type ButtonClick = Click<ButtonAction>;

/** What all clicks have in common. */
type AnyClick = { readonly body: Pick<BlockAction, 'container' | 'user' | 'channel' | 'response_url'> };

/** The destination that replaces the clicked message. */
export function destinationOf({ body }: AnyClick, now: number): Destination {
  const { messageTs, ...origin } = originOf({ body });
  const thread = origin.threadTs === undefined ? {} : { hasThread: true };
  const destination = { ...origin, ...thread, user: body.user.id };
  // An ephemeral message can only be replaced through the click's response URL.
  if (messageTs === undefined) return { ...destination, response: responseUrl(body.response_url, true, now) };
  return { ...destination, messageTs };
}

/** The message that was clicked. */
export function originOf({ body }: AnyClick): Origin {
  const { container, user, channel } = body;
  const { thread_ts: threadTs, message_ts: messageTs, is_ephemeral: isEphemeral } = container;
  // The first message of a thread names that thread too, though it is in the channel itself.
  const isInThread = threadTs !== undefined && threadTs !== messageTs;
  return {
    channel: channel?.id ?? user.id,
    ...(isInThread ? { threadTs: String(threadTs) } : {}),
    ...(isEphemeral === true || messageTs === undefined ? {} : { messageTs: String(messageTs) }),
  };
}

type OnResult = {
  readonly body: Pick<BlockAction, 'message'>;
  readonly action: Pick<BlockElementAction, 'block_id'>;
};

/** What the result shows that was clicked: Slack sends it as it is; only of a private one, or in a window, the click says it. */
export function stateOf({ body: { message }, action }: OnResult): ViewState {
  return readState(message?.blocks?.at(-1)?.block_id ?? action.block_id);
}

/** Replaces the message that was clicked. Throws `ResponseUrlFailed`, also if Slack does not allow it. */
export async function replaceClicked(
  { body }: AnyClick,
  { responses, now }: ListenerContext,
  message: Message,
): Promise<void> {
  const used = await responses.post(responseUrl(body.response_url, true, now()), message);
  if (used === undefined) throw new ResponseUrlFailed();
}

/**
 * Tells the clicker something that nobody else sees: in the thread, if the message is in one. Throws
 * `ResponseUrlFailed`, and what Slack's client throws.
 */
export async function tellClicker(
  click: AnyClick,
  context: Pick<ListenerContext, 'client' | 'responses'>,
  said: Parameters<typeof tellPrivately>[2],
): Promise<void> {
  const { channel, threadTs } = originOf(click);
  const { user, response_url: responseUrl } = click.body;
  await tellPrivately(context, { channel, user: user.id, threadTs, responseUrl }, said);
}
