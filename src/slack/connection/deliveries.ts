import type { Logger, ReceiverEvent, SocketModeReceiver } from '@slack/bolt';
import { z } from 'zod';

const id = z.string().min(1).max(255);
const user = z.object({ id });

/** The minimum that every delivery of a kind holds (https://docs.slack.dev/apis/events-api, /interactivity). */
const command = z.object({
  command: z.string().startsWith('/'),
  user_id: id,
  channel_id: id,
  trigger_id: id,
});
const event = z.object({ type: z.literal('event_callback'), event: z.object({ type: z.string().min(1) }) });
const blockActions = z.object({
  type: z.literal('block_actions'),
  user,
  trigger_id: id,
  container: z.object({ type: z.string() }),
  actions: z.tuple([z.object({ type: z.string(), action_id: id, block_id: z.string() })], z.object({})),
});
const view = z.object({
  id,
  type: z.string(),
  callback_id: z.string().default(''),
  private_metadata: z.string().default(''),
  state: z.object({ values: z.record(z.string(), z.record(z.string(), z.object({}))) }),
});
const submission = z.object({ type: z.literal('view_submission'), user, trigger_id: id, view });
const shortcut = z.object({ type: z.literal('shortcut'), user, trigger_id: id, callback_id: id });
const messageShortcut = shortcut.extend({
  type: z.literal('message_action'),
  channel: z.object({ id }),
  message: z.object({}),
  message_ts: id,
  response_url: z.string(),
});
const delivery = z.union([command, event, blockActions, submission, shortcut, messageShortcut]);

/** The body is not a delivery that Slack sends. The message holds no text of it. */
export class NotADelivery extends Error {
  constructor() {
    super('refused a delivery that Slack cannot have sent');
  }
}

/** Throws `NotADelivery` unless the body is of a kind that the bot handles, with all that its listeners rely on. */
export function checkDelivery({ body }: Pick<ReceiverEvent, 'body'>): void {
  if (!delivery.safeParse(body).success) throw new NotADelivery();
}

const frame = z.union([
  z.object({ type: z.enum(['hello', 'disconnect']) }),
  z.object({ type: z.enum(['slash_commands', 'interactive']), envelope_id: id, payload: z.object({}) }),
  z.object({
    type: z.literal('events_api'),
    envelope_id: id,
    payload: z.object({ event: z.object({ type: z.string().min(1) }) }),
  }),
]);

/** Drops frames that Slack cannot have sent: Slack's client throws at them, and nobody catches that. */
export function checkFrames({ client }: SocketModeReceiver, logger: Logger): void {
  const listeners = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary?: boolean) => {
    if (isBinary !== true && isFrame(data)) for (const listener of listeners) listener(data, isBinary);
    else logger.warn('ignored a Socket Mode frame that Slack cannot have sent');
  });
}

function isFrame(data: unknown): boolean {
  try {
    return frame.safeParse(JSON.parse(String(data))).success;
  } catch {
    return false;
  }
}

/** Logs one line for a delivery that Bolt could not process, without its text. */
export function logError(error: unknown, logger: Logger): void {
  if (error instanceof NotADelivery) logger.warn(error.message);
  else logger.error(`a delivery could not be processed: ${error instanceof Error ? error.stack : 'unknown'}`);
}
