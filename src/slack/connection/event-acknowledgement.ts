import type { App, ReceiverEvent } from '@slack/bolt';
import { inTime } from '../../core/deadline.ts';

/** Slack waits three seconds, then it sends the event again. */
const LATEST_MS = 2_000;

/**
 * Bolt acknowledges an event before any listener has seen it: a process that dies then has lost a mention that Slack
 * counts as heard. Here an event is acknowledged when its listeners are done, or when Slack would not wait longer.
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
