import type { webApi } from '@slack/bolt';
import type { Actor } from '../access/actor.ts';
import type { Message } from '../block-kit/blocks.ts';
import { INERT } from '../block-kit/inert-text.ts';
import { noticeModal } from '../block-kit/modal.ts';
import { mayBeARequest } from '../commands/mention-of-bot.ts';
import { tellPrivately } from '../delivery/response-url-poster.ts';
import type { ListenerContext } from './context.ts';
import { updateView } from './windows.ts';

/** How the sender of a delivery can be answered. */
export type Answering = {
  readonly client: webApi.WebClient;
  /** Acknowledges the delivery, if it can carry an answer; events are acknowledged elsewhere. */
  readonly ack: (answer?: object) => Promise<void>;
  /** Whether it was acknowledged, or is elsewhere. */
  readonly isAcknowledged: () => boolean;
  readonly botUser: string;
};

/**
 * Acknowledges a delivery and tells its sender something that nobody else sees: in the acknowledgement while that is
 * possible, else where the delivery came from. `isTold`: whether to send an answer that takes a request to Slack.
 * Throws what Slack's client throws.
 */
export async function answerAlone(
  { entryPoint, user, channels: [channel] }: Actor,
  message: Message,
  { client, ack, isAcknowledged, botUser }: Answering,
  { responses }: Pick<ListenerContext, 'responses'>,
  isTold: () => boolean = () => true,
): Promise<void> {
  if (!isAcknowledged()) {
    if (entryPoint.kind === 'command') return ack({ response_type: 'ephemeral', ...message });
    if (entryPoint.kind === 'submission') {
      return ack({ response_action: 'update', view: noticeModal(message.text) });
    }
    await ack();
  }
  if (!isTold()) return;
  switch (entryPoint.kind) {
    case 'command':
    case 'message-click':
      return tellPrivately({ client, responses }, { ...entryPoint, channel: channel ?? user, user }, message);
    case 'modal-click':
    case 'submission':
      return tellInWindow(entryPoint, user, message, client);
    case 'shortcut':
      await client.views.open({ trigger_id: entryPoint.triggerId, view: noticeModal(message.text) });
      return;
    case 'home-opened':
    case 'home-click':
      await client.views.publish({ user_id: user, view: { type: 'home', blocks: message.blocks } });
      return;
    case 'mention':
      // A mention that asks for nothing needs no answer.
      if (!mayBeARequest(entryPoint.text, botUser)) return;
      return tellPrivately({ client, responses }, { ...entryPoint, channel: channel ?? '', user }, message);
    case 'direct-message': {
      const { threadTs } = entryPoint;
      const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
      await client.chat.postMessage({ channel: channel ?? user, ...message, ...thread, ...INERT });
      return;
    }
    default:
      return entryPoint satisfies never;
  }
}

/** In the window; the form of a submission has closed when it was acknowledged. */
async function tellInWindow(
  { kind, viewId }: { readonly kind: 'modal-click' | 'submission'; readonly viewId: string },
  user: string,
  message: Message,
  client: webApi.WebClient,
): Promise<void> {
  const isThere = await updateView(client, viewId, noticeModal(message.text));
  if (isThere || kind === 'modal-click') return;
  await client.chat.postMessage({ channel: user, ...message, ...INERT });
}
