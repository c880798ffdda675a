import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SnapshotId } from '../../core/diagnostics.ts';
import { isApp, isDirect } from '../../core/lookup.ts';
import { userId } from '../blocks/action-values.ts';
import { openedFrom } from '../blocks/modal.ts';
import { readLink } from '../commands/ids.ts';

/** What the bot reads from every delivery of Slack before a listener runs. */
export type Delivery = {
  /** The `type` field of Slack; a command has none. */
  readonly type: 'command' | 'event_callback' | Interaction['type'];
  /** The same id for every repetition of the delivery. */
  readonly id: string;
  /** Who caused the delivery; undefined for an event that nobody causes, such as an uninstallation. */
  readonly actor: Actor | undefined;
};

/** A delivery as listeners get it, in Bolt's context. */
export type Received = Delivery & {
  /** Acknowledges the delivery once; true if this call did so. Does nothing for an event: the app acknowledges events. */
  readonly ack: (answer?: object) => Promise<boolean>;
};

/** The kind of a delivery: what the person did. */
export type DeliveryKind =
  | 'command'
  | 'mention'
  | 'direct-message'
  /** Links to snapshots in a message. The person asked nothing, so a failure is not reported to them. */
  | 'link'
  | 'home-opened'
  | 'home-click'
  | 'message-click'
  | 'modal-click'
  | 'submission'
  | 'shortcut'
  | 'message-shortcut';

/** The sender of a delivery, and what a private reply to them needs. */
export type Actor = {
  readonly kind: DeliveryKind;
  /** The id of a user, or of another app that mentions the bot. */
  readonly user: string;
  /** The workspace or organisation of the person, if Slack names it. */
  readonly team: string | undefined;
  /** Every conversation that the request reads from or can post to. */
  readonly channels: readonly string[];
  /** The conversation of the clicked message, or of the message that opened the window. */
  readonly usedIn?: string | undefined;
  /** Whether the conversation is shared with another company; undefined if the delivery does not say. */
  readonly isShared?: boolean | undefined;
  /** The thread, if the message is a reply. */
  readonly threadTs?: string | undefined;
  readonly responseUrl?: string | undefined;
  readonly triggerId?: string | undefined;
  readonly viewId?: string | undefined;
  /** Only for a mention or a direct message: its text. */
  readonly text?: string;
  /** Only for pasted links: the links to snapshots. */
  readonly links?: readonly SnapshotLink[];
};

/** A pasted link with the id of its snapshot. */
export type SnapshotLink = { readonly url: string; readonly snapshotId: SnapshotId };

/** The body is not a delivery that the bot handles. The error names a field, but contains no text of the body. */
export class NotADelivery extends Error {
  constructor(where: string) {
    super(`refused a delivery that Slack cannot have sent: ${where}`);
  }
}

/** The subtypes of messages that people write: with a file, a reply also sent to the channel, `/me`. */
export const WRITTEN: readonly unknown[] = [undefined, 'file_share', 'thread_broadcast', 'me_message'];
const SLACKBOT = 'USLACKBOT';
/** The channel that Slack names for a message that is still being written. The bot does not preview its links. */
const COMPOSER = 'COMPOSER';
/** The most links of one message that the bot previews. */
const MOST_LINKS = 5;

const text = z.string().optional();

const person = z.object({ user: userId });
const command = z.object({ user_id: userId, team_id: text, channel_id: z.string(), response_url: text });

/** A choice in a form. The bot mentions the chosen user, and any text but a user id could notify a whole channel. */
const field = z.object({ selected_conversation: text, selected_user: userId.optional() });
const interaction = z.object({
  type: z.enum(['block_actions', 'view_submission', 'shortcut', 'message_action']),
  // `team` in the body is the workspace of the click; this `team_id` is the person's own.
  user: z.object({ id: userId, team_id: text }),
  channel: z.object({ id: z.string() }).optional(),
  container: z.object({ message_ts: text, thread_ts: text }).optional(),
  message: z.object({ ts: text, thread_ts: text }).optional(),
  view: z
    .object({
      ...{ id: text, type: text, private_metadata: text },
      state: z.object({ values: z.record(z.string(), z.record(z.string(), field)).default({}) }).optional(),
    })
    .optional(),
  ...{ response_url: text, trigger_id: text },
});
type Interaction = z.infer<typeof interaction>;

const written = z.object({
  ...{ user: text, text, thread_ts: text, ts: text, subtype: text },
  // Slack omits these fields in messages with files.
  ...{ user_team: text, team: text },
  ...{ bot_id: text, app_id: text, bot_profile: z.object({ app_id: text }).optional() },
});
const EVENTS = ['app_home_opened', 'link_shared', 'app_mention', 'message'] as const;
const event = written.extend({
  type: z.enum(EVENTS),
  channel: z.string(),
  /** The new text of an edited message. */
  message: written.optional(),
  links: z.array(z.object({ url: z.string() })).default([]),
  is_bot_user_member: z.boolean().optional(),
});
const envelope = z.object({
  ...{ team_id: text, api_app_id: text, is_ext_shared_channel: z.boolean().optional() },
  event,
});
type Envelope = z.infer<typeof envelope>;

/** The fields that tell commands, events and interactions apart, and the ids of a delivery. */
const anyDelivery = z.object({
  ...{ command: text, type: text, event_id: text, trigger_id: text },
  event: z.object({ type: z.string() }).optional(),
  // Bolt reads these fields without checking them.
  authorizations: z.array(z.object({ team_id: text })).optional(),
  actions: z.array(z.object({ action_id: z.string() })).optional(),
});

/** Reads a delivery, and removes every null from its body. Throws `NotADelivery` without a sender or a known type. */
export function readDelivery(body: unknown): Delivery {
  dropNulls(body);
  const sent = read(anyDelivery, body);
  const id = sent.event_id ?? sent.trigger_id ?? randomUUID();
  if (sent.command !== undefined) return { type: 'command', id, actor: actorOfCommand(read(command, body)) };
  if (sent.type === 'event_callback') {
    const isOther = sent.event !== undefined && !EVENTS.some((type) => type === sent.event?.type);
    return { type: sent.type, id, actor: isOther ? undefined : actorOfEvent(read(envelope, body)) };
  }
  const used = read(interaction, body);
  return { type: used.type, id, actor: actorOfInteraction(used) };
}

function read<T>(shape: z.ZodType<T>, body: unknown): T {
  const { data, error } = shape.safeParse(body);
  if (error === undefined) return data;
  throw new NotADelivery(error.issues[0]?.path.join('.') ?? '');
}

function actorOfCommand(sent: z.infer<typeof command>): Actor {
  const { user_id: user, team_id: team, channel_id: channel, response_url: responseUrl } = sent;
  return { kind: 'command', user, team, channels: [channel], responseUrl };
}

function actorOfInteraction(used: Interaction): Actor {
  const { user, channel, container, message, view, response_url: responseUrl, trigger_id: triggerId } = used;
  const kind = kindOf(used);
  const opened = openedFrom(view)?.channel;
  const fields = Object.values(view?.state?.values ?? {}).flatMap((block) => Object.values(block));
  const named = [channel?.id, opened, ...fields.map(({ selected_conversation: chosen }) => chosen)];
  // Slack also sets `thread_ts` on the first message of a thread, which is no reply.
  const threadTs = container?.thread_ts ?? message?.thread_ts;
  const isReply = threadTs !== (container?.message_ts ?? message?.ts);
  return {
    ...{ kind, user: user.id, team: user.team_id },
    channels: [...new Set(named)].filter((each) => each !== undefined),
    usedIn: kind === 'message-click' ? channel?.id : opened,
    threadTs: isReply ? threadTs : undefined,
    ...{ responseUrl, triggerId, viewId: view?.id },
  };
}

function kindOf({ type, view }: Interaction): DeliveryKind {
  if (type === 'shortcut') return 'shortcut';
  if (type === 'message_action') return 'message-shortcut';
  if (type === 'view_submission') return 'submission';
  if (view === undefined) return 'message-click';
  return view.type === 'home' ? 'home-click' : 'modal-click';
}

/** The person or app that sent an event. Undefined for notices of Slack and messages of bots, except for mentions. */
function actorOfEvent(sent: Envelope): Actor | undefined {
  const { type, channel, subtype, message: said = sent.event } = sent.event;
  const { user, text = '', thread_ts: threadTs, user_team, team = user_team } = said;
  const isOfBot = said.bot_id !== undefined || said.subtype === 'bot_message' || user === SLACKBOT;
  if (type === 'app_mention' && isOfBot) return actorOfApp(sent);
  const isWritten = type !== 'message' || subtype === 'message_changed' || WRITTEN.includes(subtype);
  if (isOfBot || !isWritten) return undefined;
  // `team_id` is the workspace that received the event. It may differ from the user's, except for the Home tab.
  if (type === 'app_home_opened')
    return { kind: 'home-opened', user: read(person, said).user, team: sent.team_id, channels: [] };
  if (type === 'link_shared') return actorOfLinks(sent);
  const kind = type === 'message' ? 'direct-message' : 'mention';
  const where = { channels: [channel], isShared: sent.is_ext_shared_channel, threadTs };
  return { kind, user: read(person, said).user, team, ...where, text };
}

/**
 * Another app that mentions the bot; the answer is posted in a thread below the mention. Undefined if the event names
 * no app, or is from the bot itself.
 */
function actorOfApp({ event, api_app_id, is_ext_shared_channel: isShared }: Envelope): Actor | undefined {
  const { app_id, bot_profile, channel, text = '', ts, thread_ts: threadTs = ts } = event;
  const user = app_id ?? bot_profile?.app_id;
  if (user === undefined || !isApp(user) || user === api_app_id) return undefined;
  return { kind: 'mention', user, team: undefined, channels: [channel], isShared, text, threadTs };
}

/**
 * The person who pasted links to snapshots. Undefined if there is no such link, and in a direct message with the bot,
 * which answers there anyway. The event does not contain the person's team.
 */
function actorOfLinks({ event, is_ext_shared_channel }: Envelope): Actor | undefined {
  const { user, channel, links: pasted, is_bot_user_member: isMember } = event;
  const links = snapshotLinks(pasted.map(({ url }) => url));
  const isWithBot = isDirect(channel) && isMember === true;
  if (user === undefined || channel === COMPOSER || links.length === 0 || isWithBot) return undefined;
  // Only the event tells whether a direct message between people is shared; if unknown, it counts as shared.
  const isShared = is_ext_shared_channel ?? (isDirect(channel) || undefined);
  return { kind: 'link', user, team: undefined, channels: [channel], isShared, links };
}

/** The first links to snapshots, one for each snapshot. */
function snapshotLinks(urls: readonly string[]): SnapshotLink[] {
  const links = new Map<SnapshotId, SnapshotLink>();
  for (const url of urls) {
    // Slack reports only links to the domains of the app, which are the hosts of the service.
    const [snapshotId] = readLink(url, [URL.parse(url)?.hostname ?? '']).ids;
    if (snapshotId !== undefined && !links.has(snapshotId)) links.set(snapshotId, { url, snapshotId });
  }
  return [...links.values()].slice(0, MOST_LINKS);
}

/** Deletes each null. Iterative, because a deep body could exceed the stack. */
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
