import { z } from 'zod';
import type { SnapshotId } from '../../core/diagnostics.ts';
import { isApp, isDirect } from '../../core/lookup.ts';
import { userId } from '../blocks/action-values.ts';
import { readLink } from '../commands/ids.ts';
import { type Actor, type Delivery, read, type SnapshotLink } from './delivery.ts';

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
const inChannel = z.object({ channel: z.string() });
/** What a person wrote. Slack leaves `team` out where there are files. */
const written = z.object({
  user: userId,
  text: z.string().default(''),
  thread_ts: text,
  user_team: text,
  source_team: text,
  team: text,
  files: z.array(z.object({ user: text, user_team: text })).default([]),
});
/** What another app or a workflow wrote: it may have no user. */
const writtenByApp = inChannel.extend({ text: z.string().default(''), ts: z.string(), thread_ts: text });
/** Pasted links of the app's domains: in a message, or in one that is still being written. */
const pasted = inChannel.extend({
  user: userId,
  is_bot_user_member: z.boolean().default(false),
  links: z.array(z.object({ url: z.string() })),
});
const homeOpened = z.object({ user: userId });

/**
 * The subtypes of the messages that people write: with a file, as a reply that is sent to the conversation too, with
 * `/me`. The others are notices of Slack.
 */
export const WRITTEN = [undefined, 'file_share', 'thread_broadcast', 'me_message'];
const SLACKBOT = 'USLACKBOT';

type Told = z.infer<typeof envelope>;

/** Reads an event, with who caused it. Throws `NotADelivery`. */
export function readEvent(body: unknown): Delivery {
  const told = read(envelope, body, 'event_callback');
  return { type: 'event_callback', name: told.event.type, actor: actorOf(told) };
}

function actorOf(told: Told): Actor | undefined {
  const { event, team_id: team } = told;
  const { type, subtype, message: sent = event } = event;
  switch (type) {
    case 'app_home_opened':
      // The envelope's team is the workspace that receives the event: only here it is the sender's own.
      return { kind: 'home-opened', ...read(homeOpened, event, type), team, channels: [] };
    case 'link_shared':
      return actorOfLinks(told);
    case 'app_mention':
      return isOfBot(sent) ? actorOfApp(told) : actorOfPerson(told, sent);
    case 'message':
      return isOfBot(sent) || !(subtype === 'message_changed' || WRITTEN.includes(subtype))
        ? undefined
        : actorOfPerson(told, sent);
    default:
      return undefined;
  }
}

function actorOfPerson({ event, is_ext_shared_channel: isShared }: Told, sent: unknown): Actor {
  const { channel } = read(inChannel, event, event.type);
  const { user, files, thread_ts: threadTs, ...said } = read(written, sent, event.type);
  // A file can be another person's.
  const ofFile = files.find((file) => file.user === user)?.user_team;
  return {
    kind: event.type === 'app_mention' ? 'mention' : 'direct-message',
    ...{ user, threadTs, isShared, text: said.text, channels: [channel] },
    team: said.user_team ?? said.source_team ?? said.team ?? ofFile,
  };
}

/** Another app that mentions the bot, and is answered in the thread of its message; not one without an id, nor the bot. */
function actorOfApp({ event, api_app_id: itself, is_ext_shared_channel: isShared }: Told): Actor | undefined {
  const user = event.app_id ?? event.bot_profile?.app_id;
  if (user === undefined || !isApp(user) || user === itself) return undefined;
  const { channel, text: said, ts, thread_ts: threadTs = ts } = read(writtenByApp, event, 'app_mention');
  return { kind: 'mention', user, team: undefined, channels: [channel], isShared, text: said, threadTs };
}

/** The most links of one message that are previewed. */
const MOST_LINKS = 5;
/** Each lookup of a link holds it. */
const LONGEST_LINK = 3_000;
/** The channel of every message that is still being written, which is not previewed. */
const COMPOSER = 'COMPOSER';

/**
 * Who pasted links of snapshots. Undefined where there are none, where an app did, and in the conversation with the bot,
 * which answers there. Slack doesn't say whose member the person is.
 */
function actorOfLinks({ event, is_ext_shared_channel: isExternal }: Told): Actor | undefined {
  if (isOfBot(event) || !userId.safeParse(event.user).success) return undefined;
  const { user, channel, is_bot_user_member: isBotThere, ...found } = read(pasted, event, 'link_shared');
  const links = snapshotLinks(found.links.map(({ url }) => url));
  if (channel === COMPOSER || links.length === 0 || (isDirect(channel) && isBotThere)) return undefined;
  // Of a conversation between people only Slack's event says whether somebody of another company reads it.
  const isShared = isExternal ?? (isDirect(channel) || undefined);
  return { kind: 'link', user, team: undefined, channels: [channel], isShared, links };
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

function isOfBot({ user, bot_id, subtype }: z.infer<typeof author>): boolean {
  return bot_id !== undefined || subtype === 'bot_message' || user === SLACKBOT;
}
