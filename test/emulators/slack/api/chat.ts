import { checkContent } from '../content.ts';
import { type Json, parseJson, string } from '../json.ts';
import { messageJson } from '../message-json.ts';
import type { StoredMessage } from '../model.ts';
import { Refusal } from '../refusal.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import { destination, knownUser, ownMessage, seenChannel, threadOf, writableChannel } from './access.ts';

/** The longest edited text in bytes of UTF-8. Others measured that Slack accepts 4,000 and refuses 4,002. */
const LONGEST_EDIT_BYTES = 4_000;

function shown(context: Context, message: StoredMessage): Json {
  return messageJson(message, context.workspace.user(message.user));
}

/** chat.postMessage */
export function postMessage(args: Json, context: Context): Json {
  const channel = destination(context, args.channel);
  const content = checkContent(args, context);
  const threadTs = threadOf(context, channel, args);
  const extras = {
    ...(args.metadata === undefined ? {} : { metadata: args.metadata }),
    ...(broadcasts(args) ? { subtype: 'thread_broadcast' } : {}),
  };
  const draft = { channel: channel.id, user: TEAM.botUser, ...content, threadTs, extras };
  const message = context.workspace.post(draft);
  return { channel: channel.id, ts: message.ts, message: shown(context, message) };
}

/** Whether a message is a reply that is also sent to the channel. */
function broadcasts({ reply_broadcast, thread_ts }: Json): boolean {
  if (reply_broadcast === undefined) return false;
  if (!['true', 'false'].includes(String(reply_broadcast)) || thread_ts === undefined)
    throw new Refusal('invalid_arguments', `reply_broadcast ${String(reply_broadcast)} without a thread`);
  return String(reply_broadcast) === 'true';
}

/** chat.postEphemeral */
export function postEphemeral(args: Json, context: Context): Json {
  const channel = writableChannel(context, args.channel);
  const user = knownUser(context, args.user);
  if (!channel.members.has(user.id)) throw Refusal.ofTheWorld('user_not_in_channel');
  const content = checkContent(args, context);
  const threadTs = threadOf(context, channel, args);
  if (threadTs !== undefined && !context.workspace.isThread(channel.id, threadTs)) {
    context.journal.breach(`nobody sees it, because ${threadTs} has no replies`);
    return { message_ts: context.workspace.nextTs() };
  }
  const draft = { channel: channel.id, user: TEAM.botUser, ...content, threadTs, onlyFor: user.id };
  return { message_ts: context.workspace.post(draft).ts };
}

/** chat.update */
export function update(args: Json, context: Context): Json {
  const channel = writableChannel(context, args.channel, 'is_inactive');
  const message = ownMessage(context, channel, args.ts, 'cant_update_message');
  const content = checkContent(args, context, LONGEST_EDIT_BYTES);
  context.workspace.edit(message, content.text, content.blocks);
  return { channel: channel.id, ts: message.ts, text: message.text, message: shown(context, message) };
}

/** chat.delete */
export function remove(args: Json, context: Context): Json {
  const channel = writableChannel(context, args.channel);
  const message = ownMessage(context, channel, args.ts, 'cant_delete_message');
  context.workspace.remove(message);
  return { channel: channel.id, ts: message.ts };
}

/** chat.getPermalink */
export function getPermalink(args: Json, context: Context): Json {
  const channel = seenChannel(context, args.channel);
  const message = context.workspace.find(channel.id, string(args.message_ts));
  if (!message || message.onlyFor)
    throw new Refusal('message_not_found', `no message ${String(args.message_ts)}`);
  if (message.deleted) throw Refusal.ofTheWorld('message_not_found');
  const thread = message.threadTs ? `?thread_ts=${message.threadTs}&cid=${channel.id}` : '';
  const path = `/archives/${channel.id}/p${message.ts.replace('.', '')}${thread}`;
  return { channel: channel.id, permalink: `https://${TEAM.domain}.slack.com${path}` };
}

/** Reads the arguments that WebClient sends as JSON inside form fields. */
export function parseArguments(fields: Json): Json {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      if (!['blocks', 'attachments', 'metadata', 'view', 'files', 'unfurls', 'error'].includes(key))
        return [key, value];
      return [key, typeof value === 'string' ? (parseJson(value) ?? value) : value];
    }),
  );
}
