import { z } from 'zod';
import type { SnapshotId } from '../../core/diagnostics.ts';
import { isDirect } from '../../core/lookup.ts';
import { userId } from '../block-kit/action-values.ts';
import { destinationOfView } from '../block-kit/modal.ts';
import { findIds } from '../commands/sentences.ts';
import { type Actor, type Delivery, type EntryPoint, NotADelivery, type SnapshotLink } from './delivery.ts';
import {
  APP_EVENTS,
  command,
  edited,
  envelope,
  INTERACTIONS,
  type Interaction,
  type InteractionKind,
  opened,
  pasted,
  written,
} from './delivery-shapes.ts';

/**
 * The subtypes of the messages that people write: with a file, as a reply that is sent to the conversation too, with
 * `/me`. The others are notices of Slack.
 */
export const WRITTEN = [undefined, 'file_share', 'thread_broadcast', 'me_message'];
const SLACKBOT = 'USLACKBOT';

/**
 * Reads a delivery, once for all who handle it. Leaves out of its body all that is null, which any optional field of
 * Slack’s may be, so that no reader has to know of it. Throws `NotADelivery` unless it is of a kind that the bot handles,
 * with all that its listeners rely on.
 */
export function readDelivery(body: unknown): Delivery {
  dropNulls(body);
  const { type, command: typed } = read(
    z.object({ type: z.string().optional(), command: z.string().optional() }),
    body,
    'delivery',
  );
  if (typed !== undefined) return readCommand(body);
  if (type === 'event_callback') return readEvent(body);
  if (type === undefined || !isInteraction(type)) throw new NotADelivery();
  const done = read(INTERACTIONS[type], body, type);
  const { actions, view: shown, trigger_id: triggerId } = done;
  const name = actions?.[0].action_id ?? shown?.callback_id ?? done.callback_id ?? '';
  return { kind: type, actor: actorOf(type, done), name, triggerId, window: shown, isShown: isShown(done) };
}

function isInteraction(type: string): type is InteractionKind {
  return Object.hasOwn(INTERACTIONS, type);
}

function readCommand(body: unknown): Delivery {
  const { command: name, trigger_id: triggerId, ...typed } = read(command, body, 'command');
  const { user_id: user, team_id: team, channel_id: channel, response_url: responseUrl } = typed;
  const actor: Actor = { entryPoint: { kind: 'command', responseUrl }, user, team, channels: [channel] };
  return { kind: 'command', actor, name, triggerId };
}

function readEvent(body: unknown): Delivery {
  const told = read(envelope, body, 'event_callback');
  const { type } = told.event;
  if (Object.hasOwn(APP_EVENTS, type)) read(APP_EVENTS[type] ?? envelope, body, type);
  return { kind: 'event_callback', actor: actorOfEvent(told), name: type, triggerId: '' };
}

type Told = z.infer<typeof envelope>;

function actorOfEvent({ event, team_id, is_ext_shared_channel: isShared }: Told): Actor | undefined {
  const { type, subtype, message: sent = event } = event;
  // The envelope's team is the workspace that receives the event: of those below, only for a Home tab the sender's own.
  if (type === 'app_home_opened') {
    const { user } = read(z.object({ user: userId }), event, type);
    return { entryPoint: { kind: 'home-opened' }, user, team: team_id, channels: [] };
  }
  if (type === 'link_shared') return actorOfLinks(event, isShared);
  if (type === 'entity_details_requested') {
    const { user, trigger_id: triggerId, channel } = read(opened, event, type);
    const channels = channel === undefined ? [] : [channel];
    return { entryPoint: { kind: 'side-panel', triggerId }, user, team: undefined, channels };
  }
  const isEdit = subtype === 'message_changed';
  const isSaid = type === 'app_mention' || (type === 'message' && (isEdit || WRITTEN.includes(subtype)));
  if (!isSaid || isOfBot(sent)) return undefined;
  const words = read(isEdit ? edited : written, event, type);
  const { user, channel, thread_ts: threadTs, user_team, source_team, team } = words;
  // A file can be another person's.
  const ofFile = words.files.find((file) => file.user === user)?.user_team;
  return {
    entryPoint:
      type === 'app_mention'
        ? { kind: 'mention', text: words.text, threadTs }
        : { kind: 'direct-message', threadTs },
    user,
    team: user_team ?? source_team ?? team ?? ofFile,
    channels: [channel],
    isShared,
  };
}

/** The most links of one message that are previewed. */
const MOST_LINKS = 5;
/** Each lookup of a link holds it. */
const LONGEST_LINK = 3_000;
/** The channel of every message that is still being written. */
const COMPOSER = 'COMPOSER';

/**
 * Who pasted links of snapshots. Nobody where there are none, where an app did, and in the conversation with the bot, which
 * answers there. Slack doesn't say whose member the person is.
 */
function actorOfLinks(event: Told['event'], isShared: boolean | undefined): Actor | undefined {
  if (isOfBot(event) || !userId.safeParse(event.user).success) return undefined;
  const found = read(pasted, event, 'link_shared');
  const { user, channel, is_bot_user_member: isBotThere } = found;
  const links = snapshotLinks(found.links.map(({ url }) => url));
  const isDraft = channel === COMPOSER;
  if (links.length === 0 || (isDirect(channel) && isBotThere)) return undefined;
  // Of a conversation between people, and of where a draft will be posted, nobody but Slack's event says whether somebody
  // of another company reads it.
  return {
    entryPoint: { kind: 'link', links, isDraft },
    user,
    team: undefined,
    channels: isDraft ? [] : [channel],
    isShared: isShared ?? (isDirect(channel) || isDraft || undefined),
  };
}

/** The links that lead to a snapshot: of each snapshot the first one. */
function snapshotLinks(urls: readonly string[]): SnapshotLink[] {
  const links = new Map<SnapshotId, SnapshotLink>();
  for (const url of urls) {
    const [snapshotId] = url.length > LONGEST_LINK ? [] : findIds({ text: url });
    if (snapshotId !== undefined && !links.has(snapshotId)) links.set(snapshotId, { url, snapshotId });
  }
  return [...links.values()].slice(0, MOST_LINKS);
}

function isOfBot({ user, bot_id, subtype }: Omit<Told['event'], 'type'>): boolean {
  return bot_id !== undefined || subtype === 'bot_message' || user === SLACKBOT;
}

function actorOf(kind: InteractionKind, done: Interaction): Actor {
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
  const there = shown === undefined && isShown(done) === true ? channel?.id : opened;
  return {
    entryPoint: entryPointOf(kind, done),
    user: user.id,
    // The `team` beside it is the workspace of the click.
    team: user.team_id,
    channels: [...new Set(named)].filter((each) => each !== undefined),
    ...(there !== undefined && isDirect(there) ? { sentTo: there } : {}),
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

/** Throws `NotADelivery`, which names the field. Below the first two names a path may hold what somebody wrote. */
function read<T>(shape: z.ZodType<T>, body: unknown, named: string): T {
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
