import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dump } from './dump.ts';
import type { Channel } from './model.ts';
import { TEAM } from './seed.ts';
import { slackServer } from './server.ts';
import type { Context } from './setup.ts';
import { newContext, type SlackOptions } from './setup.ts';
import type { Slack } from './slack-interface.ts';
import type { Names } from './text-lines.ts';
import { userNamed } from './user-actions/base.ts';
import { click, openView } from './user-actions/click.ts';
import { pressAgain, repeat, typeCommand } from './user-actions/command.ts';
import { submit } from './user-actions/modals.ts';
import { compose, openPanel } from './user-actions/paste.ts';
import { edit, say } from './user-actions/say.ts';
import { BOT_MENTION, openHome, useShortcut } from './user-actions/shortcuts.ts';
import { setUserGroup } from './user-actions/user-groups.ts';

const TIMEOUT_MS = 15_000;

/** Starts an emulator on a free port. */
export async function startSlack(options: SlackOptions = {}): Promise<Slack> {
  const context = newContext(options);
  const server = slackServer(context);
  const base = await listen(server);
  context.responseUrls.serveAt(base);
  context.files.serveAt(base);
  const { journal, workspace, views, sockets } = context;
  return {
    apiUrl: `${base}/api/`,
    ...context.secrets,
    users: workspace.users,
    get names() {
      return namesOf(context);
    },
    channels: workspace.channels,
    records: journal,
    ...userActions(context),
    ...changes(context),
    deliverTo: (...eventsUrls) => context.sender.deliverTo(eventsUrls),
    runsIn: (pid) => context.sender.runsIn(pid),
    messages: (channel, viewer) =>
      workspace.seenBy(userNamed(context, viewer).id, destinationNamed(context, channel)),
    modals: (user) => views.of(userNamed(context, user).id),
    home: (user) => views.home(userNamed(context, user).id),
    waitFor: (look, what, ms = TIMEOUT_MS) => journal.waitFor(look, what, ms, () => dump(context)),
    on: (listener) => journal.on(listener),
    failNext: (method, ...faults) => context.planned.plan(method, faults),
    hold: () => context.planned.hold(),
    answerAfter: (ms) => {
      context.planned.lateMs = ms;
    },
    setRateLimit: (limit) => context.rates.set(limit),
    get isRateLimited() {
      return context.rates.isLimited;
    },
    get sockets() {
      return sockets.count;
    },
    disconnectSockets: (reason) => sockets.disconnect(reason),
    close: () => shut(context, server),
  };
}

/** What people do. */
function userActions(context: Context) {
  return {
    command: (input) => typeCommand(context, input),
    click: (input) => click(context, input),
    say: (input) => say(context, input),
    mention: (input) => say(context, { ...input, text: `${BOT_MENTION} ${input.text}` }),
    edit: (message, text) => edit(context, message, text),
    compose: (input) => compose(context, input),
    composer: (user) => Object.fromEntries(context.unfurls.draftOf(userNamed(context, user).id)),
    openPanel: (input) => openPanel(context, input),
    panel: (user) => context.unfurls.panels.get(userNamed(context, user).id),
    shortcut: (input) => useShortcut(context, input),
    submit: (input) => submit(context, input),
    closeView: async (view) => context.views.close(openView(context, view).user),
    openHome: (user) => openHome(context, user),
    redeliver: (delivery) => repeat(context, delivery),
    pressAgain: (delivery) => pressAgain(context, delivery),
    sendRaw: (body, type) => context.sender.sendRaw(body, type),
  } satisfies Partial<Slack>;
}

/** What changes in the workspace. */
function changes(context: Context) {
  const { workspace, journal } = context;
  const changed = (channel: Channel) => journal.tell({ type: 'channel', channel: channel.id });
  return {
    addChannel(id) {
      const members = workspace.users.filter(({ teamId }) => teamId === TEAM.id).map((user) => user.id);
      workspace.channels.push({
        id,
        name: id.toLowerCase(),
        kind: 'public',
        shared: false,
        members: new Set(members),
        archived: false,
      });
    },
    join(name, user = TEAM.botUser) {
      const channel = destinationNamed(context, name);
      channel.members.add(userNamed(context, user).id);
      changed(channel);
    },
    leave(name, user = TEAM.botUser) {
      const channel = destinationNamed(context, name);
      channel.members.delete(userNamed(context, user).id);
      changed(channel);
    },
    archive(name) {
      const channel = destinationNamed(context, name);
      channel.archived = true;
      changed(channel);
    },
    remove(message) {
      const stored = workspace.find(message.channel, message.ts);
      if (stored) workspace.remove(stored);
    },
    reload(user) {
      const { id } = userNamed(context, user);
      for (const message of workspace.messages) {
        if (message.onlyFor === id && !message.deleted) workspace.remove(message);
      }
    },
    setUserGroup: (id, users) => setUserGroup(context, id, users),
  } satisfies Partial<Slack>;
}

function destinationNamed(context: Context, idOrName: string): Channel {
  const channel = context.workspace.channel(idOrName);
  if (!channel) throw new Error(`There is no channel ${idOrName}`);
  return channel;
}

function namesOf({ workspace }: Context): Names {
  return new Map([...workspace.users, ...workspace.channels].map(({ id, name }) => [id, name]));
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

async function shut(context: Context, server: Server): Promise<void> {
  context.sender.close();
  await context.sockets.close();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
