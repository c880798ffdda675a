import type { App, Logger, ReceiverEvent } from '@slack/bolt';
import { z } from 'zod';
import { userId } from '../block-kit/action-values.ts';

/**
 * Every event that the bot handles: one that a person causes, who may be refused, or one for the app itself. Others are
 * acknowledged, and leave a line in the log; a listener for another one stops the start.
 */
export const EVENTS = {
  app_mention: 'person',
  message: 'person',
  app_home_opened: 'person',
  subteam_members_changed: 'app',
  app_uninstalled: 'app',
  tokens_revoked: 'app',
  user_change: 'app',
} as const;
export type EventKind = keyof typeof EVENTS;

/** Whether the bot handles events of this kind. */
export function isEventKind(type: string): type is EventKind {
  return Object.hasOwn(EVENTS, type);
}

const id = z.string().min(1).max(255);
const text = z.string().optional();
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
const user = z.object({ id: userId, team_id: slackId.optional() });
const installed = z.object({ id: slackId }).optional();
const sender = { team: installed, enterprise: installed, channel: z.object({ id: slackId }).optional() };
const teams = { team_id: slackId.optional(), enterprise_id: slackId.optional() };

type Clicked = {
  readonly container: {
    readonly channel_id?: string | undefined;
    readonly message_ts?: string | undefined;
    readonly is_ephemeral?: boolean | undefined;
  };
  readonly channel?: { readonly id: string } | undefined;
  readonly message?: { readonly ts: string } | undefined;
};

/** Slack sends the message that was clicked, unless only one person sees it: the container names that one, and no other. */
function isOneMessage({ container, channel, message }: Clicked): boolean {
  const { channel_id: channelId, message_ts: at, is_ephemeral: isEphemeral } = container;
  if (channelId !== undefined && channel !== undefined && channelId !== channel.id) return false;
  return at === undefined || isEphemeral === true || message?.ts === at;
}

/** The minimum that every delivery of a kind holds (https://docs.slack.dev/apis/events-api, /interactivity). */
const command = z.object({
  command: z.string().startsWith('/'),
  user_id: userId,
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
  selected_option: z.object({ value: z.string() }).optional(),
  selected_conversation: slackId.optional(),
  selected_date: text,
});
const MENUS = ['static_select', 'overflow'];
const action = element
  .extend({ type: z.string(), action_id: id, block_id: z.string() })
  .refine(({ type, selected_option: chosen }) => !MENUS.includes(type) || chosen !== undefined);
const values = z.record(z.string(), z.record(z.string(), element));
const view = z.object({
  id,
  type: z.string(),
  callback_id: z.string().default(''),
  private_metadata: z.string().default(''),
  state: z.object({ values }),
});
const blockActions = z
  .object({
    type: z.literal('block_actions'),
    ...sender,
    user,
    trigger_id: id,
    container: z.object({
      type: z.string(),
      channel_id: slackId.optional(),
      message_ts: ts.optional(),
      thread_ts: ts.optional(),
      is_ephemeral: z.boolean().optional(),
    }),
    message: z.object({ ts }).optional(),
    view: view.partial({ state: true }).optional(),
    actions: z.tuple([action], z.object({})),
  })
  .refine(isOneMessage, { path: ['container', 'message_ts'] });
const submission = z.object({ type: z.literal('view_submission'), ...sender, user, trigger_id: id, view });
const shortcut = z.object({ type: z.literal('shortcut'), ...sender, user, trigger_id: id, callback_id: id });
const messageShortcut = shortcut.extend({
  type: z.literal('message_action'),
  channel: z.object({ id: slackId }),
  message: z.object({}),
  message_ts: ts,
  response_url: z.string(),
});
/** Every kind of delivery that the bot handles, with its shape. */
const KINDS = new Map<string, z.ZodType>(
  Object.entries({
    command,
    event_callback: event,
    block_actions: blockActions,
    view_submission: submission,
    shortcut,
    message_action: messageShortcut,
  }),
);
const kind = z.union([
  z.object({ command: z.string() }).transform(() => 'command'),
  z.object({ type: z.string() }).transform(({ type }) => type),
]);

/** The body is not a delivery that Slack sends. The message says where it is none, and holds no text of it. */
export class NotADelivery extends Error {
  constructor(where = 'no kind that the bot handles') {
    super(`refused a delivery that Slack cannot have sent: ${where}`);
  }
}

/**
 * Leaves out all that is null, which any optional field of Slack’s may be, so that no reader has to know of it. Throws
 * `NotADelivery` unless the body is of a kind that the bot handles, with all that its listeners rely on.
 */
export function checkDelivery({ body }: Pick<ReceiverEvent, 'body'>): void {
  dropNulls(body);
  const named = kind.safeParse(body).data ?? '';
  const shape = KINDS.get(named);
  if (shape === undefined) throw new NotADelivery();
  readShape(shape, body, named);
}

/**
 * Checks each delivery before anything else reads it. One kind is no delivery of anything, which Bolt does not know:
 * Slack's word that it holds events back (https://docs.slack.dev/reference/events/app_rate_limited).
 */
export function checkFirst(app: App): void {
  const process = app.processEvent.bind(app);
  app.processEvent = async (event) => {
    if (event.body.type === 'app_rate_limited') {
      app.logger.warn('Slack holds events back, so mentions and direct messages may stay unanswered');
      return event.ack();
    }
    checkDelivery(event);
    await process(event);
  };
}

/** Throws `NotADelivery`, which names the field. Below the first two names a path may hold what somebody wrote. */
export function readShape<T>(shape: z.ZodType<T>, body: unknown, named: string): T {
  const { data, error } = shape.safeParse(body);
  if (error === undefined) return data;
  throw new NotADelivery(`${named}.${error.issues[0]?.path.slice(0, 2).join('.') ?? ''}`);
}

/** Not recursive: a body can be deeper than the stack. */
function dropNulls(body: unknown): void {
  const rest = [body];
  for (const each of rest) {
    if (typeof each !== 'object' || each === null) continue;
    for (const [key, value] of Object.entries(each)) {
      if (value !== null) rest.push(value);
      else if (!Array.isArray(each)) Reflect.deleteProperty(each, key);
    }
  }
}

/** Logs one line for a delivery that Bolt could not process, without its text. */
export function logError(error: unknown, logger: Logger): void {
  if (error instanceof NotADelivery) logger.warn(error.message);
  else logger.error(`a delivery could not be processed: ${error instanceof Error ? error.stack : 'unknown'}`);
}
