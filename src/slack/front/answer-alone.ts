import { randomUUID } from 'node:crypto';
import type { webApi } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import { failureMessage, faultNotice, outdated, slackFailedMessage } from '../answer/notices.ts';
import { UnreadableValue } from '../block-kit/action-values.ts';
import { type Message, notice } from '../block-kit/blocks.ts';
import { INERT } from '../block-kit/limits.ts';
import { noticeModal } from '../block-kit/modal.ts';
import { mayBeARequest } from '../commands/sentences.ts';
import { tellPrivately } from '../delivery/response-url-poster.ts';
import { isOfSlack } from '../delivery/slack-errors.ts';
import type { ListenerContext } from './context.ts';
import type { Actor } from './delivery.ts';
import { NotSlack } from './slack-client.ts';
import { updateView } from './windows.ts';

/** How the sender of a delivery can be answered. */
export type Answering = {
  readonly client: webApi.WebClient;
  /** Acknowledges the delivery, if it can carry an answer; events are acknowledged elsewhere. */
  readonly ack: (answer?: object) => Promise<void>;
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
    case 'link':
      return;
    case 'side-panel':
      await client.entity.presentDetails({
        trigger_id: entryPoint.triggerId,
        error: { status: 'custom', custom_title: 'Snapshot', custom_message: message.text },
      });
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

/** Logs why a listener failed, and tells the person, who would wait for nothing otherwise. Does not throw. */
export async function tellFailure(
  error: unknown,
  actor: Actor,
  answering: Answering,
  context: ListenerContext,
): Promise<void> {
  const message = noted(error, actor, context);
  await answerAlone(actor, message, answering, context).catch((failed: unknown) =>
    context.logger.warn(
      { err: failed, ...about(actor) },
      'a person could not be told that a listener failed',
    ),
  );
}

/** Logs the error as what it is; gives what the person reads. */
function noted(error: unknown, actor: Actor, { logger, operator, onBug }: ListenerContext): Message {
  if (error instanceof UnreadableValue || error instanceof NotSlack) {
    logger.warn(about(actor), error.message);
    return outdated;
  }
  if (isFault(error)) {
    logger.error({ err: error, ...about(actor) }, 'a listener failed');
    return notice(faultNotice(error, operator).text);
  }
  if (isOfSlack(error)) {
    logger.error({ err: error, ...about(actor) }, 'a listener failed: Slack did not take a request');
    return slackFailedMessage(operator);
  }
  const reference = randomUUID().slice(0, 8);
  onBug(reference);
  logger.error({ err: error, reference, ...about(actor) }, 'a listener failed because of a bug');
  return failureMessage(reference, operator);
}

function about({ entryPoint, user }: Actor): { readonly entryPoint: string; readonly user: string } {
  return { entryPoint: entryPoint.kind, user };
}
