import type { SnapshotId } from '../../core/diagnostics.ts';
import { isApp, isDirect } from '../../core/lookup.ts';
import { userId } from '../blocks/action-values.ts';
import { openedFrom } from '../blocks/modal.ts';
import { readLink } from '../commands/ids.ts';
import { type Actor, type Delivery, type DeliveryKind, NotADelivery, type SnapshotLink } from './delivery.ts';

/** Subtypes of what people write: a file, a reply sent to the channel too, `/me`. The others are notices of Slack. */
export const WRITTEN: readonly unknown[] = [undefined, 'file_share', 'thread_broadcast', 'me_message'];
const INTERACTIONS = ['block_actions', 'view_submission', 'shortcut', 'message_action'] as const;
const SLACKBOT = 'USLACKBOT';
/** The channel of every message that is still being written, which is not previewed. */
const COMPOSER = 'COMPOSER';
/** The most links of one message that are previewed. */
const MOST_LINKS = 5;
/** Characters: each lookup of a link stores it. */
const LONGEST_LINK = 3_000;

/**
 * Reads who sends a delivery, from where, and what it is. Drops all nulls of its body, which any optional field of Slack's
 * may be, so that listeners need not handle them. Throws `NotADelivery` where there is no sender or no known type.
 */
export function readDelivery(body: unknown): Delivery {
  dropNulls(body);
  const command = textAt(body, 'command');
  if (command !== undefined) return { type: 'command', name: command, actor: actorOfCommand(body) };
  if (textAt(body, 'type') === 'event_callback') {
    const name = needed(body, 'event_callback', 'event', 'type');
    return { type: 'event_callback', name, actor: actorOfEvent(body, name) };
  }
  const type = INTERACTIONS.find((each) => each === textAt(body, 'type'));
  if (type === undefined) throw new NotADelivery('interaction.type');
  const used = textAt(body, 'actions', 0, 'action_id') ?? textAt(body, 'view', 'callback_id');
  const name = used ?? textAt(body, 'callback_id') ?? '';
  return { type, name, actor: actorOfInteraction(body, type) };
}

function actorOfCommand(body: unknown): Actor {
  return {
    kind: 'command',
    user: personAt(body, 'command', 'user_id'),
    team: textAt(body, 'team_id'),
    channels: [needed(body, 'command', 'channel_id')],
    ...answerable(body),
  };
}

function actorOfInteraction(body: unknown, type: (typeof INTERACTIONS)[number]): Actor {
  const kind = kindOf(body, type);
  const container = at(body, 'container');
  const channel = textAt(body, 'channel', 'id');
  const opened = openedFrom({ private_metadata: textAt(body, 'view', 'private_metadata') ?? '' })?.channel;
  const fields = valuesOf(at(body, 'view', 'state', 'values')).flatMap(valuesOf);
  // A message mentions the person who is chosen: another text between its brackets could mention a whole channel.
  for (const field of fields)
    if (at(field, 'selected_user') !== undefined) personAt(field, 'interaction', 'selected_user');
  const named = [
    ...[channel, textAt(container, 'channel_id'), opened],
    ...valuesOf(at(body, 'response_urls')).map((each) => textAt(each, 'channel_id')),
    ...fields.map((each) => textAt(each, 'selected_conversation')),
  ];
  // The first message of a thread names that thread too, though it stands in the conversation itself.
  const threadTs = textAt(container, 'thread_ts') ?? textAt(body, 'message', 'thread_ts');
  const isReply = threadTs !== (textAt(container, 'message_ts') ?? textAt(body, 'message', 'ts'));
  return {
    kind,
    user: personAt(body, 'interaction', 'user', 'id'),
    // The `team` beside it is the workspace of the click.
    team: textAt(body, 'user', 'team_id'),
    channels: [...new Set(named)].filter((each) => each !== undefined),
    usedIn: kind === 'message-click' ? channel : opened,
    threadTs: isReply ? threadTs : undefined,
    ...answerable(body),
    viewId: textAt(body, 'view', 'id'),
  };
}

function kindOf(body: unknown, type: (typeof INTERACTIONS)[number]): DeliveryKind {
  if (type === 'shortcut') return 'shortcut';
  if (type === 'message_action') return 'message-shortcut';
  if (type === 'view_submission') return 'submission';
  const view = textAt(body, 'view', 'type');
  if (view !== undefined) return view === 'home' ? 'home-click' : 'modal-click';
  return at(body, 'container', 'is_app_unfurl') === true ? 'preview-click' : 'message-click';
}

function answerable(body: unknown): Pick<Actor, 'responseUrl' | 'triggerId'> {
  return { responseUrl: textAt(body, 'response_url') ?? '', triggerId: textAt(body, 'trigger_id') ?? '' };
}

/** Undefined for an event that no person causes, and for what bots write. */
function actorOfEvent(body: unknown, type: string): Actor | undefined {
  const event = at(body, 'event');
  const sent = at(event, 'message') ?? event;
  const subtype = textAt(event, 'subtype');
  switch (type) {
    case 'app_home_opened':
      // The envelope's team is the workspace that receives the event: only here it is the sender's own.
      return {
        kind: 'home-opened',
        user: personAt(event, type, 'user'),
        team: textAt(body, 'team_id'),
        channels: [],
      };
    case 'link_shared':
      return isOfBot(event) ? undefined : actorOfLinks(body, event);
    case 'app_mention':
      return isOfBot(sent) ? actorOfApp(body, event) : actorOfWritten('mention', body, sent);
    case 'message':
      if (isOfBot(sent) || !(subtype === 'message_changed' || WRITTEN.includes(subtype))) return undefined;
      return actorOfWritten('direct-message', body, sent);
    default:
      return undefined;
  }
}

/** Slack leaves the team out where there are files; a file can be another person's. */
function actorOfWritten(kind: DeliveryKind, body: unknown, sent: unknown): Actor {
  const event = at(body, 'event');
  const type = textAt(event, 'type') ?? '';
  const user = personAt(sent, type, 'user');
  const file = valuesOf(at(sent, 'files')).find((each) => textAt(each, 'user') === user);
  const teams = ['user_team', 'source_team', 'team'].map((name) => textAt(sent, name));
  return {
    ...{ kind, user, ...saidIn(body, sent) },
    team: [...teams, textAt(file, 'user_team')].find((team) => team !== undefined),
    threadTs: textAt(sent, 'thread_ts'),
  };
}

/** Another app that mentions the bot, and is answered in the thread of its message; not one without an id, nor the bot. */
function actorOfApp(body: unknown, event: unknown): Actor | undefined {
  const user = textAt(event, 'app_id') ?? textAt(event, 'bot_profile', 'app_id');
  if (user === undefined || !isApp(user) || user === textAt(body, 'api_app_id')) return undefined;
  const threadTs = textAt(event, 'thread_ts') ?? textAt(event, 'ts');
  return { kind: 'mention', user, team: undefined, ...saidIn(body, event), threadTs };
}

function saidIn(body: unknown, sent: unknown): Pick<Actor, 'channels' | 'isShared' | 'text'> {
  const channels = [needed(body, 'event', 'event', 'channel')];
  return { channels, isShared: isShared(body), text: textAt(sent, 'text') ?? '' };
}

/**
 * Who pasted links of snapshots. Undefined where there are none, and in the conversation with the bot, which answers there.
 * Slack doesn't say whose member the person is.
 */
function actorOfLinks(body: unknown, event: unknown): Actor | undefined {
  const user = textAt(event, 'user');
  const channel = needed(event, 'link_shared', 'channel');
  const links = snapshotLinks(valuesOf(at(event, 'links')).map((link) => textAt(link, 'url') ?? ''));
  const isWithBot = isDirect(channel) && at(event, 'is_bot_user_member') === true;
  if (!isPerson(user) || channel === COMPOSER || links.length === 0 || isWithBot) return undefined;
  // Of a conversation between people only Slack's event says whether somebody of another company reads it.
  const shared = isShared(body) ?? (isDirect(channel) || undefined);
  return { kind: 'link', user, team: undefined, channels: [channel], isShared: shared, links };
}

/** The links that lead to a snapshot: of each snapshot the first one. */
function snapshotLinks(urls: readonly string[]): SnapshotLink[] {
  const links = new Map<SnapshotId, SnapshotLink>();
  for (const url of urls) {
    // Slack tells of links to the app's own domains, which are those of the service.
    const [snapshotId] = url.length > LONGEST_LINK ? [] : readLink(url, [URL.parse(url)?.hostname ?? '']).ids;
    if (snapshotId !== undefined && !links.has(snapshotId)) links.set(snapshotId, { url, snapshotId });
  }
  return [...links.values()].slice(0, MOST_LINKS);
}

function isShared(body: unknown): boolean | undefined {
  const found = at(body, 'is_ext_shared_channel');
  return typeof found === 'boolean' ? found : undefined;
}

function isOfBot(sent: unknown): boolean {
  const isBots = at(sent, 'bot_id') !== undefined || at(sent, 'subtype') === 'bot_message';
  return isBots || at(sent, 'user') === SLACKBOT;
}

type Path = readonly (string | number)[];

function at(body: unknown, ...path: Path): unknown {
  return path.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? Reflect.get(found, key)
        : undefined,
    body,
  );
}

function textAt(body: unknown, ...path: Path): string | undefined {
  const found = at(body, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** Throws `NotADelivery`, which names the field and holds nothing of the body. */
function needed(body: unknown, named: string, ...path: Path): string {
  const found = textAt(body, ...path);
  if (found === undefined) throw new NotADelivery(`${named}.${path.join('.')}`);
  return found;
}

function personAt(body: unknown, named: string, ...path: Path): string {
  const found = needed(body, named, ...path);
  if (!isPerson(found)) throw new NotADelivery(`${named}.${path.join('.')}`);
  return found;
}

function isPerson(id: string | undefined): id is string {
  return userId.safeParse(id).success;
}

function valuesOf(found: unknown): unknown[] {
  return typeof found === 'object' && found !== null ? Object.values(found) : [];
}

/** Not recursive: a body can be deeper than the stack. */
function dropNulls(body: unknown): void {
  const rest = [body];
  for (const each of rest) {
    if (typeof each !== 'object' || each === null) continue;
    for (const [key, value] of Object.entries(each)) {
      if (value !== null) rest.push(value);
      else if (!Array.isArray(each)) Reflect.deleteProperty(each, key);
    }
  }
}
