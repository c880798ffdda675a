import { record, string } from '../json.ts';
import type { Channel, Delivery, StoredMessage, User, VisibleMessage } from '../model.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import { deliverEvent, destinationFor, userNamed } from './base.ts';
import { seenMessage } from './click.ts';

/** What a person writes, but has not sent. */
export interface ComposeInput {
  readonly text: string;
  /** An id or a name; `#support` unless given. */
  readonly channel?: string;
  readonly user?: string;
}

/** Opens the side panel of the Work Object under a link. */
export interface OpenPanelInput {
  readonly message: VisibleMessage;
  readonly url: string;
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

/** Opens the side panel of a Work Object. */
export function openPanel(context: Context, { message: shown, url, user: name }: OpenPanelInput) {
  const user = userNamed(context, name);
  const message = seenMessage(context, user, shown);
  const entity = message.unfurls.get(url)?.entity;
  const channel = context.workspace.channelById(message.channel);
  if (entity === undefined || channel === undefined) throw new Error(`There is no Work Object under ${url}`);
  const external_ref = record(entity.external_ref);
  // The side panel opens empty.
  context.unfurls.panels.delete(user.id);
  context.journal.tell({ type: 'view', change: 'opened', user: user.id });
  const event = {
    type: 'entity_details_requested',
    user: user.id,
    external_ref,
    entity_url: entity.url,
    app_unfurl_url: url,
    link: { url, domain: new URL(url).hostname },
    trigger_id: context.triggers.issue(user.id, string(external_ref.id)),
    user_locale: 'en-US',
    channel: channel.id,
    message_ts: message.ts,
    event_ts: context.workspace.nextTs(),
  };
  return deliverEvent(context, channel, event);
}
