import type { Json } from '../json.ts';
import type { Channel, Delivery, StoredMessage, User } from '../model.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import { deliverEvent, destinationFor, userNamed } from './base.ts';

/** A message that a person is writing, but has not sent. */
export interface ComposeInput {
  readonly text: string;
  /** An id or a name; `#support` unless given. */
  readonly channel?: string;
  readonly user?: string;
}

/** Notifies the app of links in a message, even where the bot is not a member, but not in the app's own messages. */
export async function tellOfLinks(
  context: Context,
  channel: Channel,
  user: User,
  message: StoredMessage,
): Promise<Delivery[]> {
  if (user.id === TEAM.botUser) return [];
  const { ts, threadTs, text } = message;
  const urls = context.unfurls.linksIn(text).map(({ url }) => url);
  return share(context, channel, user, text, {
    channel: channel.id,
    message_ts: ts,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    unfurl_id: context.unfurls.issue({ channel: channel.id, ts, urls }),
    source: 'conversations_history',
    event_ts: message.editedTs ?? ts,
  });
}

/** Writes a message without sending it. The app is notified of its links, but must not show a preview. */
export async function compose(context: Context, input: ComposeInput): Promise<Delivery[]> {
  const user = userNamed(context, input.user);
  const channel = destinationFor(context, user, input.channel ?? 'support');
  const unfurl_id = context.unfurls.issue();
  return share(context, channel, user, input.text, {
    channel: 'COMPOSER',
    message_ts: unfurl_id,
    unfurl_id,
    source: 'composer',
    event_ts: context.workspace.nextTs(),
  });
}

async function share(context: Context, channel: Channel, user: User, text: string, place: Json) {
  const links = context.unfurls.linksIn(text);
  if (links.length === 0 || !context.scopes.has('links:read')) return [];
  const is_bot_user_member = channel.members.has(TEAM.botUser);
  const event = { type: 'link_shared', user: user.id, is_bot_user_member, links, ...place };
  return [await deliverEvent(context, channel, event)];
}
