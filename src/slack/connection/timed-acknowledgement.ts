import type { App, ReceiverEvent } from '@slack/bolt';

/** Called with each acknowledged delivery: its kind, and after how many milliseconds. */
export type OnAcknowledged = (kind: string, ms: number) => void;

/** In the context of a delivery's listeners: tells whether it was acknowledged. */
export const IS_ACKNOWLEDGED = 'isAcknowledged';

const KINDS = [
  'block_actions',
  'block_suggestion',
  'message_action',
  'shortcut',
  'view_submission',
  'view_closed',
];

/** Passes on the first acknowledgement of a delivery alone, and measures from the moment that Bolt has it. */
export function timeAcknowledgements(app: App, onAcknowledged: OnAcknowledged): App {
  const process = app.processEvent.bind(app);
  app.processEvent = (event: ReceiverEvent) => {
    const began = performance.now();
    let isFirst = true;
    const ack: ReceiverEvent['ack'] = async (answer) => {
      if (!isFirst) return;
      isFirst = false;
      await event.ack(answer);
      onAcknowledged(kindOf(event.body), performance.now() - began);
    };
    const customProperties = { ...event.customProperties, [IS_ACKNOWLEDGED]: () => !isFirst };
    return process({ ...event, ack, customProperties });
  };
  return app;
}

/** The kind as one of a few words, whatever the body holds, because it is a label of a metric. */
function kindOf(body: ReceiverEvent['body'] | null): string {
  if (body?.type === 'event_callback') return 'event';
  if (body?.command !== undefined) return 'command';
  return KINDS.find((kind) => kind === body?.type) ?? 'other';
}
