import type { Channel, Delivery, StoredMessage, User } from '../model.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import { deliverEvent, destinationFor, userNamed } from './base.ts';

/** What a person writes, but has not sent. */
export interface ComposeInput {
  readonly text: string;
  /** An id or a name; `#support` unless given. */
  readonly channel?: string;
  readonly user?: string;
}

/**
 * Tells the app of links in a message: wherever it is posted, also where the bot is no member, but not of the app's own.
 */
export async function tellOfLinks(
  context: Context,
  channel: Channel,
  user: User,
  message: StoredMessage,
): Promise<Delivery[]> {
  const links = context.unfurls.linksIn(message.text);
  if (links.length === 0 || user.id === TEAM.botUser || !context.scopes.has('links:read')) return [];
  const { channel: id, ts } = message;
  const urls = links.map(({ url }) => url);
  const source = 'conversations_history';
  const event = {
    type: 'link_shared',
    user: user.id,
    channel: id,
    message_ts: ts,
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    is_bot_user_member: channel.members.has(TEAM.botUser),
    links,
    unfurl_id: context.unfurls.issue({ source, message: { channel: id, ts }, user: user.id, urls }),
    source,
    event_ts: message.editedTs ?? ts,
  };
  return [await deliverEvent(context, channel, event)];
}

/** Writes a message without sending it; its writer alone sees what the app shows under its links. */
export async function compose(context: Context, input: ComposeInput): Promise<Delivery[]> {
  const user = userNamed(context, input.user);
  const channel = destinationFor(context, user, input.channel ?? 'support');
  const links = context.unfurls.linksIn(input.text);
  if (links.length === 0 || !context.scopes.has('links:read')) return [];
  const urls = links.map(({ url }) => url);
  const unfurl_id = context.unfurls.issue({ source: 'composer', message: undefined, user: user.id, urls });
  const event = {
    type: 'link_shared',
    user: user.id,
    channel: 'COMPOSER',
    message_ts: unfurl_id,
    is_bot_user_member: channel.members.has(TEAM.botUser),
    links,
    unfurl_id,
    source: 'composer',
    event_ts: context.workspace.nextTs(),
  };
  return [await deliverEvent(context, channel, event)];
}
