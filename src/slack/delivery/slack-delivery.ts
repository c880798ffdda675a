import type { Destination, Lookup } from '../../core/lookup.ts';
import { CompositionFailed, composing, type Delivered, type Delivery } from '../../lookups/lookup-status.ts';
import type { Operator } from '../answer/fault-sentences.ts';
import { messageFor } from '../answer/message-for.ts';
import type { WaitingMessages } from './own-messages.ts';
import { Congested, type Urgency } from './rate-limited-queue.ts';
import { isRefused } from './slack-errors.ts';
import type { OutgoingUpdate, UpdateSender } from './update-sender.ts';

/** How long after the end of a wait an answer is still retried. */
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;

type Parts = {
  readonly sender: UpdateSender;
  readonly waitingMessages: WaitingMessages;
  readonly operator: Operator;
  readonly now: () => number;
  /** Called with final messages that Slack refused everywhere: those lookups end without one. */
  readonly onUndeliverable: (error: unknown, lookup: Lookup) => void;
};

/** Shows the status of lookups in Slack, and keeps the list of waiting messages. */
export function slackDelivery(parts: Parts): Delivery['deliver'] {
  const { sender, waitingMessages, operator, now } = parts;
  const register = (destination: Destination, lookup: Lookup, urgency: Urgency): Promise<void> =>
    urgency === 'final'
      ? waitingMessages.end(destination, lookup, lookup.id)
      : waitingMessages.begin(destination, lookup, lookup.id, lookup.deadline - now());
  const send = async (update: OutgoingUpdate): Promise<Delivered> => {
    const { lookup, urgency } = update;
    const { destination } = lookup;
    // Updated before the post, so that whoever sees the message waiting is pointed to it, and nobody is after its end.
    if (urgency === 'progress' || mayHaveWaited(destination)) await register(destination, lookup, urgency);
    const delivered = await sender.send(destination, update);
    const isNamed = delivered.destination.messageTs !== undefined;
    if (urgency === 'progress') await register(delivered.destination, lookup, isNamed ? 'progress' : 'final');
    return delivered;
  };
  return async (lookup, status, save) => {
    let { destination } = lookup;
    const update: OutgoingUpdate = {
      lookup,
      urgency: status.kind === 'waiting' ? 'progress' : 'final',
      save: async (changed) => {
        await save(changed);
        destination = changed;
      },
      compose: (manner) => composing(() => messageFor(lookup, status, { operator, ...manner })),
      shows: status.kind === 'ready' ? lookup : undefined,
    };
    try {
      return await send(update);
    } catch (error) {
      // Nothing was sent, so that there is nothing to look for before the next try.
      if (error instanceof Congested) return { destination: lookup.destination, isShown: false };
      giveUp(error, update, parts);
      // Refused progress counts as shown, so that it is not sent again; a refused final answer does not.
      return { destination, isShown: update.urgency === 'progress' && isRefused(error) };
    }
  };
}

/** Throws the error of a failed update if a retry may succeed. Progress is never retried: the next status replaces it. */
function giveUp(error: unknown, { lookup, urgency }: OutgoingUpdate, { now, onUndeliverable }: Parts): void {
  if (error instanceof CompositionFailed) throw error;
  if (urgency === 'progress') return;
  const isOverdue = now() > lookup.deadline + GIVEN_UP_AFTER_MS;
  if (!isRefused(error) && !isOverdue) throw error;
  onUndeliverable(error, lookup);
}

/** Whether a message of the lookup may stand there already: otherwise none is registered. */
function mayHaveWaited({ messageTs, unconfirmed }: Destination): boolean {
  return messageTs !== undefined || unconfirmed !== undefined;
}
