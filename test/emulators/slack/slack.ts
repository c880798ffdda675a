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

/** A strict emulator of Slack with a small workspace. */
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
    /** The names of users and channels, by id. */
    get names(): ReadonlyMap<string, string> {
      return new Map([...workspace.users, ...workspace.channels].map(({ id, name }) => [id, name]));
    },
    /** How many Socket Mode connections are open. */
    get sockets() {
      return context.sockets.count;
    },
    records: {
      calls: journal.calls,
      /** A sentence for everything that Slack would refuse or that no bot should do. It stays empty for a correct bot. */
      breaches: journal.breaches,
      deliveries: journal.deliveries,
    },
    ...userActions(context),
    ...whatPeopleSee(context),
    ...changes(context),
    ...faults(context),
    /** HTTP mode: sets the URLs for deliveries. Several URLs are used in turn; without any, nothing listens. */
    deliverTo: (...eventsUrls: string[]) => sender.deliverTo(eventsUrls),
    /**
     * Registers a process of the bot before it starts, and returns its URL of the Web API. `pid` is called for each
     * delivery and connection. Time in which the machine does not run the process is not counted towards Slack's three
     * seconds, and a 429 applies only to this process.
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

/** The actions of people; by default Ana acts. */
function userActions(context: Context) {
  const { sender, views } = context;
  return {
    /** Types a slash command; resolves with its acknowledgement. */
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
    /** Presses the same button or shortcut again, or submits the same form again, with a new trigger. */
    pressAgain: (delivery: Delivery) => pressAgain(context, delivery),
    /** Sends a signed body or frame that Slack would never send; returns the status, or 0 over a socket. */
    sendRaw: (body: string, type?: string) => sender.sendRaw(body, type),
  };
}

/** What a person sees; by default Ana. */
function whatPeopleSee(context: Context) {
  const { workspace, views } = context;
  const idOf = (user?: string) => userNamed(context, user).id;
  return {
    /** The messages of a channel, oldest first. */
    messages: (channel: string, viewer?: string) =>
      workspace.seenBy(idOf(viewer), destinationNamed(context, channel)),
    /** The open modals; the last one is on top. */
    modals: (user?: string) => views.of(idOf(user)),
    /** The Home tab, if it was published. */
    home: (user?: string) => views.home(idOf(user)),
  };
}

/** Changes of the workspace. */
function changes(context: Context) {
  const { workspace, journal } = context;
  return {
    /** Adds a public channel with all members of the company and the bot. */
    addChannel(id: string) {
      const members = workspace.users.filter(({ teamId }) => teamId === TEAM.id).map((user) => user.id);
      workspace.channels.push(conversation(id, id.toLowerCase(), 'public', members));
    },
    /** Adds a person to a channel, by default the bot. */
    join(name: string, user: string = TEAM.botUser) {
      const channel = destinationNamed(context, name);
      channel.members.add(userNamed(context, user).id);
      journal.tell({ type: 'other' });
    },
    /** Removes a person from a channel, by default the bot. */
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
    /** Deletes a message, as a moderator can. */
    remove(message: VisibleMessage) {
      const stored = workspace.find(message.channel, message.ts);
      if (stored) workspace.remove(stored);
    },
    /** Sets the members of a user group; waits until the bot was notified, if its scopes allow that. */
    setUserGroup: (id: string, users: readonly string[]) => setUserGroup(context, id, users),
  };
}

/** Faults of Slack. */
function faults({ planned, sockets }: Context) {
  return {
    /** Makes the next calls of a method (`response_url` and `*` too) fail. */
    failNext: (method: string, ...next: Fault[]) => planned.plan(method, next),
    /** Holds all calls, or those of a method, before they take effect, until the returned function is called. */
    hold: (method = '*') => planned.hold(method),
    /** From now on each call takes effect at once, and is answered this many milliseconds later. */
    answerAfter(ms: () => number) {
      planned.lateMs = ms;
    },
    /** From now on the acknowledgement of a form takes effect this many milliseconds after it arrived. */
    obeyAfter(ms: number) {
      planned.obeysAfterMs = ms;
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
