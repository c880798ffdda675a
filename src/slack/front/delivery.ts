import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SnapshotId } from '../../core/diagnostics.ts';
import { isApp, isDirect } from '../../core/lookup.ts';
import { userId } from '../blocks/action-values.ts';
import { openedFrom } from '../blocks/modal.ts';
import { readLink } from '../commands/ids.ts';

/** A delivery of Slack, as far as access, share and private answers need it. */
export type Delivery = {
  /** Slack's `type`, which a command lacks. */
  readonly type: 'command' | 'event_callback' | Interaction['type'];
  /** One id for all repetitions of the delivery. */
  readonly id: string;
  /** Undefined for an event that no person causes. */
  readonly actor: Actor | undefined;
};

/** What the listeners of a delivery find in Bolt's context of it. */
export type Received = Delivery & {
  /** Acknowledges it, unless that was done; true if it did. An event is acknowledged when its listeners are done. */
  readonly ack: (answer?: object) => Promise<boolean>;
};

/** The way that a delivery reaches the bot. */
export type DeliveryKind =
  | 'command'
  | 'mention'
  | 'direct-message'
  /** Links of snapshots in a message. They are not a question, so a fault is not answered. */
  | 'link'
  | 'home-opened'
  | 'home-click'
  | 'message-click'
  | 'modal-click'
  | 'submission'
  | 'shortcut'
  | 'message-shortcut';

/** Who sends a delivery, from where, and what a private answer there needs. */
export type Actor = {
  readonly kind: DeliveryKind;
  /** The id of a person, or of another app that mentions the bot. */
  readonly user: string;
  /** The company that the person belongs to, as far as Slack says. */
  readonly team: string | undefined;
  /** Every conversation that the request reads from or may post to. */
  readonly channels: readonly string[];
  /** The conversation of the bot's message that was used, or in which the window was opened. */
  readonly usedIn?: string | undefined;
  /** Whether that conversation is shared with another company, if the delivery says so. */
  readonly isShared?: boolean | undefined;
  /** The thread that the message is a reply in. */
  readonly threadTs?: string | undefined;
  readonly responseUrl?: string | undefined;
  readonly triggerId?: string | undefined;
  readonly viewId?: string | undefined;
  /** For a mention, its text. */
  readonly text?: string;
  /** For pasted links, those that lead to snapshots. */
  readonly links?: readonly SnapshotLink[];
};

/** A pasted link, and the snapshot that it leads to. */
export type SnapshotLink = { readonly url: string; readonly snapshotId: SnapshotId };

/** The body is not a delivery that the bot handles. The message names a field, and holds no text of the body. */
export class NotADelivery extends Error {
  constructor(where: string) {
    super(`refused a delivery that Slack cannot have sent: ${where}`);
  }
}

/** Subtypes of what people write: a file, a reply sent to the channel too, `/me`. The others are notices of Slack. */
export const WRITTEN: readonly unknown[] = [undefined, 'file_share', 'thread_broadcast', 'me_message'];
const SLACKBOT = 'USLACKBOT';
/** The channel of every message that is still being written, which is not previewed. */
const COMPOSER = 'COMPOSER';
/** The most links of one message that are previewed. */
const MOST_LINKS = 5;
/** Characters: each lookup of a link stores it. */
const LONGEST_LINK = 3_000;

const text = z.string().optional();

const person = z.object({ user: userId });
const command = z.object({ user_id: userId, team_id: text, channel_id: z.string(), response_url: text });

/** What is chosen in a form. A message mentions the person: another text between its brackets could mention a channel. */
const field = z.object({ selected_conversation: text, selected_user: userId.optional() });
const interaction = z.object({
  type: z.enum(['block_actions', 'view_submission', 'shortcut', 'message_action']),
  // The `team` beside it is the workspace of the click.
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
  // Slack leaves these out where there are files.
  ...{ user_team: text, team: text },
  ...{ bot_id: text, app_id: text, bot_profile: z.object({ app_id: text }).optional() },
});
const EVENTS = ['app_home_opened', 'link_shared', 'app_mention', 'message'] as const;
const event = written.extend({
  type: z.enum(EVENTS),
  channel: z.string(),
  /** The message after an edit. */
  message: written.optional(),
  links: z.array(z.object({ url: z.string() })).default([]),
  is_bot_user_member: z.boolean().optional(),
});
const envelope = z.object({
  ...{ team_id: text, api_app_id: text, is_ext_shared_channel: z.boolean().optional() },
  event,
});
type Envelope = z.infer<typeof envelope>;

/** The fields that tell commands, events and interactions apart, and one delivery from another. */
const anyDelivery = z.object({
  ...{ command: text, type: text, event_id: text, trigger_id: text },
  event: z.object({ type: z.string() }).optional(),
  // Bolt reads these as they are.
  authorizations: z.array(z.object({ team_id: text })).optional(),
  actions: z.array(z.object({ action_id: z.string() })).optional(),
});

/**
 * Reads who sends a delivery, and from where. Drops all nulls of its body, which any optional field of Slack's may be, so
 * that listeners need not handle them. Throws `NotADelivery` where there is no sender or no known type.
 */
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
  // The first message of a thread names that thread too, though it stands in the conversation itself.
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

/** Undefined for Slack's own notices, and for what bots write: of apps only mentions are heard. */
function actorOfEvent(sent: Envelope): Actor | undefined {
  const { type, channel, subtype, message: said = sent.event } = sent.event;
  const { user, text = '', thread_ts: threadTs, user_team, team = user_team } = said;
  const isOfBot = said.bot_id !== undefined || said.subtype === 'bot_message' || user === SLACKBOT;
  if (type === 'app_mention' && isOfBot) return actorOfApp(sent);
  const isWritten = type !== 'message' || subtype === 'message_changed' || WRITTEN.includes(subtype);
  if (isOfBot || !isWritten) return undefined;
  // The envelope's team is the workspace that receives the event: only for the Home tab is it the sender's own.
  if (type === 'app_home_opened')
    return { kind: 'home-opened', user: read(person, said).user, team: sent.team_id, channels: [] };
  if (type === 'link_shared') return actorOfLinks(sent);
  const kind = type === 'message' ? 'direct-message' : 'mention';
  const where = { channels: [channel], isShared: sent.is_ext_shared_channel, threadTs };
  return { kind, user: read(person, said).user, team, ...where, text };
}

/**
 * Another app that mentions the bot, and is answered in the thread of its message. Undefined without its id, and for the
 * bot itself.
 */
function actorOfApp({ event, api_app_id, is_ext_shared_channel: isShared }: Envelope): Actor | undefined {
  const { app_id, bot_profile, channel, text = '', ts, thread_ts: threadTs = ts } = event;
  const user = app_id ?? bot_profile?.app_id;
  if (user === undefined || !isApp(user) || user === api_app_id) return undefined;
  return { kind: 'mention', user, team: undefined, channels: [channel], isShared, text, threadTs };
}

/**
 * Who pasted links of snapshots. Undefined where there are none, and in the conversation with the bot, which answers there.
 * Slack doesn't say whose member the person is.
 */
function actorOfLinks({ event, is_ext_shared_channel }: Envelope): Actor | undefined {
  const { user, channel, links: pasted, is_bot_user_member: isMember } = event;
  const links = snapshotLinks(pasted.map(({ url }) => url));
  const isWithBot = isDirect(channel) && isMember === true;
  if (user === undefined || channel === COMPOSER || links.length === 0 || isWithBot) return undefined;
  // For a conversation between people, only Slack's event says whether somebody of another company reads it.
  const isShared = is_ext_shared_channel ?? (isDirect(channel) || undefined);
  return { kind: 'link', user, team: undefined, channels: [channel], isShared, links };
}

/** The links that lead to a snapshot: of each snapshot the first one. */
function snapshotLinks(urls: readonly string[]): SnapshotLink[] {
  const links = new Map<SnapshotId, SnapshotLink>();
  for (const url of urls) {
    // Slack tells of links to the app's own domains, which are those of the service.
    const [snapshotId] = url.length > LONGEST_LINK ? [] : readLink(url, [URL.parse(url)?.hostname ?? '']).ids;
    if (snapshotId !== undefined && !links.has(snapshotId)) links.set(snapshotId, { url, snapshotId });
  }
  return [...links.values()].slice(0, MOST_LINKS);
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
