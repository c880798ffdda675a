import { z } from 'zod';
import { userId } from '../blocks/action-values.ts';
import { destinationOfView } from '../blocks/modal.ts';
import type { Actor, Delivery, DeliveryKind, EntryPoint } from './delivery.ts';
import { id, NotADelivery, read, slackId, teams } from './delivery.ts';
import { readEvent } from './read-event.ts';

const text = z.string().optional();
const ts = z
  .string()
  .regex(/^\d+\.\d+$/)
  .max(255);

/** What tells the kinds apart. */
const anyDelivery = z.object({ type: text, command: text });
/** The minimum that every delivery of a kind holds (https://docs.slack.dev/apis/events-api, /interactivity). */
const command = z.object({
  command: z.string().startsWith('/'),
  user_id: userId,
  channel_id: slackId,
  trigger_id: id,
  text: z.string(),
  response_url: z.string().default(''),
  ...teams,
});
/** What people choose or type, in a click or in the state of a modal. */
const element = z.object({
  value: text,
  selected_option: z.object({ value: z.string() }).optional(),
  selected_conversation: slackId.optional(),
  selected_user: userId.optional(),
  selected_date: text,
});
const MENUS = ['static_select', 'overflow'];
const action = element
  // The buttons of a Work Object stand in no block.
  .extend({ type: z.string(), action_id: id, block_id: z.string().default('') })
  .refine(({ type, selected_option: chosen }) => !MENUS.includes(type) || chosen !== undefined);
const controls = z.array(z.looseObject({}));
/** Slack knows no block with controls that has no list of them. */
const block = z
  .looseObject({ type: text, block_id: text, elements: z.unknown().optional() })
  .refine(({ type, elements }) => type !== 'actions' || controls.safeParse(elements).success);
const view = z.object({
  id,
  type: z.string(),
  callback_id: z.string().default(''),
  private_metadata: z.string().default(''),
  blocks: z.array(block),
  state: z.object({ values: z.record(z.string(), z.record(z.string(), element)) }).optional(),
});
const installed = z.object({ id: slackId }).optional();
/** What all deliveries hold in which somebody uses something of the bot. */
const interaction = z.object({
  user: z.object({ id: userId, team_id: slackId.optional() }),
  trigger_id: id,
  team: installed,
  enterprise: installed,
  channel: z.object({ id: slackId }).optional(),
  container: z
    .object({
      type: z.string(),
      channel_id: slackId.optional(),
      message_ts: ts.optional(),
      thread_ts: ts.optional(),
      is_ephemeral: z.boolean().optional(),
      is_app_unfurl: z.boolean().optional(),
    })
    .optional(),
  message: z
    .object({ ts: ts.optional(), thread_ts: ts.optional(), text, blocks: z.array(block).default([]) })
    .optional(),
  actions: z.tuple([action], z.object({})).optional(),
  view: view.optional(),
  callback_id: text,
  response_url: z.string().default(''),
  response_urls: z.array(z.object({ channel_id: z.string() })).default([]),
});
type Interaction = z.infer<typeof interaction>;
type InteractionKind = Exclude<DeliveryKind, 'command' | 'event_callback'>;

const INTERACTIONS: Readonly<Record<InteractionKind, z.ZodType<Interaction>>> = {
  block_actions: interaction
    .required({ container: true, actions: true })
    .refine(isOneMessage, { path: ['container', 'message_ts'] }),
  view_submission: interaction.extend({ view: view.required({ state: true }) }),
  shortcut: interaction.extend({ callback_id: id }),
  message_action: interaction
    .extend({ callback_id: id, message_ts: ts, response_url: z.string() })
    .required({ channel: true, message: true }),
};

/**
 * Slack sends the message that was clicked, unless only one person sees it, or it is somebody's message with a preview
 * under a link: the container names that one, and no other.
 */
function isOneMessage({ container: clicked, channel, message: sent }: Interaction): boolean {
  const { channel_id: channelId, message_ts: at, is_ephemeral: isEphemeral, is_app_unfurl } = clicked ?? {};
  if (channelId !== undefined && channel !== undefined && channelId !== channel.id) return false;
  if (is_app_unfurl === true && sent === undefined) return true;
  return at === undefined || isEphemeral === true || sent?.ts === at;
}

/**
 * Reads a delivery, once for all who handle it. Leaves out of its body all that is null, which any optional field of
 * Slack’s may be, so that no reader has to know of it. Throws `NotADelivery` unless it is of a kind that the bot handles,
 * with all that its listeners rely on.
 */
export function readDelivery(body: unknown): Delivery {
  dropNulls(body);
  const { type, command: typed } = read(anyDelivery, body, 'delivery');
  if (typed !== undefined) return readCommand(body);
  if (type === 'event_callback') return readEvent(body);
  if (!isInteraction(type)) throw new NotADelivery();
  const done = read(INTERACTIONS[type], body, type);
  const { actions, view: shown, trigger_id: triggerId } = done;
  const name = actions?.[0].action_id ?? shown?.callback_id ?? done.callback_id ?? '';
  const isThere = isShown(done);
  const actor = actorOf(type, done, isThere === true);
  return { kind: type, actor, name, triggerId, window: shown, isShown: isThere };
}

function isInteraction(type: string | undefined): type is InteractionKind {
  return type !== undefined && Object.hasOwn(INTERACTIONS, type);
}

function readCommand(body: unknown): Delivery {
  const { command: name, trigger_id: triggerId, ...typed } = read(command, body, 'command');
  const { user_id: user, team_id: team, channel_id: channel, response_url: responseUrl } = typed;
  const actor: Actor = { entryPoint: { kind: 'command', responseUrl }, user, team, channels: [channel] };
  return { kind: 'command', actor, name, triggerId };
}

function actorOf(kind: InteractionKind, done: Interaction, isThere: boolean): Actor {
  const { channel, container: within, view: shown, response_urls, user } = done;
  const values = Object.values(shown?.state?.values ?? {}).flatMap((block) => Object.values(block));
  const opened = destinationOfView(shown)?.channel;
  const named = [
    channel?.id,
    within?.channel_id,
    opened,
    ...response_urls.map(({ channel_id }) => channel_id),
    ...values.map((value) => value.selected_conversation),
  ];
  const usedIn = shown === undefined && isThere ? channel?.id : opened;
  return {
    entryPoint: entryPointOf(kind, done),
    user: user.id,
    // The `team` beside it is the workspace of the click.
    team: user.team_id,
    channels: [...new Set(named)].filter((each) => each !== undefined),
    ...(usedIn !== undefined && { usedIn }),
  };
}

function entryPointOf(kind: InteractionKind, done: Interaction): EntryPoint {
  const { view: shown, response_url: responseUrl } = done;
  if (kind === 'shortcut') return { kind, triggerId: done.trigger_id };
  if (shown === undefined) {
    return {
      kind: 'message-click',
      responseUrl,
      threadTs: threadOf(done),
      isShortcut: kind === 'message_action',
      isPreview: done.container?.is_app_unfurl === true,
    };
  }
  if (kind === 'view_submission') return { kind: 'submission', viewId: shown.id };
  return shown.type === 'home' ? { kind: 'home-click' } : { kind: 'modal-click', viewId: shown.id };
}

/** The thread that a message is a reply in: the first message of a thread names it too, but stands in the channel. */
function threadOf({ container: within, message: sent }: Interaction): string | undefined {
  const threadTs = within?.thread_ts ?? sent?.thread_ts;
  return threadTs === (within?.message_ts ?? sent?.ts) ? undefined : threadTs;
}

/** Whether the message or the view that Slack sends with a click holds the control with its value. */
function isShown({ message, view, actions, container: within }: Interaction): boolean | undefined {
  const [used] = actions ?? [];
  const sent = message ?? view;
  if (sent === undefined || used === undefined || within?.is_app_unfurl === true) return undefined;
  const carried = [used.action_id, used.selected_option?.value ?? used.value];
  const texts = carried.filter((text) => text !== undefined).map((text) => JSON.stringify(text));
  return sent.blocks
    .map((block) => JSON.stringify(block))
    .some((block) => texts.every((text) => block.includes(text)));
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
