import type { Logger } from 'pino';
import { CompositionFailed, composing, type Delivered, type Delivery } from '../../lookups/lookup-status.ts';
import type { Operator } from '../report/faults.ts';
import { messageFor } from '../report/message-for.ts';
import type { WaitingMessages } from './own-messages.ts';
import { Congested } from './rate-limited-queue.ts';
import { isRefused } from './slack-errors.ts';
import { type OutgoingUpdate, type SenderOptions, UpdateSender } from './update-sender.ts';

/** How long after the end of a wait an answer is still retried. */
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;

type Delivering = SenderOptions & {
  readonly waitingMessages: WaitingMessages;
  readonly operator: Operator;
  readonly logger: Logger;
  /** Called with each final answer that Slack refused everywhere. */
  readonly onUndeliverable: () => void;
};

/** Shows the status of lookups in Slack, and keeps the list of waiting messages. */
export function slackDelivery(parts: Delivering): Delivery['deliver'] {
  const { waitingMessages, operator, now } = parts;
  const sender = new UpdateSender(parts);
  const send = async (update: OutgoingUpdate): Promise<Delivered> => {
    const { lookup, urgency } = update;
    const { destination } = lookup;
    // Before the post: a second request is pointed to a message that is seen to wait.
    if (urgency === 'progress' && destination.messageTs === undefined)
      await waitingMessages.begin(destination, lookup, lookup.id, lookup.deadline - now());
    return sender.send(destination, update);
  };
  return async (lookup, status, { save, confirm, isRepeated }) => {
    let { destination } = lookup;
    const update: OutgoingUpdate = {
      lookup,
      urgency: status.kind === 'waiting' ? 'progress' : 'final',
      save: async (changed) => {
        await save(changed);
        destination = changed;
      },
      confirm,
      isRepeated,
      compose: (manner) => composing(() => messageFor(lookup, status, { operator, ...manner })),
      isOnlyLooking: status.kind === 'waiting' && !status.isProcessing,
    };
    try {
      return await send(update);
    } catch (error) {
      // Nothing was sent, so that there is nothing to look for before the next try.
      if (error instanceof Congested) return { destination: lookup.destination, isShown: false };
      giveUp(error, update, parts);
      // Refused progress counts as shown, so that it is not sent again; a refused final answer does not.
      return isRefused(error)
        ? { destination, isShown: update.urgency === 'progress' }
        : { destination: { ...destination, mayBePosted: true }, isShown: false };
    }
  };
}

/** Throws the error of a failed update if a retry may succeed. Progress is never retried: the next status replaces it. */
function giveUp(
  error: unknown,
  { lookup, urgency }: OutgoingUpdate,
  { now, logger, onUndeliverable }: Delivering,
): void {
  if (error instanceof CompositionFailed) throw error;
  if (urgency === 'progress') return;
  const isOverdue = now() > lookup.deadline + GIVEN_UP_AFTER_MS;
  if (!isRefused(error) && !isOverdue) throw error;
  logger.error({ err: error, lookup: lookup.id }, 'Slack refused the answer to a lookup everywhere');
  onUndeliverable();
}
