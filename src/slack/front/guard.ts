import { randomUUID } from 'node:crypto';
import type { AllMiddlewareArgs, AnyMiddlewareArgs, webApi } from '@slack/bolt';
import { isFault } from '../../core/faults.ts';
import { UnreadableValue } from '../blocks/action-values.ts';
import { type Message, notice } from '../blocks/blocks.ts';
import { INERT } from '../blocks/limits.ts';
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
import { NotSlack } from './slack-client.ts';
import { windowAt } from './windows.ts';

/** Who sent a delivery, and how that person can be answered. */
type Sender = {
  readonly actor: Actor;
  readonly client: webApi.WebClient;
  /** Acknowledges the delivery, if it can carry an answer; events are acknowledged elsewhere. */
  readonly ack: (answer?: object) => Promise<void>;
  readonly isAcknowledged: () => boolean;
  readonly botUser: string;
};

/** What a click costs that only reads; all else costs 1. */
const COST_OF_READING = 0.25;
/** The latest acknowledgement of a click or a form: people press again where nothing moves. */
const LATEST_MS = 900;
const STILL_AT_IT =
  'This takes a moment. You can close this window: what comes of it is shown where you asked.';

/**
 * What runs around every listener of what a person does: the share of that person, access, the listener. A refusal and a
 * failure are told to that person alone. `permission`: what the listener needs; undefined where none is registered, as
 * during an upgrade, when people use messages of two versions.
 */
export function guarded(context: ListenerContext) {
  const { access, fairShare } = context;
  return async (
    args: AnyMiddlewareArgs & AllMiddlewareArgs,
    permission: Permission | undefined,
    work: () => Promise<unknown> | undefined,
  ): Promise<void> => {
    const { delivery, ...acknowledging }: Received = args.context.received;
    const { actor } = delivery;
    // Slack also tells the bot of its own messages, and of those of other apps.
    if (actor === undefined || access.isUnheard(actor)) return;
    const sender = { ...acknowledging, actor, client: args.client, botUser: args.context.botUserId ?? '' };
    acknowledgeInTime(sender);
    // First of all checks, so that a flood costs neither requests to Slack nor the store.
    const hasRoom = fairShare.take(actor.user, permission === 'read' ? COST_OF_READING : 1);
    const refusal = hasRoom ? await access.refusalOf(actor, permission ?? 'read') : 'too-many';
    if (refusal === undefined) await serve(sender, permission === undefined ? unknown : work, context);
    else await refuse(sender, refusal, context);
  };
}

async function unknown(): Promise<void> {
  throw new UnreadableValue();
}

async function serve(
  sender: Sender,
  work: () => Promise<unknown> | undefined,
  context: ListenerContext,
): Promise<void> {
  const { kind, user } = sender.actor;
  try {
    await context.fairShare.serve(user, work);
    context.onDelivery(kind, 'served');
  } catch (error) {
    if (error instanceof ShareUsedUp) return refuse(sender, 'too-many', context);
    context.onDelivery(kind, 'failed');
    await tellFailure(error, sender, context);
  }
}

/** Acknowledges a click or a form that is still being checked or stored. A command's answer is in its acknowledgement. */
function acknowledgeInTime({ actor: { kind }, ack, isAcknowledged }: Sender): void {
  if (kind === 'command' || isAcknowledged()) return;
  const view =
    kind === 'submission' ? { response_action: 'update', view: noticeModal(STILL_AT_IT) } : undefined;
  setTimeout(() => void ack(view).catch(() => {}), LATEST_MS).unref();
}

/**
 * Acknowledges a delivery and answers its sender alone: in the acknowledgement while that is
 * possible, else where the delivery came from. `isTold`: whether to send an answer that takes a request to Slack.
 * Throws what Slack's client throws.
 */
async function answerAlone(
  { actor, client, ack, isAcknowledged, botUser }: Sender,
  message: Message,
  { responses }: Pick<ListenerContext, 'responses'>,
  isTold: () => boolean = () => true,
): Promise<void> {
  const { kind, user, channels, threadTs, triggerId, viewId } = actor;
  if (!isAcknowledged()) {
    if (kind === 'command') return ack({ response_type: 'ephemeral', ...message });
    if (kind === 'submission') return ack({ response_action: 'update', view: noticeModal(message.text) });
    await ack();
  }
  if (!mayAsk(actor, botUser) || !isTold()) return;
  const [channel = user] = channels;
  switch (kind) {
    case 'home-opened':
    case 'home-click':
      await client.views.publish({ user_id: user, view: { type: 'home', blocks: message.blocks } });
      return;
    case 'shortcut':
      await windowAt({ client, triggerId })(noticeModal(message.text));
      return;
    case 'modal-click':
    case 'submission':
      // The form of a submission may have closed when it was acknowledged.
      if (!(await windowAt({ client, viewId })(noticeModal(message.text))))
        await client.chat.postMessage({ channel: user, ...message, ...INERT });
      return;
    case 'direct-message':
      await client.chat.postMessage({
        ...{ channel, ...message, ...INERT },
        ...(threadTs !== undefined && { thread_ts: threadTs }),
      });
      return;
    default:
      return tellPrivately({ client, responses }, { ...actor, channel }, message);
  }
}

/** A pasted link, or a mention that asks for nothing, needs no answer. */
function mayAsk({ kind, text = '' }: Actor, botUser: string): boolean {
  return kind !== 'link' && (kind !== 'mention' || mayBeARequest(text, botUser));
}

/** Notes that a delivery is refused, and tells its sender. Does not throw. */
async function refuse(
  sender: Sender,
  refusal: Refusal | 'too-many',
  context: ListenerContext,
): Promise<void> {
  const { actor } = sender;
  const { logger, operator, fairShare } = context;
  const { kind } = actor;
  context.onDelivery(kind, 'refused');
  logger.info({ refusal, entryPoint: kind, user: actor.user }, 'refused');
  // Who only pasted a link has asked for nothing.
  if (kind !== 'link')
    context.audit({ event: 'refused', user: actor.user, channel: actor.channels[0], outcome: refusal });
  // A person who tries 200 times is not answered 200 times.
  const isTold = () => fairShare.shouldTell(actor.user);
  await answerAlone(sender, noticeOf(refusal, operator), context, isTold).catch((error: unknown) =>
    logger.warn({ err: error, entryPoint: kind }, 'the notice of a refusal could not be sent'),
  );
}

/** Logs why a listener failed, and tells the person, who would wait for nothing otherwise. Does not throw. */
async function tellFailure(error: unknown, sender: Sender, context: ListenerContext): Promise<void> {
  const { kind: entryPoint, user } = sender.actor;
  const logger = context.logger.child({ entryPoint, user });
  const message = noted(error, { ...context, logger });
  await answerAlone(sender, message, context).catch((failed: unknown) =>
    logger.warn({ err: failed }, 'a person could not be told that a listener failed'),
  );
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
