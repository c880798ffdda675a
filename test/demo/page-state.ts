import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { Channel, User, VisibleMessage } from '../emulators/slack/model.ts';
import { WAIT_LIMIT_MINUTES } from './demo-world.ts';
import { flowOf } from './flow.ts';
import { BOT_NAME, type PageTarget, type Viewer } from './page-target.ts';
import type { AppShown, BotShown, PageState, Person, ShelfBook, ShownChannel } from './wire.ts';

/** How many of the last log lines are shown when the bot died. */
const LINES_SHOWN = 20;

/** Everything that the page shows to one person. */
export function pageState(target: PageTarget, viewer: Viewer): PageState {
  const { slack, service } = target;
  const me = slack.users.find(({ name }) => name === viewer);
  const bot = slack.users.find(({ name }) => name === BOT_NAME);
  if (me === undefined || bot === undefined) throw new Error(`The workspace has no ${viewer}`);
  const channels = slack.channels
    .filter(({ members }) => members.has(me.id))
    .map((channel) => shownChannel(channel, me, bot, slack.names));
  return {
    me: person(me),
    people: slack.users.map(person),
    channels,
    messages: channels.flatMap(({ id }) => slack.messages(id, viewer).map(withoutHistory)),
    views: slack.modals(viewer),
    home: slack.home(viewer),
    app: appShown(target, bot.id),
    shelf: shelfBooks(),
    bot: botShown(target),
    steps: flowOf(target),
    breaches: [...slack.records.breaches, ...service.records.breaches],
  };
}

function person({ id, name, realName, isBot }: User): Person {
  return { id, name, realName, isBot };
}

function shownChannel(
  channel: Channel,
  me: User,
  bot: User,
  names: ReadonlyMap<string, string>,
): ShownChannel {
  const hasBot = channel.members.has(bot.id);
  const other = [...channel.members].find((id) => id !== me.id) ?? me.id;
  const isDm = channel.kind === 'im';
  return {
    id: channel.id,
    name: isDm ? (names.get(other) ?? other) : channel.name,
    kind: isDm && hasBot ? 'app' : channel.kind,
    isShared: channel.shared,
    isArchived: channel.archived,
    hasBot,
  };
}

/** A message without its earlier versions. */
function withoutHistory({ history: _earlier, ...message }: VisibleMessage) {
  return message;
}

function botShown({ bot }: PageTarget): BotShown {
  if (bot === undefined) return { state: 'running', lastLines: [], isControllable: false };
  return { state: bot.state, lastLines: bot.log.slice(-LINES_SHOWN), isControllable: true };
}

function appShown({ manifest: { features } }: PageTarget, botUser: string): AppShown {
  return {
    botUser,
    commands: features.slash_commands.map(({ command, usage_hint }) => ({ command, hint: usage_hint })),
    shortcuts: features.shortcuts.map(({ name, type, callback_id }) => ({
      name,
      type,
      callbackId: callback_id,
    })),
  };
}

function shelfBooks(): ShelfBook[] {
  return Object.entries(demoShelf()).map(([id, { title, purpose, processing, command }]) => ({
    id,
    title,
    command: command ?? id,
    purpose:
      processing?.forMs === 'forever'
        ? `${purpose} Here it does so after ${WAIT_LIMIT_MINUTES} minutes.`
        : purpose,
    isSlow: processing !== undefined,
  }));
}
