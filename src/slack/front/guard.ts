import type { AllMiddlewareArgs, AnyMiddlewareArgs } from '@slack/bolt';
import { UnreadableValue } from '../blocks/action-values.ts';
import { noticeModal } from '../blocks/modal.ts';
import type { Permission } from './access.ts';
import { refuse, type Sender, tellFailure } from './answer-alone.ts';
import type { ListenerContext } from './context.ts';
import type { Received } from './delivery.ts';
import { ShareUsedUp } from './share.ts';

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
