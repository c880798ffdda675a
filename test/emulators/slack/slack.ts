import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dump } from './dump.ts';
import type { Channel, Delivery, Fault, OpenView, SlackEvent, VisibleMessage } from './model.ts';
import { conversation, TEAM } from './seed.ts';
import { slackServer } from './server.ts';
import { type Context, newContext, type SlackOptions } from './setup.ts';
import type { DisconnectReason } from './sockets.ts';
import { userNamed } from './user-actions/base.ts';
import { type ClickInput, click, openView } from './user-actions/click.ts';
import { type CommandInput, pressAgain, repeat, typeCommand } from './user-actions/command.ts';
import { type SubmitInput, submit } from './user-actions/modals.ts';
import { type ComposeInput, compose } from './user-actions/paste.ts';
import { edit, type SayInput, say } from './user-actions/say.ts';
import { BOT_MENTION, openHome, type ShortcutInput, useShortcut } from './user-actions/shortcuts.ts';
import { setUserGroup } from './user-actions/user-groups.ts';

const TIMEOUT_MS = 15_000;

/** A strict emulator of Slack, with a small workspace in it. */
export type Slack = Awaited<ReturnType<typeof startSlack>>;

/** Starts an emulator on a free port. */
export async function startSlack(options: SlackOptions = {}) {
  const context = newContext(options);
  const server = slackServer(context);
  const base = await listen(server);
  context.responseUrls.serveAt(base);
  context.files.serveAt(base);
  const { journal, workspace, sender } = context;
  return {
    /** `http://127.0.0.1:PORT/api/` */
    apiUrl: `${base}/api/`,
    ...context.secrets,
    users: workspace.users,
    channels: workspace.channels,
    /** Names of users and channels by id. */
    get names(): ReadonlyMap<string, string> {
      return new Map([...workspace.users, ...workspace.channels].map(({ id, name }) => [id, name]));
    },
    /** How many Socket Mode connections are open. */
    get sockets() {
      return context.sockets.count;
    },
    records: {
      calls: journal.calls,
      /** A sentence for each thing that real Slack would refuse or no bot should do. A well-behaved bot leaves this empty. */
      breaches: journal.breaches,
      deliveries: journal.deliveries,
    },
    ...userActions(context),
    ...whatPeopleSee(context),
    ...changes(context),
    ...faults(context),
    /** HTTP mode: where deliveries are posted to. Several addresses get them in turn; none means that nobody listens. */
    deliverTo: (...eventsUrls: string[]) => sender.deliverTo(eventsUrls),
    /**
     * Names a process of the bot before it starts; `pid` is called for each delivery and connection. Time in which the machine
     * doesn't let that process run is not counted towards Slack's three seconds, and a 429 is for that process alone: it has
     * to call the Web API by the address that this gives.
     */
    runsIn: (pid: () => number) => `${base}/${sender.runsIn(pid)}/api/`,
    /** Calls `look` now and after every change until it returns something; rejects after a time limit. */
    waitFor: <T>(look: () => T | undefined, what: string, ms = TIMEOUT_MS) =>
      journal.waitFor(look, what, ms, () => dump(context)),
    /** Calls the listener with every change and every call; returns a function that ends this. */
    on: (listener: (event: SlackEvent) => void) => journal.on(listener),
    close: () => shut(context, server),
  };
}

/** What people do. Whoever is not named is Ana. */
function userActions(context: Context) {
  const { sender, views } = context;
  return {
    /** Types a slash command; settles with the acknowledgement. */
    command: (input: CommandInput) => typeCommand(context, input),
    /** Uses an element of a message, a modal or a Home tab. */
    click: (input: ClickInput) => click(context, input),
    /** Writes a message as a person. */
    say: (input: SayInput) => say(context, input),
    /** Writes a message that begins with a mention of the bot. */
    mention: (input: SayInput) => say(context, { ...input, text: `${BOT_MENTION} ${input.text}` }),
    /** Changes a person's message. */
    edit: (message: VisibleMessage, text: string) => edit(context, message, text),
    /** Writes a message without sending it. */
    compose: (input: ComposeInput) => compose(context, input),
    /** Uses a message shortcut, or without a message a global one. */
    shortcut: (input: ShortcutInput) => useShortcut(context, input),
    /** Fills in a modal and submits it. */
    submit: (input: SubmitInput) => submit(context, input),
    /** Closes the modal on top. */
    closeView: async (view: OpenView) => views.close(openView(context, view).user),
    /** Opens the bot's Home tab. */
    openHome: (user?: string) => openHome(context, user),
    /** Sends exactly the same payload once more. */
    redeliver: (delivery: Delivery) => repeat(context, delivery),
    /** Presses the same button or shortcut once more, or submits the same form: the trigger is another one. */
    pressAgain: (delivery: Delivery) => pressAgain(context, delivery),
    /** Sends a signed body, or a frame, that no Slack would send; gives the status, 0 over a socket. */
    sendRaw: (body: string, type?: string) => sender.sendRaw(body, type),
  };
}

/** What a person sees; Ana unless somebody is named. */
function whatPeopleSee(context: Context) {
  const { workspace, views } = context;
  const idOf = (user?: string) => userNamed(context, user).id;
  return {
    /** A channel, oldest first. */
    messages: (channel: string, viewer?: string) =>
      workspace.seenBy(idOf(viewer), destinationNamed(context, channel)),
    /** The modals that are open, the one on top last. */
    modals: (user?: string) => views.of(idOf(user)),
    /** The Home tab, once published. */
    home: (user?: string) => views.home(idOf(user)),
  };
}

/** What changes in the workspace. */
function changes(context: Context) {
  const { workspace, journal } = context;
  return {
    /** Makes a public channel with everybody of the company and the bot in it. */
    addChannel(id: string) {
      const members = workspace.users.filter(({ teamId }) => teamId === TEAM.id).map((user) => user.id);
      workspace.channels.push(conversation(id, id.toLowerCase(), 'public', members));
    },
    /** Adds a person to a channel; the bot if nobody is named. */
    join(name: string, user: string = TEAM.botUser) {
      const channel = destinationNamed(context, name);
      channel.members.add(userNamed(context, user).id);
      journal.tell({ type: 'other' });
    },
    /** Removes a person from a channel; the bot if nobody is named. */
    leave(name: string, user: string = TEAM.botUser) {
      const channel = destinationNamed(context, name);
      channel.members.delete(userNamed(context, user).id);
      journal.tell({ type: 'other' });
    },
    archive(name: string) {
      const channel = destinationNamed(context, name);
      channel.archived = true;
      journal.tell({ type: 'other' });
    },
    /** Removes a message, as a moderator can. */
    remove(message: VisibleMessage) {
      const stored = workspace.find(message.channel, message.ts);
      if (stored) workspace.remove(stored);
    },
    /** Sets the members of a user group; settles when the bot has been told, if its scopes allow that. */
    setUserGroup: (id: string, users: readonly string[]) => setUserGroup(context, id, users),
  };
}

/** What does not work as it should. */
function faults({ planned, sockets }: Context) {
  return {
    /** Makes the next calls of a method (`response_url` and `*` too) fail. */
    failNext: (method: string, ...next: Fault[]) => planned.plan(method, next),
    /** From now on takes calls without doing or answering them, until the function that it gives is called. */
    hold: () => planned.hold(),
    /** From now on each call takes effect at once and is answered so many milliseconds later. */
    answerAfter(ms: () => number) {
      planned.lateMs = ms;
    },
    disconnectSockets: (reason: DisconnectReason, count?: number) => sockets.disconnect(reason, count),
  };
}

function destinationNamed(context: Context, idOrName: string): Channel {
  const channel = context.workspace.channel(idOrName);
  if (!channel) throw new Error(`There is no channel ${idOrName}`);
  return channel;
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
