import type { AllMiddlewareArgs, AnyMiddlewareArgs } from '@slack/bolt';
import { UnreadableValue } from '../blocks/action-values.ts';
import { noticeModal } from '../blocks/modal.ts';
import { ASK_AGAIN_ACTION, MENU_ACTION } from '../report/controls.ts';
import type { Refusal } from '../report/notices.ts';
import type { Permission } from './access.ts';
import { refuse, type Sender, tellFailure } from './answer-alone.ts';
import type { ListenerContext } from './context.ts';
import type { Actor, Delivery, DeliveryKind, Received } from './delivery.ts';
import { ShareUsedUp } from './share.ts';
import { isFirstAsFarAsKnown } from './turns.ts';

/**
 * What runs before every listener of what a person does: the share of that person, access, and whether the delivery was
 * handled already. A refusal and a failure are told to that person alone. `permission`: what the listener does; undefined where
 * none is registered, as during an upgrade, when people use messages of two versions.
 */
export function guarded(context: ListenerContext) {
  return async (
    args: AnyMiddlewareArgs & AllMiddlewareArgs,
    permission: Permission | undefined,
    work: () => Promise<unknown> | undefined,
  ): Promise<void> => {
    const received: Received = args.context.received;
    const { delivery } = received;
    const { actor } = delivery;
    // Slack also tells the bot of its own messages, and of those of other apps.
    if (actor === undefined || context.access.isUnheard(actor)) return;
    const sender = { ...received, actor, client: args.client, botUser: args.context.botUserId ?? '' };
    acknowledgeInTime(sender);
    const refusal = await refusalOf(actor, permission ?? 'read', delivery, context);
    if (refusal === 'replayed') return received.ack();
    if (refusal !== undefined) return refuse(sender, refusal, context);
    await serve(sender, permission === undefined ? unknown : work, context);
  };
}

/** The latest acknowledgement of a click or a form: people press again where nothing moves. */
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
  permission: Permission,
  delivery: Delivery,
  context: ListenerContext,
): Promise<Refusal | 'too-many' | 'replayed' | undefined> {
  // First of all checks, so that a flood costs neither requests to Slack nor the store.
  if (!context.fairShare.take(actor.user, costOf(actor, delivery, permission))) return 'too-many';
  const refusal = await context.access.refusalOf(actor, permission);
  // To read twice does no harm, and a read writes nothing.
  if (refusal !== undefined || permission === 'read' || !TAKEN_ONCE.includes(delivery.kind)) return refusal;
  return (await isFirstAsFarAsKnown(context, `click:${delivery.triggerId}`)) ? undefined : 'replayed';
}

/** Of the others each listener knows what makes two the same: an edit of a message, a second press in a form. */
const TAKEN_ONCE: readonly DeliveryKind[] = ['block_actions', 'shortcut', 'message_action'];

/** Clicks that cost as much as a command, because they may ask the service. */
const LIKE_A_COMMAND = [MENU_ACTION, ASK_AGAIN_ACTION];
const SMALL_COST = 0.25;

function costOf({ entryPoint }: Actor, { kind, name }: Delivery, permission: Permission): number {
  const isSmall =
    kind === 'block_actions'
      ? permission !== 'ask' && !LIKE_A_COMMAND.includes(name)
      : entryPoint.kind === 'home-opened';
  return isSmall ? SMALL_COST : 1;
}

async function unknown(): Promise<void> {
  throw new UnreadableValue();
}

async function serve(
  sender: Sender,
  work: () => Promise<unknown> | undefined,
  context: ListenerContext,
): Promise<void> {
  const { entryPoint, user } = sender.actor;
  try {
    await context.fairShare.serve(user, work);
    context.onDelivery(entryPoint.kind, 'served');
  } catch (error) {
    if (error instanceof ShareUsedUp) return refuse(sender, 'too-many', context);
    context.onDelivery(entryPoint.kind, 'failed');
    await tellFailure(error, sender, context);
  }
}
