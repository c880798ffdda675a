import { type Json, string } from '../json.ts';
import { messageJson } from '../message-json.ts';
import type { StoredMessage } from '../model.ts';
import { Refusal } from '../refusal.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import { knownChannel } from './access.ts';

const READ_SCOPE = { public: 'channels:history', private: 'groups:history', im: 'im:history' } as const;
const DEFAULT_LIMIT = 100;
const LONGEST_PAGE = 999;

function readable(args: Json, context: Context): StoredMessage[] {
  const channel = knownChannel(context, args.channel);
  // The scopes are optional, so a call without them is refused but is no breach.
  if (!context.scopes.has(READ_SCOPE[channel.kind])) throw Refusal.ofTheWorld('missing_scope');
  if (!channel.members.has(TEAM.botUser)) {
    throw Refusal.ofTheWorld(channel.kind === 'public' ? 'not_in_channel' : 'channel_not_found');
  }
  const [oldest, latest] = [Number(args.oldest ?? 0), Number(args.latest ?? Number.POSITIVE_INFINITY)];
  // Messages at the limits of the time range are included only on request.
  const isEnd = (ts: number) => String(args.inclusive) === 'true' && (ts === oldest || ts === latest);
  return context.workspace.messages
    .filter((message) => message.channel === channel.id && message.onlyFor === undefined)
    .filter(({ deleted, ts }) => !deleted || context.workspace.isThread(channel.id, ts))
    .filter(({ ts }) => (Number(ts) > oldest && Number(ts) < latest) || isEnd(Number(ts)));
}

function shown(messages: readonly StoredMessage[], args: Json, context: Context): Json {
  const limit = Math.min(Number(args.limit ?? DEFAULT_LIMIT), LONGEST_PAGE);
  const start = Number(args.cursor ?? 0);
  const withMetadata = String(args.include_all_metadata) === 'true';
  const listed = messages.slice(start, start + limit).map((message) => {
    if (message.deleted) return tombstone(message);
    const { metadata, ...rest } = messageJson(message, context.workspace.user(message.user));
    return withMetadata && metadata !== undefined ? { ...rest, metadata } : rest;
  });
  const hasMore = messages.length > start + limit;
  const next_cursor = hasMore ? String(start + limit) : '';
  return { messages: listed, has_more: hasMore, response_metadata: { next_cursor } };
}

/** What remains of a deleted message that has replies. */
function tombstone({ ts }: StoredMessage): Json {
  const said = { text: 'This message was deleted.', user: 'USLACKBOT' };
  return { type: 'message', subtype: 'tombstone', hidden: true, ...said, ts, thread_ts: ts };
}

/** conversations.history: newest first, without replies, except for replies that were also sent to the channel. */
export function history(args: Json, context: Context): Json {
  const messages = readable(args, context);
  const top = messages.filter(
    ({ threadTs, ts, extras }) =>
      threadTs === undefined || threadTs === ts || extras.subtype === 'thread_broadcast',
  );
  return shown(top.reverse(), args, context);
}

/** conversations.replies: a thread, its first message first. */
export function replies(args: Json, context: Context): Json {
  const messages = readable(args, context);
  const { workspace } = context;
  const ts = string(args.ts);
  const parent = workspace.find(string(args.channel), ts);
  if (parent?.deleted && !workspace.isThread(parent.channel, ts))
    throw Refusal.ofTheWorld('thread_not_found');
  return shown(
    messages.filter((message) => message.ts === ts || message.threadTs === ts),
    args,
    context,
  );
}
