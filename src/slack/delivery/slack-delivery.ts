import type { Destination } from '../../core/destination.ts';
import type { Lookup } from '../../core/lookup.ts';
import {
  CompositionFailed,
  composing,
  type Delivered,
  type Delivery,
  type LookupStatus,
} from '../../lookups/lookup-status.ts';
import { messageFor } from '../messages/message-for.ts';
import type { Operator } from '../messages/words/operator.ts';
import type { Urgency } from './rate-limited-queue.ts';
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
  /** Hears of final messages that Slack takes nowhere: those lookups end without one. */
  readonly onUndeliverable: (error: unknown, lookup: Lookup) => void;
};

/** So long after the end of its wait nobody looks for an answer that Slack could not be given. */
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;

/** Shows the status of lookups in Slack, and keeps track of the messages that wait. */
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
      // Before the post: nobody who sees that it waits asks in vain, and nobody is pointed to it once it is over.
      await this.#register(destination, lookup, update.urgency);
      const delivered = await this.#options.sender.send(destination, update);
      if (update.urgency === 'progress') {
        const isNamed = delivered.destination.messageTs !== undefined;
        await this.#register(delivered.destination, lookup, isNamed ? 'progress' : 'final');
      }
      return delivered;
    } catch (error) {
      const isGivenUp = this.#isGivenUp(error, update);
      // Progress that Slack refuses counts as shown, so that it is not offered again; a final answer that it refuses is not.
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

  /** Whether an update that could not be sent is not to be tried again. Throws what is worth another try. */
  #isGivenUp(error: unknown, { urgency, lookup }: OutgoingUpdate): boolean {
    if (error instanceof CompositionFailed) throw error;
    // Progress is worth no second try: what comes next says more. What Slack refuses is not offered at every step.
    if (urgency === 'progress') return isRefused(error);
    const isOverdue = this.#options.now() > lookup.deadline + GIVEN_UP_AFTER_MS;
    if (!isRefused(error) && !isOverdue) throw error;
    this.#options.onUndeliverable(error, lookup);
    return true;
  }
}
