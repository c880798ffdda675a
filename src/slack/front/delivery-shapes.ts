import { z } from 'zod';
import { userId } from '../block-kit/action-values.ts';
import type { DeliveryKind } from './delivery.ts';

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
const teams = { team_id: slackId.optional(), enterprise_id: slackId.optional() };
const installed = z.object({ id: slackId }).optional();

/** The minimum that every delivery of a kind holds (https://docs.slack.dev/apis/events-api, /interactivity). */
export const command = z.object({
  command: z.string().startsWith('/'),
  user_id: userId,
  channel_id: slackId,
  trigger_id: id,
  text: z.string(),
  response_url: z.string().default(''),
  ...teams,
});

// In some events for the app itself, `user` is an object.
const author = z.object({ user: z.unknown().optional(), bot_id: text, subtype: text });
export const envelope = z.object({
  type: z.literal('event_callback'),
  event: author.extend({ type: z.string().min(1), message: author.loose().optional() }).loose(),
  authorizations: z.array(z.object(teams)).optional(),
  is_ext_shared_channel: z.boolean().optional(),
  ...teams,
});
/** What somebody wrote. Slack leaves `team` out where there are files. */
const said = z.object({
  user: userId,
  text: z.string().default(''),
  thread_ts: text,
  user_team: text,
  source_team: text,
  team: text,
  files: z.array(z.object({ user: text, user_team: text })).default([]),
});
export const written = said.extend({ channel: slackId });
export const edited = z
  .object({ channel: slackId, message: said })
  .transform(({ channel, message }) => ({ ...message, channel }));
/** Links of the app's domains that somebody pasted: into a message, or into one that is still being written. */
export const pasted = z.object({
  user: userId,
  channel: slackId,
  message_ts: id,
  thread_ts: text,
  is_bot_user_member: z.boolean().default(false),
  unfurl_id: id.optional(),
  source: text,
  links: z.array(z.object({ url: z.string() })),
});
export const opened = z.object({ user: userId, trigger_id: id, channel: slackId.optional() });
/** What the listeners of events for the app itself rely on. */
export const APP_EVENTS: Readonly<Record<string, z.ZodType>> = {
  subteam_members_changed: z.object({ event: z.object({ subteam_id: slackId }) }),
  tokens_revoked: z.object({
    event: z.object({ tokens: z.object({ bot: z.array(z.string()).optional() }) }),
  }),
  user_change: z.object({ event: z.object({ user: z.object({ id: userId }) }) }),
};
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
/** Slack knows no block with controls that has no list of them. */
const block = z
  .looseObject({ type: text, block_id: text, elements: z.unknown().optional() })
  .refine(
    ({ type, elements }) => type !== 'actions' || z.array(z.looseObject({})).safeParse(elements).success,
  );
const state = z.object({ values: z.record(z.string(), z.record(z.string(), element)) });
const view = z.object({
  id,
  type: z.string(),
  callback_id: z.string().default(''),
  private_metadata: z.string().default(''),
  blocks: z.array(block),
  state: state.optional(),
});
const message = z.object({
  ts: ts.optional(),
  thread_ts: ts.optional(),
  text,
  blocks: z.array(block).default([]),
});
const container = z.object({
  type: z.string(),
  channel_id: slackId.optional(),
  message_ts: ts.optional(),
  thread_ts: ts.optional(),
  is_ephemeral: z.boolean().optional(),
  is_app_unfurl: z.boolean().optional(),
});
/** What all deliveries hold in which somebody uses something of the bot. */
const interaction = z.object({
  user: z.object({ id: userId, team_id: slackId.optional() }),
  trigger_id: id,
  team: installed,
  enterprise: installed,
  channel: z.object({ id: slackId }).optional(),
  container: container.optional(),
  message: message.optional(),
  actions: z.tuple([action], z.object({})).optional(),
  view: view.optional(),
  callback_id: text,
  response_url: z.string().default(''),
  response_urls: z.array(z.object({ channel_id: z.string() })).default([]),
});
export type Interaction = z.infer<typeof interaction>;
export type InteractionKind = Exclude<DeliveryKind, 'command' | 'event_callback'>;

export const INTERACTIONS: Readonly<Record<InteractionKind, z.ZodType<Interaction>>> = {
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
