import { elementsOf } from './blocks/elements.ts';
import { compact, isRecord, type Json } from './json.ts';
import type { Channel, StoredMessage, User } from './model.ts';
import { TEAM } from './seed.ts';

/** The blocks as Slack returns them: each has an id. */
export function withIds(blocks: readonly Json[]): Json[] {
  return blocks.map((block, index) => {
    let next = 0;
    const elements = new Set(elementsOf(block));
    const named = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(named);
      if (!isRecord(value) || !elements.has(value) || value.type === 'image') return value;
      next += 1;
      return { action_id: `auto-${next}`, ...value };
    };
    const filled = Object.fromEntries(Object.entries(block).map(([key, value]) => [key, named(value)]));
    return { block_id: `auto-${index}`, ...filled };
  });
}

/** A message as Slack sends it to apps. */
export function messageJson(message: StoredMessage, author: User | undefined): Json {
  const bySelf = message.user === TEAM.botUser;
  return compact({
    type: 'message',
    user: message.user,
    ts: message.ts,
    bot_id: bySelf ? TEAM.botId : undefined,
    app_id: bySelf ? TEAM.appId : undefined,
    client_msg_id: author?.isBot ? undefined : `client-${message.ts}`,
    text: message.text,
    team: author?.teamId ?? TEAM.id,
    thread_ts: message.threadTs,
    blocks: message.blocks.length > 0 ? withIds(message.blocks) : undefined,
    attachments: message.unfurls.size > 0 ? attachments(message) : undefined,
    edited: message.editedTs && { user: message.user, ts: message.editedTs },
    ...message.extras,
  });
}

/** The app's previews, which Slack adds to the message as attachments. */
function attachments({ unfurls }: StoredMessage): Json[] {
  return [...unfurls].map(([url, { blocks }], index) => ({
    id: index + 1,
    blocks: withIds(blocks),
    fallback: '[no preview available]',
    app_unfurl_url: url,
    is_app_unfurl: true,
    bot_id: TEAM.botId,
  }));
}

/** A conversation as `conversations.info` returns it. */
export function channelJson(channel: Channel): Json {
  return {
    id: channel.id,
    name: channel.kind === 'im' ? undefined : channel.name,
    is_channel: channel.kind === 'public',
    is_group: false,
    is_im: channel.kind === 'im',
    is_mpim: false,
    is_private: channel.kind !== 'public',
    is_archived: channel.archived,
    is_member: channel.members.has(TEAM.botUser),
    is_shared: channel.shared,
    is_ext_shared: channel.shared,
    user: channel.kind === 'im' ? [...channel.members].find((id) => id !== TEAM.botUser) : undefined,
    context_team_id: TEAM.id,
  };
}
