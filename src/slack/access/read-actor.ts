import { z } from 'zod';
import { userId } from '../block-kit/action-values.ts';
import { readShape } from '../connection/deliveries.ts';
import type { Actor } from './actor.ts';
import { actorOfInteraction } from './interaction-actor.ts';

const command = z.object({
  command: z.string(),
  user_id: z.string(),
  team_id: z.string().optional(),
  channel_id: z.string(),
  response_url: z.string().default(''),
});

/** An id of Slack's. A request to Slack would not carry any other text unchanged. */
const slackId = z.string().regex(/^[A-Z0-9]+$/);

/** What somebody wrote. Slack leaves `team` out where there are files. */
const said = z.object({
  user: userId,
  text: z.string().default(''),
  thread_ts: z.string().optional(),
  user_team: z.string().optional(),
  source_team: z.string().optional(),
  team: z.string().optional(),
  files: z.array(z.object({ user: z.string().optional(), user_team: z.string().optional() })).default([]),
});
const written = said.extend({ channel: slackId });
const edited = z
  .object({ channel: slackId, message: said })
  .transform(({ channel, message }) => ({ ...message, channel }));
/**
 * The subtypes of the messages that people write: with a file, as a reply that is sent to the conversation too, with
 * `/me`. The others are notices of Slack.
 */
export const WRITTEN = [undefined, 'file_share', 'thread_broadcast', 'me_message'];

const author = z.object({
  // In some events for the app itself, this is an object.
  user: z.unknown().optional(),
  bot_id: z.string().optional(),
  subtype: z.string().optional(),
});
const envelope = z.object({
  team_id: z.string().optional(),
  is_ext_shared_channel: z.boolean().optional(),
  event: author.extend({ type: z.string(), message: author.optional() }),
});
type Envelope = z.infer<typeof envelope>;

const SLACKBOT = 'USLACKBOT';

/**
 * Reads the actor from a delivery; undefined for events that no person causes. Throws `NotADelivery` if it does not say
 * who sent it, and from where.
 */
export function actorOf(body: unknown): Actor | undefined {
  const typed = command.safeParse(body).data;
  if (typed !== undefined) {
    const { user_id: user, team_id: team, channel_id: channel, response_url: responseUrl } = typed;
    return { entryPoint: { kind: 'command', responseUrl }, user, team, channels: [channel] };
  }
  const told = envelope.safeParse(body).data;
  return told === undefined ? actorOfInteraction(body) : actorOfEvent(body, told);
}

function actorOfEvent(body: unknown, { event, team_id, is_ext_shared_channel }: Envelope): Actor | undefined {
  const { type, subtype, message = event } = event;
  // The envelope's team is the workspace that receives the event: of those below, only for a Home tab the sender's own.
  if (type === 'app_home_opened') {
    const { user } = readShape(z.object({ event: z.object({ user: userId }) }), body, type).event;
    return { entryPoint: { kind: 'home-opened' }, user, team: team_id, channels: [] };
  }
  const isEdit = subtype === 'message_changed';
  const isSaid = type === 'app_mention' || (type === 'message' && (isEdit || WRITTEN.includes(subtype)));
  if (!isSaid || isOfBot(message)) return undefined;
  const shape = z.object({ event: isEdit ? edited : written });
  const { user, channel, text, thread_ts: threadTs, ...from } = readShape(shape, body, type).event;
  return {
    entryPoint:
      type === 'app_mention' ? { kind: 'mention', text, threadTs } : { kind: 'direct-message', threadTs },
    user,
    // A file can be another person's.
    team:
      from.user_team ??
      from.source_team ??
      from.team ??
      from.files.find((file) => file.user === user)?.user_team,
    channels: [channel],
    ...(is_ext_shared_channel === undefined ? {} : { isShared: is_ext_shared_channel }),
  };
}

function isOfBot({ user, bot_id, subtype }: z.infer<typeof author>): boolean {
  return bot_id !== undefined || subtype === 'bot_message' || user === SLACKBOT;
}
