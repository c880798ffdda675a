import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import type { Precedence } from '../../core/event-loop.ts';
import { inTime } from '../../core/time.ts';
import type { Received } from './delivery.ts';
import { readDelivery } from './read-delivery.ts';

/** The latest acknowledgement of an event: after three seconds Slack sends it again. */
const LATEST_EVENT_MS = 2_000;

export type Observed = {
  /** Work on accepted lookups waits for what has to be acknowledged. */
  readonly precedence: Precedence;
  /** Called with each acknowledged delivery: its kind, and after how many milliseconds. */
  readonly onAcknowledged: (kind: string, ms: number) => void;
};

/**
 * Bolt's app, which acknowledges each delivery once, and an event when its listeners are done or just before Slack would
 * send it again: Bolt itself acknowledges before any listener runs, so that a crash would lose a mention.
 */
export class LateApp extends App {
  readonly #observed: Observed;

  constructor(options: AppOptions, observed: Observed) {
    super(options);
    this.#observed = observed;
  }

  /** Throws `NotADelivery`. */
  override async processEvent(event: ReceiverEvent): Promise<void> {
    const { precedence, onAcknowledged } = this.#observed;
    const began = performance.now();
    const delivery = readDelivery(event.body);
    const isEvent = delivery.type === 'event_callback';
    const isOver = precedence.urgent();
    let isAcknowledged = false;
    const ack = async (answer?: object): Promise<void> => {
      if (isAcknowledged) return;
      isAcknowledged = true;
      await event.ack(answer);
      isOver();
      onAcknowledged(isEvent ? 'event' : delivery.type, performance.now() - began);
    };
    const received: Received = isEvent
      ? { delivery, ack: async () => {}, isAcknowledged: () => true }
      : { delivery, ack, isAcknowledged: () => isAcknowledged };
    const customProperties = { ...event.customProperties, received };
    const processing = super.processEvent({ ...event, ack: received.ack, customProperties });
    try {
      if (isEvent) {
        await inTime(LATEST_EVENT_MS, processing);
        await ack();
      }
      await processing;
      // A control or shortcut that no listener knows would otherwise end in Slack's timeout.
      await ack();
    } finally {
      isOver();
    }
  }
}
