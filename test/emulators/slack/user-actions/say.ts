import { type Json, records } from '../json.ts';
import { messageJson } from '../message-json.ts';
import type { Channel, Delivery, StoredMessage, User, VisibleMessage } from '../model.ts';
import { mentionedIn } from '../paging.ts';
import { TEAM } from '../seed.ts';
import type { Context } from '../setup.ts';
import { visible } from '../workspace.ts';
import { deliverEvent, destinationFor, userNamed } from './base.ts';
import { tellOfLinks } from './paste.ts';

/** A message from a person or another bot. */
export interface SayInput {
  readonly text: string;
  /** An id, a name, or `@ana` for the bot's DM with Ana; `#support` unless given. */
  readonly channel?: string;
  readonly user?: string;
  readonly threadTs?: string;
  readonly blocks?: readonly Json[];
  /** Whether a workflow of this app wrote it; Slack then names no user. */
  readonly isWorkflow?: true;
  /** Files and attachments, as fields of a message. */
  readonly extras?: Json;
  /** When it was written, if earlier than all other messages; default now. Epoch milliseconds. */
  readonly at?: number;
}

/** A message, and the deliveries that notified the bot of it. */
export interface Said {
  readonly message: VisibleMessage;
  readonly deliveries: readonly Delivery[];
}

/** Writes a message; the bot is notified if Slack would do so. */
export async function say(context: Context, input: SayInput): Promise<Said> {
  const user = userNamed(context, input.user);
  const channel = destinationFor(context, user, input.channel ?? 'support');
  const message = context.workspace.post({
    channel: channel.id,
    user: user.id,
    text: input.text,
    blocks: input.blocks ?? plainBlocks(input.text),
    threadTs: input.threadTs,
    at: input.at,
    extras: { ...extrasBy(user, input.extras), ...(input.isWorkflow && asWorkflow(user)) },
  });
  return { message: visible(message), deliveries: await tell(context, channel, user, message) };
}

/** Edits a person's message; the bot is notified again if Slack would do so, for example of an edited mention. */
export async function edit(context: Context, shown: VisibleMessage, text: string): Promise<Said> {
  const message = context.workspace.find(shown.channel, shown.ts);
  const channel = context.workspace.channelById(shown.channel);
  if (!message || !channel) throw new Error(`There is no message ${shown.ts}`);
  const user = userNamed(context, message.user);
  const links = context.unfurls.linksIn(text).map(({ url }) => url);
  for (const url of [...message.unfurls.keys()]) if (!links.includes(url)) message.unfurls.delete(url);
  context.workspace.edit(message, text, plainBlocks(text));
  return { message: visible(message), deliveries: await tell(context, channel, user, message) };
}

/** Notifies the bot of its own messages in DMs, as Slack does. A bot must ignore them. */
export function echoOwnMessages(context: Context): void {
  context.journal.on((event) => {
    if (event.type !== 'message' || !['posted', 'edited'].includes(event.change)) return;
    const { message } = event;
    const channel = context.workspace.channelById(message.channel);
    if (message.user !== TEAM.botUser || message.onlyFor || channel?.kind !== 'im') return;
    void tellBot(context, channel, userNamed(context, TEAM.botUser), message);
  });
}

/** Slack names the owner of each file, and the owner's workspace. */
function extrasBy({ id: user, teamId: user_team }: User, extras: Json = {}): Json {
  if (extras.files === undefined) return extras;
  return { ...extras, files: records(extras.files).map((file) => ({ user, user_team, ...file })) };
}

function asWorkflow({ realName: username }: User): Json {
  return { subtype: 'bot_message', user: undefined, username };
}

/** How Slack names the app that wrote a bot's message. */
function appOf({ id, name, teamId: team_id, isBot }: User): Json {
  if (!isBot || id === TEAM.botUser) return {};
  const [bot_id, app_id] = [id.replace('U', 'B'), id.replace('U', 'A')];
  return { bot_id, app_id, bot_profile: { id: bot_id, app_id, name, team_id, deleted: false } };
}

function plainBlocks(text: string): Json[] {
  if (text === '') return [];
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  return [{ type: 'rich_text', block_id: 'person', elements: [section] }];
}

/** Notifies the bot of a message and of its links. */
async function tell(
  context: Context,
  channel: Channel,
  user: User,
  message: StoredMessage,
): Promise<Delivery[]> {
  const told = await Promise.all([
    tellBot(context, channel, user, message),
    tellOfLinks(context, channel, user, message),
  ]);
  return told.flat();
}

async function tellBot(
  context: Context,
  channel: Channel,
  user: User,
  message: StoredMessage,
): Promise<Delivery[]> {
  if (!channel.members.has(TEAM.botUser)) return [];
  const event = eventFor(context, channel, user, message);
  if (!event) return [];
  return [await deliverEvent(context, channel, event)];
}

function eventFor(context: Context, channel: Channel, user: User, message: StoredMessage): Json | undefined {
  const { team, ...json } = messageJson(message, user);
  const foreign = user.teamId === TEAM.id ? {} : { user_team: user.teamId, source_team: user.teamId };
  const hasFiles = records(message.extras.files).length > 0;
  const said = {
    ...json,
    channel: channel.id,
    event_ts: message.editedTs ?? message.ts,
    // Slack does not name the team of a person who attaches a file, only that of the file.
    ...(hasFiles ? { bot_id: null } : { team, ...foreign }),
    ...appOf(user),
  };
  if (channel.kind === 'im') {
    if (!context.scopes.has('im:history')) return undefined;
    return message.editedTs ? changed(channel, message, said) : { ...said, ...directMessage(message) };
  }
  const mentioned = mentionedIn(message.text).includes(TEAM.botUser);
  return mentioned && context.scopes.has('app_mentions:read') ? { ...said, type: 'app_mention' } : undefined;
}

/** The type fields of a direct message; Slack gives one with a file the subtype `file_share`. */
function directMessage({ extras }: StoredMessage): Json {
  const withFile = records(extras.files).length > 0 ? { subtype: 'file_share', upload: false } : {};
  return { type: 'message', channel_type: 'im', ...withFile };
}

function changed(channel: Channel, message: StoredMessage, said: Json): Json {
  return {
    type: 'message',
    subtype: 'message_changed',
    channel: channel.id,
    channel_type: 'im',
    message: said,
    previous_message: {
      type: 'message',
      user: message.user,
      text: message.history.at(-1)?.text,
      ts: message.ts,
    },
    ts: message.editedTs,
    event_ts: message.editedTs,
  };
}
