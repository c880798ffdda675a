import { type Json, string } from '../json.ts';
import type { Channel, StoredMessage, User } from '../model.ts';
import { Refusal } from '../refusal.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';

const TS = /^\d{10}\.\d{6}$/;

/** The user that a call names; refuses an unknown user. */
export function knownUser(context: Context, id: unknown): User {
  const user = context.workspace.users.find((known) => known.id === id);
  if (!user) throw new Refusal('user_not_found', `no user ${JSON.stringify(id)}`);
  return user;
}

/** The conversation of a call, even if the bot can't write in it. */
export function knownChannel(context: Context, id: unknown): Channel {
  const channel = context.workspace.channelById(string(id));
  if (!channel) throw new Refusal('channel_not_found', `no channel ${JSON.stringify(id)}`);
  return channel;
}

/** The conversation of a call, if the bot can see it because it is public or the bot is a member. */
export function seenChannel(context: Context, id: unknown): Channel {
  const channel = knownChannel(context, id);
  const isMember = channel.members.has(TEAM.botUser);
  if (!isMember && channel.kind !== 'public') throw Refusal.ofTheWorld('channel_not_found');
  return channel;
}

/** The conversation of a call, if the bot can write in it. */
export function writableChannel(context: Context, id: unknown, whenArchived = 'is_archived'): Channel {
  const channel = seenChannel(context, id);
  if (channel.archived) throw Refusal.ofTheWorld(whenArchived);
  if (!channel.members.has(TEAM.botUser) && !context.scopes.has('chat:write.public'))
    throw Refusal.ofTheWorld('not_in_channel');
  return channel;
}

/** The conversation for a new message: a user's id stands for the bot's DM with that user. */
export function destination(context: Context, id: unknown): Channel {
  const user = context.workspace.users.find((known) => known.id === id);
  if (!user) return writableChannel(context, id);
  if (user.isBot) throw new Refusal('cannot_dm_bot', 'a message to a bot');
  return context.workspace.dm(user.id);
}

/**
 * The thread for a new message. A reply to a deleted message without replies has no thread: Slack posts it in the
 * channel itself (https://github.com/slack-go/slack/issues/1571).
 */
export function threadOf(context: Context, channel: Channel, args: Json): string | undefined {
  if (args.thread_ts === undefined) return undefined;
  const ts = string(args.thread_ts);
  const parent = TS.test(ts) ? context.workspace.find(channel.id, ts) : undefined;
  if (!TS.test(ts)) throw new Refusal('invalid_thread_ts', `thread_ts ${ts}`);
  if (!parent || parent.onlyFor) throw new Refusal('thread_not_found', `no thread ${ts}`);
  if (parent.threadTs !== undefined && parent.threadTs !== parent.ts) {
    context.journal.breach(`thread_ts is a reply's, its parent's is ${parent.threadTs}`);
  }
  const isGone = parent.deleted && !context.workspace.isThread(channel.id, parent.ts);
  return isGone ? undefined : (parent.threadTs ?? parent.ts);
}

/** A message of the bot that it may edit or delete. */
export function ownMessage(context: Context, channel: Channel, ts: unknown, foreign: string): StoredMessage {
  const message = context.workspace.find(channel.id, string(ts));
  if (!message) throw new Refusal('message_not_found', `no message ${JSON.stringify(ts)}`);
  if (message.onlyFor) throw new Refusal('message_not_found', `${message.ts} is ephemeral`);
  if (message.deleted) throw Refusal.ofTheWorld('message_not_found');
  if (message.user !== TEAM.botUser) throw new Refusal(foreign, `somebody else's message`);
  return message;
}
