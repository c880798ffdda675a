import type { App, ReceiverEvent } from '@slack/bolt';
import PQueue from 'p-queue';
import type { Precedence } from '../../core/precedence.ts';
import { actorOf } from '../access/read-actor.ts';

/** The most deliveries that are handled at once, until they are acknowledged. */
const AT_ONCE = 32;

/**
 * Queues deliveries until they are acknowledged. The sender and channel with the fewest waiting go first, so that
 * nobody is delayed by the many deliveries of another person or channel, nor by work on accepted lookups.
 */
export function queueFairly(app: App, precedence: Precedence): void {
  const queue = new PQueue({ concurrency: AT_ONCE });
  const waiting = new Map<string, number>();
  const process = app.processEvent.bind(app);
  app.processEvent = async (event: ReceiverEvent) => {
    const names = namesOf(event);
    const before = Math.max(0, ...names.map((name) => waiting.get(name) ?? 0));
    for (const name of names) waiting.set(name, (waiting.get(name) ?? 0) + 1);
    const processed = Promise.withResolvers<void>();
    const isOver = precedence.urgent();
    const handle = () =>
      new Promise<void>((free) => {
        const ack: ReceiverEvent['ack'] = async (answer) => {
          await event.ack(answer);
          free();
        };
        process({ ...event, ack })
          .then(processed.resolve, processed.reject)
          .finally(free);
      });
    queue.add(handle, { priority: -before }).finally(() => {
      isOver();
      leave(waiting, names);
    });
    await processed.promise;
  };
}

/** The keys of a delivery's sender and channel; deliveries without a sender share one. */
function namesOf({ body }: ReceiverEvent): string[] {
  const actor = actorOf(body);
  return actor === undefined ? ['nobody'] : [actor.user, ...actor.channels];
}

function leave(waiting: Map<string, number>, names: readonly string[]): void {
  for (const name of names) {
    const others = (waiting.get(name) ?? 0) - 1;
    if (others > 0) waiting.set(name, others);
    else waiting.delete(name);
  }
}
