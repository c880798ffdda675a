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
import { noticeOf, type Refusal } from '../report/notices.ts';
import type { Permission } from './access.ts';
import type { ListenerContext } from './context.ts';
import type { Actor, Received } from './delivery.ts';
import { ShareUsedUp } from './share.ts';
import { NotSlack } from './slack-hosts.ts';
import { windowAt } from './windows.ts';

/** A delivery of a person, or of another app. */
type Sent = Received & { readonly actor: Actor };

type Listener = () => Promise<unknown> | undefined;

/** What a click costs that only reads; all else costs 1. */
const COST_OF_READING = 0.25;

/**
 * What runs around every listener of what a person does: once for each delivery, the share of that person, access, the
 * listener. A refusal and a failure are told to that person alone. `permission`: what the listener needs; undefined where
 * none is registered, as during an upgrade, when people use messages of two versions.
 */
export function guarded(context: ListenerContext) {
  const { access, fairShare, rules } = context;
  // In memory alone: a lookup is stored once, whichever replica a delivery reaches.
  const seen = new Remembered<true>();
  const admit = async (sent: Sent, permission: Permission | undefined, listener: Listener) => {
    const { actor } = sent;
    // First of all checks, so that a flood costs neither requests to Slack nor the store.
    const hasRoom = fairShare.take(actor.user, permission === 'read' ? COST_OF_READING : 1);
    const refusal = hasRoom ? await access.refusalOf(actor, permission ?? 'read') : 'too-many';
    if (refusal !== undefined) return refuse(sent, refusal, context);
    return serve(sent, permission === undefined ? unknown : listener, context);
  };
  return async (
    args: AnyMiddlewareArgs & AllMiddlewareArgs,
    permission: Permission | undefined,
    listener: Listener,
  ): Promise<void> => {
    const received: Received = args.context.received;
    const { actor, id, ack } = received;
    // Slack also tells the bot of its own messages, and of those of other apps.
    if (actor === undefined || (isApp(actor.user) && !rules.apps.includes(actor.user))) return;
    if (id !== '' && seen.get(id)) return ack();
    seen.set(id, true, 0);
    // A repetition of what was refused, or failed, is served.
    if (!(await admit({ ...received, actor }, permission, listener))) seen.delete(id);
  };
}

async function unknown(): Promise<void> {
  throw new UnreadableValue();
}

/** Whether the listener did not fail. Does not throw. */
async function serve(sent: Sent, listener: Listener, context: ListenerContext): Promise<boolean> {
  const { kind } = sent.actor;
  try {
    await listener();
    context.onDelivery(kind, 'served');
    return true;
  } catch (error) {
    if (error instanceof ShareUsedUp) return refuse(sent, 'too-many', context);
    context.onDelivery(kind, 'failed');
    await tellFailure(error, sent, context);
    return false;
  }
}

/** Notes that a delivery is refused, and tells its sender. Does not throw. */
async function refuse(sent: Sent, refusal: Refusal | 'too-many', context: ListenerContext): Promise<false> {
  const { kind, user, channels } = sent.actor;
  const { logger, operator, fairShare } = context;
  context.onDelivery(kind, 'refused');
  logger.info({ refusal, entryPoint: kind, user }, 'refused');
  // Who only pasted a link has asked for nothing.
  if (kind !== 'link') context.audit({ event: 'refused', user, channel: channels[0], outcome: refusal });
  // A person who tries 200 times is not answered 200 times.
  const isTold = () => fairShare.shouldTell(user);
  await answerAlone(sent, noticeOf(refusal, operator), context, isTold);
  return false;
}

/** Logs why a listener failed, and tells the person, who would wait for nothing otherwise. Does not throw. */
async function tellFailure(error: unknown, sent: Sent, context: ListenerContext): Promise<void> {
  const { kind: entryPoint, user } = sent.actor;
  const logger = context.logger.child({ entryPoint, user });
  await answerAlone(sent, noted(error, { ...context, logger }), context);
}

/** Logs the error as what it is; gives what the person reads. */
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

/**
 * Acknowledges a delivery and answers its sender alone: in the acknowledgement while that is possible, else where the
 * delivery came from. `isTold`: whether to send an answer that takes a request to Slack. Does not throw.
 */
async function answerAlone(
  sent: Sent,
  message: Message,
  context: ListenerContext,
  isTold = () => true,
): Promise<void> {
  const { actor, ack, isAcknowledged } = sent;
  const { kind, text = '' } = actor;
  try {
    if (!isAcknowledged()) {
      if (kind === 'command') return await ack({ response_type: 'ephemeral', ...message });
      if (kind === 'submission')
        return await ack({ response_action: 'update', view: noticeModal(message.text) });
      await ack();
    }
    // A pasted link, or a mention that asks for nothing, needs no answer.
    const mayAsk = kind !== 'link' && (kind !== 'mention' || mayBeARequest(text));
    if (mayAsk && isTold()) await tell(sent, message, context);
  } catch (err) {
    context.logger.warn({ err, entryPoint: kind }, 'a person could not be told of a refusal or a failure');
  }
}

/** Tells the sender where the delivery came from: on the Home tab, in a window, else beside the message. */
async function tell({ actor }: Sent, message: Message, context: ListenerContext): Promise<unknown> {
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
