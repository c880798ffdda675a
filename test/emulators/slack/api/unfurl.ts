import { checkBlocks } from '../content.ts';
import { type Json, record, string } from '../json.ts';
import type { Unfurl } from '../model.ts';
import { pagingFaults } from '../paging.ts';
import { Refusal } from '../refusal.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import type { UnfurlTarget } from '../unfurls.ts';

/** chat.unfurl: sets the previews of links. Slack documents no way to remove them. */
export function unfurl(args: Json, context: Context): Json {
  const previews = Object.entries(record(args.unfurls));
  if (previews.length === 0) throw new Refusal('missing_unfurls', 'no unfurls');
  const changes = new Map(previews.map(([url, preview]) => [url, previewOf(record(preview), context)]));
  const { channel, ts, urls } = targetOf(args, context);
  for (const url of changes.keys()) {
    if (!urls.includes(url)) throw new Refusal('cannot_unfurl_url', `${url} is not a link of the event`);
  }
  const found = context.workspace.find(channel, ts);
  if (found === undefined || found.deleted) throw Refusal.ofTheWorld('cannot_unfurl_message');
  const present = context.unfurls.linksIn(found.text).map(({ url }) => url);
  // A person edited the message after the event.
  if ([...changes.keys()].some((url) => !present.includes(url)))
    throw Refusal.ofTheWorld('cannot_unfurl_url');
  context.workspace.unfurl(found, changes);
  return {};
}

function targetOf({ unfurl_id, source, channel, ts }: Json, context: Context): UnfurlTarget {
  if (unfurl_id !== undefined) {
    const target = context.unfurls.target(string(unfurl_id));
    if (target === undefined || source !== 'conversations_history')
      throw new Refusal('invalid_unfurl_id', `no ${String(source)} with the id ${String(unfurl_id)}`);
    return target;
  }
  const known = context.workspace.channelById(string(channel));
  if (known === undefined) throw new Refusal('cannot_find_channel', `no channel ${String(channel)}`);
  if (known.kind !== 'public' && !known.members.has(TEAM.botUser))
    throw Refusal.ofTheWorld('cannot_find_channel');
  const message = context.workspace.find(known.id, string(ts));
  if (message === undefined) throw new Refusal('message_not_found', `no message ${String(ts)}`);
  if (message.deleted) throw Refusal.ofTheWorld('message_not_found');
  const urls = context.unfurls.linksIn(message.text).map(({ url }) => url);
  return { channel: known.id, ts: message.ts, urls };
}

function previewOf(shown: Json, context: Context): Unfurl {
  const blocks = checkBlocks(shown.blocks);
  if (blocks.length === 0) throw new Refusal('invalid_blocks', 'a preview without blocks');
  const isUser = (id: string) => context.workspace.users.some((user) => user.id === id);
  for (const fault of pagingFaults(string(shown.fallback), blocks, isUser)) context.journal.breach(fault);
  return { blocks };
}
