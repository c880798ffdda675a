import type { App, ReceiverEvent } from '@slack/bolt';
import PQueue from 'p-queue';
import type { Precedence } from '../../core/precedence.ts';
import { actorOf } from '../access/actor.ts';

/** Deliveries that are worked on at the same time, until they are acknowledged. */
const AT_ONCE = 32;

/**
 * Has deliveries take turns until each is acknowledged: whoever has fewer waiting, and whose channel has, goes first.
 * So nobody waits for the many deliveries of another person or channel, nor for the work on what was accepted before.
 */
export function takeTurns(app: App, precedence: Precedence): void {
  const queue = new PQueue({ concurrency: AT_ONCE });
  const waiting = new Map<string, number>();
  const process = app.processEvent.bind(app);
  app.processEvent = async (event: ReceiverEvent) => {
    const names = namesOf(event);
    const before = Math.max(0, ...names.map((name) => waiting.get(name) ?? 0));
    for (const name of names) waiting.set(name, (waiting.get(name) ?? 0) + 1);
    const processed = Promise.withResolvers<void>();
    const isOver = precedence.urgent();
    const turn = () =>
      new Promise<void>((free) => {
        const ack: ReceiverEvent['ack'] = async (answer) => {
          await event.ack(answer);
          free();
        };
        process({ ...event, ack })
          .then(processed.resolve, processed.reject)
          .finally(free);
      });
    queue.add(turn, { priority: -before }).finally(() => {
      isOver();
      leave(waiting, names);
    });
    await processed.promise;
  };
}

/** Whom and where a delivery comes from. What nobody in particular sends waits with all of its kind. */
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
