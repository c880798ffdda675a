import type { AllMiddlewareArgs, AnyMiddlewareArgs, App, ReceiverEvent } from '@slack/bolt';
import { inTime } from '../../core/time.ts';
import { UnreadableValue } from '../blocks/action-values.ts';
import { noticeModal } from '../blocks/modal.ts';
import { ASK_AGAIN_ACTION, MENU_ACTION } from '../report/controls.ts';
import type { Refusal } from '../report/notices.ts';
import type { May } from './access.ts';
import { refuse, type Sender, tellFailure } from './answer-alone.ts';
import type { ListenerContext } from './context.ts';
import type { Actor, Delivery, DeliveryKind } from './delivery.ts';
import { Listeners } from './listeners.ts';
import { readDelivery } from './read-delivery.ts';
import { fairQueue, isFirstAsFarAsKnown, ShareUsedUp } from './turns.ts';

/** What the listeners of a delivery find in Bolt's context of it. */
export type Received = {
  readonly delivery: Delivery;
  /** Acknowledges it, the first time; an event is acknowledged when its listeners are done. */
  readonly ack: (answer?: object) => Promise<void>;
  readonly isAcknowledged: () => boolean;
};

type Process = App['processEvent'];

/**
 * Puts the front before Bolt's listeners. Every delivery, which the connection has verified and bounded, goes through the
 * functions below in their order: it is read once, waits for its fair turn, is acknowledged in time, allowed, taken once,
 * and heard by its listener; what fails is told.
 */
export function openFront(app: App, context: ListenerContext): Listeners {
  const on = new Listeners(app, context);
  const bolt = app.processEvent.bind(app);
  const inTurn = fairQueue(context.precedence);
  app.processEvent = async (event) => {
    // No delivery of anything (https://docs.slack.dev/reference/events/app_rate_limited), which Bolt does not know.
    if (event.body.type === 'app_rate_limited') {
      context.logger.warn('Slack holds events back, so mentions and direct messages may stay unanswered');
      return event.ack();
    }
    const delivery = readDelivery(event.body);
    const { kind, actor } = delivery;
    // Deliveries without a sender share one turn.
    const names = actor === undefined ? ['nobody'] : [actor.user, ...actor.channels];
    await inTurn(names, (free) => {
      const began = performance.now();
      const onFirst = () => {
        free();
        context.onAcknowledged(kind === 'event_callback' ? 'event' : kind, performance.now() - began);
      };
      return acknowledged(delivery, event, bolt, onFirst);
    });
  };
  app.use((args) => allow(args, on, context));
  app.error(async (error) => context.logger.error({ err: error }, 'a listener failed'));
  return on;
}

/** The latest acknowledgement of an event: after three seconds Slack sends it again. */
const LATEST_EVENT_MS = 2_000;

/**
 * Passes on the first acknowledgement alone. An event is acknowledged when its listeners are done, or just before Slack
 * would send it again: Bolt itself acknowledges before any listener runs, so that a crash would lose a mention.
 */
async function acknowledged(
  delivery: Delivery,
  event: ReceiverEvent,
  bolt: Process,
  onFirst: () => void,
): Promise<void> {
  let isFirst = true;
  const ack = async (answer?: object): Promise<void> => {
    if (!isFirst) return;
    isFirst = false;
    await event.ack(answer);
    onFirst();
  };
  const isEvent = delivery.kind === 'event_callback';
  const received: Received = isEvent
    ? { delivery, ack: async () => {}, isAcknowledged: () => true }
    : { delivery, ack, isAcknowledged: () => !isFirst };
  const customProperties = { ...event.customProperties, received };
  const processing = bolt({ ...event, ack: received.ack, customProperties });
  if (!isEvent) return processing;
  await inTime(LATEST_EVENT_MS, processing);
  await ack();
  await processing;
}

/**
 * Runs before every listener: refuses people and conversations that may not use the bot, and tells them so privately.
 * Drops events that no person caused, unless they are for the app itself.
 */
async function allow(
  args: AnyMiddlewareArgs & AllMiddlewareArgs,
  on: Listeners,
  context: ListenerContext,
): Promise<void> {
  const received: Received = args.context.received;
  const { delivery } = received;
  const { actor } = delivery;
  if (on.ignores(delivery)) return;
  if (actor === undefined) return withoutActor(delivery, on, context) ? args.next() : undefined;
  const sender = { ...received, actor, client: args.client, botUser: args.context.botUserId ?? '' };
  acknowledgeInTime(sender);
  // Nothing but what a window carries says where it was opened, and nothing but what was shown what its controls ask for.
  const { isShown, window } = delivery;
  const isGenuine = isShown !== false && (!window || context.windows.isGenuine(window, actor.user));
  const may = isGenuine ? on.mayOf(delivery) : undefined;
  const refusal = await refusalOf(actor, may ?? 'read', delivery, context);
  if (refusal === undefined) return serve(sender, may === undefined ? unknown : args.next, context);
  if (refusal === 'replayed') return received.ack();
  await refuse(sender, refusal, context);
}

/** Slack’s own kinds are shorter. */
const LONGEST_KIND = 60;

/** Whether it is an event for the app itself. One that no listener hears is named in the log. */
function withoutActor(delivery: Delivery, on: Listeners, { logger }: ListenerContext): boolean {
  const isForTheApp = on.isForTheApp(delivery);
  const event = delivery.name.slice(0, LONGEST_KIND);
  if (isForTheApp === undefined) logger.warn({ event }, 'ignored an event of a kind that no listener hears');
  return isForTheApp === true;
}

/** The latest acknowledgement of a click or a form: whoever sees nothing move presses again. */
const LATEST_MS = 900;
const STILL_AT_IT =
  'This takes a moment. You can close this window: what comes of it is shown where you asked.';

/** Acknowledges a click or a form that is still being checked or stored. A command's answer is in its acknowledgement. */
function acknowledgeInTime({ actor, ack, isAcknowledged }: Sender): void {
  const { kind } = actor.entryPoint;
  if (kind === 'command' || isAcknowledged()) return;
  const view =
    kind === 'submission' ? { response_action: 'update', view: noticeModal(STILL_AT_IT) } : undefined;
  setTimeout(() => void ack(view).catch(() => {}), LATEST_MS).unref();
}

/** Why a delivery is refused: its sender may not, sends too many, or it was handled already. */
async function refusalOf(
  actor: Actor,
  may: May,
  delivery: Delivery,
  context: ListenerContext,
): Promise<Refusal | 'too-many' | 'replayed' | undefined> {
  // First of all checks, so that a flood costs neither requests to Slack nor the store.
  if (!context.fairShare.take(actor.user, costOf(actor, delivery, may))) return 'too-many';
  const refusal = await context.access.refusalOf(actor, may);
  if (refusal !== undefined || !TAKEN_ONCE.includes(delivery.kind)) return refusal;
  return (await isFirstAsFarAsKnown(context, `click:${delivery.triggerId}`)) ? undefined : 'replayed';
}

/** Of the others each listener knows what makes two the same: an edit of a message, a second press in a form. */
const TAKEN_ONCE: readonly DeliveryKind[] = ['block_actions', 'shortcut', 'message_action'];

/**
 * Clicks that cost as much as a command, as those that ask do, because they make files or may ask; paging costs little, and
 * so does writing a message, for which nothing is asked.
 */
const LIKE_A_COMMAND = [MENU_ACTION, ASK_AGAIN_ACTION];
const SMALL_COST = 0.25;

function costOf({ entryPoint }: Actor, { kind, name }: Delivery, may: May): number {
  const isSmall =
    kind === 'block_actions'
      ? may !== 'ask' && !LIKE_A_COMMAND.includes(name)
      : entryPoint.kind === 'home-opened';
  return isSmall ? SMALL_COST : 1;
}

/** No listener of this version knows this control: during an upgrade people use messages of two versions. */
async function unknown(): Promise<void> {
  throw new UnreadableValue();
}

async function serve(sender: Sender, next: () => Promise<void>, context: ListenerContext): Promise<void> {
  const { entryPoint, user } = sender.actor;
  try {
    await context.fairShare.serve(user, next);
    if (!sender.isAcknowledged()) await unknown();
    context.onDelivery(entryPoint.kind, 'served');
  } catch (error) {
    if (error instanceof ShareUsedUp) return refuse(sender, 'too-many', context);
    context.onDelivery(entryPoint.kind, 'failed');
    await tellFailure(error, sender, context);
  }
}
