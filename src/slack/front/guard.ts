import type { AllMiddlewareArgs, AnyMiddlewareArgs, App } from '@slack/bolt';
import type { May, Refusal } from '../access/access.ts';
import { type Actor, isClick } from '../access/actor.ts';
import { actorOf } from '../access/read-actor.ts';
import { refusalMessage } from '../answer/refusal-message.ts';
import { MENU_ACTION } from '../answer/result-menu.ts';
import { slowDown } from '../answer/slow-down-message.ts';
import { ASK_AGAIN_ACTION } from '../answer/timed-out-message.ts';
import { UnreadableValue } from '../block-kit/carried.ts';
import { noticeModal } from '../block-kit/modal.ts';
import { EVENTS, isEventKind } from '../connection/deliveries.ts';
import { IS_ACKNOWLEDGED } from '../connection/timed-acknowledgement.ts';
import { type Answering, answerAlone } from './answer-alone.ts';
import { isFirstAsFarAsKnown, type ListenerContext } from './context.ts';
import { tellFailure } from './failure.ts';
import type { Listeners } from './listeners.ts';

/**
 * Runs before every listener: refuses people and conversations that may not use the bot, and tells them so privately.
 * Drops events that no person caused, unless they are for the app itself.
 */
export function guard(app: App, on: Pick<Listeners, 'mayOf'>, context: ListenerContext): void {
  app.use(async (args) => {
    const actor = actorOf(args.body);
    if (actor === undefined) return isForTheApp(args.body, context) ? args.next() : undefined;
    const answering = answeringOf(args);
    acknowledgeInTime(actor, answering);
    const may = isGenuine(args.body, context) ? on.mayOf(actor, args.body) : undefined;
    const refusal = await refusalOf(actor, may ?? 'post', args.body, context);
    if (refusal === undefined)
      return serve(actor, may === undefined ? unknown : args.next, answering, context);
    if (refusal === 'replayed') return answering.ack();
    context.onDelivery(actor.entryPoint.kind, 'refused');
    context.logger.info({ refusal, entryPoint: actor.entryPoint.kind, user: actor.user }, 'refused');
    context.audit({ event: 'refused', user: actor.user, channel: actor.channels[0], outcome: refusal });
    await refuse(actor, refusal, answering, context).catch((error: unknown) =>
      context.logger.warn(
        { err: error, entryPoint: actor.entryPoint.kind },
        'the notice of a refusal could not be sent',
      ),
    );
  });
}

/** Whether what a window carries was written by the bot: nothing else says where it was opened. */
function isGenuine(body: AnyMiddlewareArgs['body'], { windows }: ListenerContext): boolean {
  return !('view' in body) || body.view === undefined || windows.isGenuine(body.view);
}

/** The latest acknowledgement of a click or a form: whoever sees nothing move presses again. */
const LATEST_MS = 900;
const STILL_AT_IT =
  'This takes a moment. You can close this window: what comes of it is shown where you asked.';

/** Acknowledges a click or a form that is still being checked or stored. A command's answer is in its acknowledgement. */
function acknowledgeInTime({ entryPoint: { kind } }: Actor, { ack, isAcknowledged }: Answering): void {
  if (kind === 'command' || isAcknowledged()) return;
  const view =
    kind === 'submission' ? { response_action: 'update', view: noticeModal(STILL_AT_IT) } : undefined;
  const late = setTimeout(() => void ack(view).catch(() => {}), LATEST_MS);
  late.unref();
}

/** Why a delivery is refused: its sender may not, sends too many, or it was handled already. */
async function refusalOf(
  actor: Actor,
  may: May,
  body: AnyMiddlewareArgs['body'],
  context: ListenerContext,
): Promise<Refusal | 'too-many' | 'replayed' | undefined> {
  // First of all checks, so that a flood costs neither requests to Slack nor the store.
  if (!context.fairShare.take(actor.user, costOf(actor, body))) return 'too-many';
  const refusal = await context.access.refusalOf(actor, may);
  if (refusal !== undefined || !isClick(actor) || !('trigger_id' in body)) return refusal;
  return (await isFirstAsFarAsKnown(context, `click:${body.trigger_id}`)) ? undefined : 'replayed';
}

/** Slack’s own kinds are shorter. */
const LONGEST_KIND = 60;

/** Clicks that cost as much as a command, because they ask the service or make files; paging costs little. */
const LIKE_A_COMMAND = [MENU_ACTION, ASK_AGAIN_ACTION];
const SMALL_COST = 0.25;

function costOf(actor: Actor, body: AnyMiddlewareArgs['body']): number {
  if (actor.entryPoint.kind === 'home-opened') return SMALL_COST;
  if (!isClick(actor)) return 1;
  const actions = 'actions' in body && Array.isArray(body.actions) ? body.actions : [];
  return actions.some(({ action_id }) => LIKE_A_COMMAND.includes(action_id)) ? 1 : SMALL_COST;
}

/** No listener of this version knows this control: during an upgrade people use messages of two versions. */
async function unknown(): Promise<void> {
  throw new UnreadableValue();
}

async function serve(
  actor: Actor,
  next: () => Promise<void>,
  answering: Answering,
  context: ListenerContext,
): Promise<void> {
  const { kind } = actor.entryPoint;
  try {
    await next();
    // No listener of this version knows this control: during an upgrade people use messages of two versions.
    if (!answering.isAcknowledged()) throw new UnreadableValue();
    context.onDelivery(kind, 'served');
  } catch (error) {
    context.onDelivery(kind, 'failed');
    await tellFailure(error, actor, answering, context);
  }
}

/** Whether it is an event for the app itself. Another one that no listener hears is named in the log. */
function isForTheApp(body: AnyMiddlewareArgs['body'], { logger }: ListenerContext): boolean {
  const type: string = 'event' in body ? body.event.type : '';
  if (isEventKind(type)) return EVENTS[type] === 'app';
  logger.warn({ event: type.slice(0, LONGEST_KIND) }, 'ignored an event of a kind that no listener hears');
  return false;
}

function answeringOf(args: AnyMiddlewareArgs & AllMiddlewareArgs): Answering {
  const isEvent = !('ack' in args) || typeof args.ack !== 'function';
  const ack = isEvent ? async () => {} : (args.ack as Answering['ack']);
  const isAcknowledged = () => isEvent || args.context[IS_ACKNOWLEDGED]?.() === true;
  return { client: args.client, ack, isAcknowledged, botUser: args.context.botUserId ?? '' };
}

function refuse(
  actor: Actor,
  refusal: Refusal | 'too-many',
  answering: Answering,
  context: ListenerContext,
): Promise<void> {
  const message = refusal === 'too-many' ? slowDown : refusalMessage(refusal, context.operator.contact);
  // Not every refusal is told to somebody who tries 200 times.
  return answerAlone(actor, message, answering, context, () => context.fairShare.shouldTell(actor.user));
}
