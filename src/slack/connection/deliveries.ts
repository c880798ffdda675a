import type { Logger, ReceiverEvent, SocketModeReceiver } from '@slack/bolt';
import { z } from 'zod';

const id = z.string().min(1).max(255);
const text = z.string().nullish();
/**
 * Ids of teams, people and conversations. Bolt looks a team up as the key of an object, which has other keys, such as
 * `constructor`, too.
 */
const slackId = z
  .string()
  .regex(/^[A-Z0-9]+$/)
  .max(255);
const ts = z
  .string()
  .regex(/^\d+\.\d+$/)
  .max(255);
const user = z.object({ id: slackId, team_id: slackId.nullish() });
const installed = z.object({ id: slackId }).nullish();
const sender = { team: installed, enterprise: installed, channel: z.object({ id: slackId }).optional() };
const teams = { team_id: slackId.nullish(), enterprise_id: slackId.nullish() };

/** The minimum that every delivery of a kind holds (https://docs.slack.dev/apis/events-api, /interactivity). */
const command = z.object({
  command: z.string().startsWith('/'),
  user_id: slackId,
  channel_id: slackId,
  trigger_id: id,
  text: z.string(),
  ...teams,
});
const event = z.object({
  type: z.literal('event_callback'),
  event: z.object({ type: z.string().min(1) }),
  authorizations: z.array(z.object(teams)).optional(),
  ...teams,
});
/** What people choose or type, in a click or in the state of a modal. */
const element = z.object({
  value: text,
  selected_option: z.object({ value: z.string() }).nullish(),
  selected_conversation: slackId.nullish(),
  selected_date: text,
});
const MENUS = ['static_select', 'overflow'];
const action = element
  .extend({ type: z.string(), action_id: id, block_id: z.string() })
  .refine(({ type, selected_option: chosen }) => !MENUS.includes(type) || chosen != null);
const values = z.record(z.string(), z.record(z.string(), element));
const view = z.object({
  id,
  type: z.string(),
  callback_id: z.string().default(''),
  private_metadata: z.string().default(''),
  state: z.object({ values }),
});
const blockActions = z.object({
  type: z.literal('block_actions'),
  ...sender,
  user,
  trigger_id: id,
  container: z.object({
    type: z.string(),
    channel_id: slackId.optional(),
    message_ts: ts.optional(),
    thread_ts: ts.optional(),
  }),
  view: view.partial({ state: true }).optional(),
  actions: z.tuple([action], z.object({})),
});
const submission = z.object({ type: z.literal('view_submission'), ...sender, user, trigger_id: id, view });
const shortcut = z.object({ type: z.literal('shortcut'), ...sender, user, trigger_id: id, callback_id: id });
const messageShortcut = shortcut.extend({
  type: z.literal('message_action'),
  channel: z.object({ id: slackId }),
  message: z.object({}),
  message_ts: ts,
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
