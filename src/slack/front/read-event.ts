import { z } from 'zod';
import type { SnapshotId } from '../../core/diagnostics.ts';
import { isApp, isDirect } from '../../core/lookup.ts';
import { userId } from '../blocks/action-values.ts';
import { readLink } from '../commands/links.ts';
import type { Actor, Delivery, SnapshotLink } from './delivery.ts';
import { read } from './delivery.ts';

const text = z.string().optional();
// In some events for the app itself, `user` is an object.
const author = z.looseObject({
  user: z.unknown().optional(),
  bot_id: text,
  subtype: text,
  app_id: text,
  bot_profile: z.object({ app_id: text }).optional(),
});
const envelope = z.object({
  event: author.extend({ type: z.string(), message: author.optional() }),
  is_ext_shared_channel: z.boolean().optional(),
  team_id: text,
  api_app_id: text,
});
/** What somebody wrote. Slack leaves `team` out where there are files. */
const written = z.object({
  user: userId,
  text: z.string().default(''),
  thread_ts: text,
  user_team: text,
  source_team: text,
  team: text,
  files: z.array(z.object({ user: text, user_team: text })).default([]),
});
const inChannel = z.object({ channel: z.string() });
/** Links of the app's domains that somebody pasted: into a message, or into one that is still being written. */
const pasted = inChannel.extend({
  user: userId,
  is_bot_user_member: z.boolean().default(false),
  links: z.array(z.object({ url: z.string() })),
});
/** What another app or a workflow wrote: it may have no user. */
const writtenByApp = inChannel.extend({ text: z.string().default(''), ts: z.string(), thread_ts: text });
const homeOpened = z.object({ user: userId });

/**
 * The subtypes of the messages that people write: with a file, as a reply that is sent to the conversation too, with
 * `/me`. The others are notices of Slack.
 */
export const WRITTEN = [undefined, 'file_share', 'thread_broadcast', 'me_message'];
const SLACKBOT = 'USLACKBOT';

/** Reads an event, with who caused it. Throws `NotADelivery`. */
export function readEvent(body: unknown): Delivery {
  const told = read(envelope, body, 'event_callback');
  return { kind: 'event_callback', actor: actorOf(told), name: told.event.type, triggerId: '' };
}

type Told = z.infer<typeof envelope>;

function actorOf(told: Told): Actor | undefined {
  const { event, team_id, is_ext_shared_channel: isShared } = told;
  const { type, subtype, message: sent = event } = event;
  // The envelope's team is the workspace that receives the event: of those below, only for a Home tab the sender's own.
  if (type === 'app_home_opened') {
    const { user } = read(homeOpened, event, type);
    return { entryPoint: { kind: 'home-opened' }, user, team: team_id, channels: [] };
  }
  if (type === 'link_shared') return actorOfLinks(event, isShared);
  if (type === 'app_mention' && isOfBot(sent)) return actorOfApp(told);
  const isOfPerson = subtype === 'message_changed' || WRITTEN.includes(subtype);
  if (isOfBot(sent) || !(type === 'app_mention' || (type === 'message' && isOfPerson))) return undefined;
  const { channel } = read(inChannel, event, type);
  const words = read(written, sent, type);
  const { user, thread_ts: threadTs, user_team, source_team, team } = words;
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

/** Another app that mentions the bot; nobody for one without an id, and the bot itself. */
function actorOfApp({ event, api_app_id: itself, is_ext_shared_channel: isShared }: Told): Actor | undefined {
  const user = event.app_id ?? event.bot_profile?.app_id;
  if (user === undefined || !isApp(user) || user === itself) return undefined;
  const { channel, text: said, ts, thread_ts: threadTs = ts } = read(writtenByApp, event, 'app_mention');
  return {
    entryPoint: { kind: 'mention', text: said, threadTs },
    user,
    team: undefined,
    channels: [channel],
    isShared,
  };
}

/** The most links of one message that are previewed. */
const MOST_LINKS = 5;
/** Each lookup of a link holds it. */
const LONGEST_LINK = 3_000;
/** The channel of every message that is still being written, which is not previewed. */
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
  if (channel === COMPOSER || links.length === 0 || (isDirect(channel) && isBotThere)) return undefined;
  // Of a conversation between people only Slack's event says whether somebody of another company reads it.
  return {
    entryPoint: { kind: 'link', links },
    user,
    team: undefined,
    channels: [channel],
    isShared: isShared ?? (isDirect(channel) || undefined),
  };
}

/** The links that lead to a snapshot: of each snapshot the first one. */
function snapshotLinks(urls: readonly string[]): SnapshotLink[] {
  const links = new Map<SnapshotId, SnapshotLink>();
  for (const url of urls) {
    const host = URL.parse(url)?.hostname ?? '';
    // Slack tells of links to the app's own domains, which are those of the service.
    const [snapshotId] = url.length > LONGEST_LINK ? [] : readLink(url, [host]).ids;
    if (snapshotId !== undefined && !links.has(snapshotId)) links.set(snapshotId, { url, snapshotId });
  }
  return [...links.values()].slice(0, MOST_LINKS);
}

function isOfBot({ user, bot_id, subtype }: Omit<Told['event'], 'type'>): boolean {
  return bot_id !== undefined || subtype === 'bot_message' || user === SLACKBOT;
}
