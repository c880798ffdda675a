import { randomUUID } from 'node:crypto';
import type { AllMiddlewareArgs, AnyMiddlewareArgs } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import { isApp } from '../../core/lookup.ts';
import { Remembered } from '../../core/remembered.ts';
import { UnreadableValue } from '../blocks/action-values.ts';
import { type Message, notice } from '../blocks/blocks.ts';
import { noticeModal } from '../blocks/modal.ts';
import { mayBeARequest } from '../commands/parse-command.ts';
import { tellPrivately } from '../delivery/response-url-poster.ts';
import { isOfSlack } from '../delivery/slack-errors.ts';
import { faultText } from '../report/faults.ts';
import { noticeOf } from '../report/notices.ts';
import { type Permission, Refused } from './access.ts';
import type { ListenerContext } from './context.ts';
import type { Actor, Received } from './delivery.ts';
import { NotSlack } from './slack-client.ts';
import { windowAt } from './windows.ts';

/** A delivery of a person, or of another app. */
type Sent = Received & { readonly actor: Actor };

/** What a click costs that only reads; all else costs 1. */
const COST_OF_READING = 0.25;

/**
 * Runs around every listener of a person's delivery: repetition, share, access, then the listener. A refusal and a
 * failure are told to that person alone. `permission`: what the listener needs; undefined if no listener is registered,
 * as for a button of another version during an upgrade.
 */
export function guarded(context: ListenerContext) {
  const { access, fairShare, rules } = context;
  // In memory alone: a lookup is stored once, whichever replica a delivery reaches.
  const seen = new Remembered<true>();
  return async (
    args: AnyMiddlewareArgs & AllMiddlewareArgs,
    permission: Permission | undefined,
    listener: () => Promise<unknown> | undefined,
  ): Promise<void> => {
    const received: Received = args.context.received;
    const { actor, id, ack } = received;
    // Slack also tells the bot of its own messages, and of those of other apps.
    if (actor === undefined || (isApp(actor.user) && !rules.apps.includes(actor.user))) return;
    if (seen.get(id)) return void (await ack());
    seen.set(id, true, 0);
    try {
      // First of all checks, so that a flood costs neither requests to Slack nor the store.
      fairShare.pay(actor.user, permission === 'read' ? COST_OF_READING : 1);
      const refusal = await access.refusalOf(actor, permission ?? 'read');
      if (refusal !== undefined) throw new Refused(refusal);
      if (permission === undefined) throw new UnreadableValue();
      await listener();
      context.onDelivery(actor.kind, 'served');
    } catch (error) {
      // A repetition of a failed delivery is served.
      seen.delete(id);
      await tellWhy(error, { ...received, actor }, context);
    }
  };
}

/** Notes why a delivery was refused, or its listener failed, and tells its sender. Does not throw. */
async function tellWhy(error: unknown, sent: Sent, context: ListenerContext): Promise<void> {
  const { kind, user, channels } = sent.actor;
  const { operator, fairShare, audit } = context;
  const logger = context.logger.child({ entryPoint: kind, user });
  const isRefused = error instanceof Refused;
  context.onDelivery(kind, isRefused ? 'refused' : 'failed');
  if (isRefused) logger.info({ refusal: error.reason }, 'refused');
  // A person who pasted a link has asked for nothing.
  if (isRefused && kind !== 'link')
    audit({ event: 'refused', user, channel: channels[0], outcome: error.reason });
  const message = isRefused ? noticeOf(error.reason, operator) : noted(error, { ...context, logger });
  try {
    if (await isAcknowledgedWith(message, sent)) return;
    // A pasted link, or a mention that asks for nothing, needs no answer.
    const mayAsk = kind !== 'link' && (kind !== 'mention' || mayBeARequest(sent.actor.text ?? ''));
    // A person who is refused 200 times is not told 200 times.
    if (mayAsk && (!isRefused || fairShare.shouldTell(user))) await tell(sent.actor, message, context);
  } catch (err) {
    logger.warn({ err }, 'a person could not be told of a refusal or a failure');
  }
}

/** Logs the error by its kind, and gives the notice for the person. */
function noted(err: unknown, { logger, operator, onBug }: ListenerContext): Message {
  if (err instanceof UnreadableValue || err instanceof NotSlack) {
    logger.warn(err.message);
    return noticeOf('outdated');
  }
  if (isFault(err)) {
    logger.error({ err }, 'a listener failed');
    return notice(faultText(err, operator));
  }
  if (isOfSlack(err)) {
    logger.error({ err }, 'a listener failed: Slack did not take a request');
    return noticeOf('slack-failed', operator);
  }
  const reference = randomUUID().slice(0, 8);
  onBug(reference);
  logger.error({ err, reference }, 'a listener failed because of a bug');
  return noticeOf('bug', { ...operator, reference });
}

/** Acknowledges a delivery; true if the acknowledgement shows the message, as for commands and forms. */
async function isAcknowledgedWith(message: Message, { actor: { kind }, ack }: Sent): Promise<boolean> {
  if (kind === 'command') return ack({ response_type: 'ephemeral', ...message });
  if (kind === 'submission') return ack({ response_action: 'update', view: noticeModal(message.text) });
  await ack();
  return false;
}

/** Tells the sender where the delivery came from: on the Home tab, in a window, else beside the message. */
async function tell(actor: Actor, message: Message, context: ListenerContext): Promise<unknown> {
  const { kind, user, triggerId, viewId } = actor;
  const [channel = user] = actor.channels;
  const view = noticeModal(message.text);
  switch (kind) {
    case 'home-opened':
      return context.client.views.publish({ user_id: user, view: { type: 'home', blocks: message.blocks } });
    case 'home-click':
    case 'shortcut':
      return windowAt({ context, triggerId })(view);
    case 'modal-click':
    case 'submission': {
      // The form of a submission may have closed when it was acknowledged.
      const isShown = await windowAt({ context, viewId })(view);
      return isShown || tellPrivately(context, { channel: user, user }, message);
    }
    default:
      return tellPrivately(context, { ...actor, channel }, message);
  }
}
