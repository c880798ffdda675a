import type { App, ReceiverEvent } from '@slack/bolt';
import { inTime } from '../../core/time.ts';

/** The latest acknowledgement: after three seconds Slack sends the event again. */
const LATEST_MS = 2_000;

/**
 * Acknowledges an event when its listeners are done, or just before Slack would send it again. Bolt itself acknowledges
 * before any listener runs, so that a crash would lose a mention.
 */
export function acknowledgeWhenDone(app: App): App {
  const process = app.processEvent.bind(app);
  app.processEvent = async (event: ReceiverEvent) => {
    if (event.body.type !== 'event_callback') return process(event);
    const processing = process({ ...event, ack: async () => {} });
    await inTime(LATEST_MS, processing);
    await event.ack();
    await processing;
  };
  return app;
}
