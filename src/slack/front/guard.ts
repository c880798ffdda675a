import { randomUUID } from 'node:crypto';
import type { AllMiddlewareArgs, AnyMiddlewareArgs } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import { isFault } from '../../core/faults.ts';
import { isApp } from '../../core/lookup.ts';
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

/** A delivery sent by a person or another app. */
type Sent = Received & { readonly actor: Actor };

/** The cost of a click that only reads; everything else costs 1. */
const COST_OF_READING = 0.25;

/**
 * Wraps every listener of a person's delivery: drops repetitions, applies the limit of requests, checks access, then
 * runs the listener. Tells only that person about a refusal or a failure. `permission`: what the listener needs;
 * undefined if no listener exists, for example for a button of another version during an upgrade.
 */
export function guarded(context: ListenerContext) {
  const { access, fairShare, rules } = context;
  // In memory only, because `accept` stores a lookup once even if Slack repeats the delivery to another replica.
  const seen = new LRUCache<string, true>({ max: 500 });
  return async (
    args: AnyMiddlewareArgs & AllMiddlewareArgs,
    permission: Permission | undefined,
    listener: () => Promise<unknown> | undefined,
  ): Promise<void> => {
    const received: Received = args.context.received;
    const { actor, id, ack } = received;
    // Slack also delivers messages of the bot itself and of apps that may not use it.
    if (actor === undefined || (isApp(actor.user) && !rules.apps.includes(actor.user))) return;
    if (seen.get(id)) return void (await ack());
    seen.set(id, true);
    try {
      // The limit of requests is checked first, so that a flood causes no requests to Slack or the store.
      fairShare.pay(actor.user, permission === 'read' ? COST_OF_READING : 1);
      const refusal = await access.refusalOf(actor, permission ?? 'read');
      if (refusal !== undefined) throw new Refused(refusal);
      if (permission === undefined) throw new UnreadableValue();
      await listener();
      context.onDelivery(actor.kind, 'served');
    } catch (error) {
      // Allow Slack to repeat a delivery that failed.
      seen.delete(id);
      await tellWhy(error, { ...received, actor }, context);
    }
  };
}

/** Logs and counts a refusal or a failure, and tells the sender. Does not throw. */
async function tellWhy(error: unknown, sent: Sent, context: ListenerContext): Promise<void> {
  const { kind, user, channels } = sent.actor;
  const { operator, fairShare, audit } = context;
  const logger = context.logger.child({ entryPoint: kind, user });
  const isRefused = error instanceof Refused;
  context.onDelivery(kind, isRefused ? 'refused' : 'failed');
  if (isRefused) logger.info({ refusal: error.reason }, 'refused');
  // Pasting a link is no request, so the audit log does not record its refusal.
  if (isRefused && kind !== 'link')
    audit({ event: 'refused', user, channel: channels[0], outcome: error.reason });
  const message = isRefused ? noticeOf(error.reason, operator) : noted(error, { ...context, logger });
  try {
    if (await isAcknowledgedWith(message, sent)) return;
    // A pasted link or a mention without a request needs no reply.
    const mayAsk = kind !== 'link' && (kind !== 'mention' || mayBeARequest(sent.actor.text ?? ''));
    // Limits the notices of refusals to a few a minute.
    if (mayAsk && (!isRefused || fairShare.shouldTell(user))) await tell(sent.actor, message, context);
  } catch (err) {
    logger.warn({ err }, 'a person could not be told of a refusal or a failure');
  }
}

/** Logs an error, and returns the notice for the person. */
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

/** Acknowledges a delivery. True if the acknowledgement itself shows the message, which commands and forms allow. */
async function isAcknowledgedWith(message: Message, { actor: { kind }, ack }: Sent): Promise<boolean> {
  if (kind === 'command') return ack({ response_type: 'ephemeral', ...message });
  if (kind === 'submission') return ack({ response_action: 'update', view: noticeModal(message.text) });
  await ack();
  return false;
}

/** Shows a message to the sender where the delivery came from: the Home tab, a window, or the conversation. */
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
      // If the acknowledgement closed the form, the message is sent directly instead.
      const isShown = await windowAt({ context, viewId })(view);
      return isShown || tellPrivately(context, { channel: user, user }, message);
    }
    default:
      return tellPrivately(context, { ...actor, channel }, message);
  }
}
