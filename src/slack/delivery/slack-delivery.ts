import type { Destination, Lookup } from '../../core/lookup.ts';
import {
  CompositionFailed,
  composing,
  type Delivered,
  type Delivery,
  type LookupStatus,
} from '../../lookups/lookup-status.ts';
import type { Operator } from '../answer/fault-sentences.ts';
import { messageFor } from '../answer/message-for.ts';
import { Congested, type Urgency } from './rate-limited-queue.ts';
import { isRefused } from './slack-errors.ts';
import type { OutgoingUpdate, UpdateSender } from './update-sender.ts';
import type { WaitingMessages } from './waiting-messages.ts';

type DeliveryOptions = {
  readonly sender: UpdateSender;
  readonly waitingMessages: WaitingMessages;
  /** Whether the one who asked may still see a result in the lookup's destination. Throws when that can't be known now. */
  readonly mayStillSee: (lookup: Lookup) => Promise<boolean>;
  readonly operator: Operator;
  readonly now: () => number;
  /** Called with final messages that Slack refused everywhere: those lookups end without one. */
  readonly onUndeliverable: (error: unknown, lookup: Lookup) => void;
};

/** How long after the end of a wait an answer is still retried. */
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;

/** Shows the status of lookups in Slack, and keeps the list of waiting messages. */
export class SlackDelivery implements Delivery {
  readonly #options: DeliveryOptions;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  mayStillSee(lookup: Lookup): Promise<boolean> {
    return this.#options.mayStillSee(lookup);
  }

  async deliver(
    lookup: Lookup,
    status: LookupStatus,
    save: (destination: Destination) => Promise<void>,
  ): Promise<Delivered> {
    let destination = lookup.destination;
    const saveAndKnow = async (changed: Destination) => {
      await save(changed);
      destination = changed;
    };
    const update = this.#updateFor(lookup, status, saveAndKnow);
    try {
      // Updated before the post, so that whoever sees the message waiting is pointed to it, and nobody is after its
      // end.
      const mayBeRegistered = update.urgency === 'progress' || mayHaveWaited(destination);
      if (mayBeRegistered) await this.#register(destination, lookup, update.urgency);
      const delivered = await this.#options.sender.send(destination, update);
      if (update.urgency === 'progress') {
        const isNamed = delivered.destination.messageTs !== undefined;
        await this.#register(delivered.destination, lookup, isNamed ? 'progress' : 'final');
      }
      return delivered;
    } catch (error) {
      // Nothing was sent, so that there is nothing to look for before the next try.
      if (error instanceof Congested) return { destination: lookup.destination, isShown: false };
      const isGivenUp = this.#isGivenUp(error, update);
      // Refused progress counts as shown, so that it is not sent again; a refused final answer does not.
      return { destination, isShown: isGivenUp && update.urgency === 'progress' };
    }
  }

  #updateFor(lookup: Lookup, status: LookupStatus, save: OutgoingUpdate['save']): OutgoingUpdate {
    const { operator } = this.#options;
    return {
      lookup,
      urgency: status.kind === 'waiting' ? 'progress' : 'final',
      save,
      compose: (manner) => composing(() => messageFor(lookup, status, { operator, ...manner })),
      shows: status.kind === 'ready' ? lookup : undefined,
    };
  }

  async #register(destination: Destination, lookup: Lookup, urgency: Urgency): Promise<void> {
    const { waitingMessages, now } = this.#options;
    if (urgency === 'final') return waitingMessages.end(destination, lookup, lookup.id);
    await waitingMessages.begin(destination, lookup, lookup.id, lookup.deadline - now());
  }

  /** Whether a failed update is given up. Throws the error if a retry may succeed. */
  #isGivenUp(error: unknown, { urgency, lookup }: OutgoingUpdate): boolean {
    if (error instanceof CompositionFailed) throw error;
    // Progress is never retried, because the next status replaces it.
    if (urgency === 'progress') return isRefused(error);
    const isOverdue = this.#options.now() > lookup.deadline + GIVEN_UP_AFTER_MS;
    if (!isRefused(error) && !isOverdue) throw error;
    this.#options.onUndeliverable(error, lookup);
    return true;
  }
}

/** Whether a message of the lookup may stand there already: otherwise none is registered. */
function mayHaveWaited({ messageTs, unconfirmed }: Destination): boolean {
  return messageTs !== undefined || unconfirmed !== undefined;
}
