import { z } from 'zod';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { Delivery, VisibleMessage } from '../emulators/slack/model.ts';
import type { Slack } from '../emulators/slack/slack.ts';
import type { SayInput } from '../emulators/slack/user-actions/say.ts';
import { INTAKE, type PageTarget, VIEWERS } from './page-target.ts';
import { meaningOf } from './reading.ts';
import { runTour } from './tour.ts';
import { directoryOf, typed } from './typed.ts';
import type { ActionAnswer } from './wire.ts';

const user = z.enum(VIEWERS);
const text = z.string();
const line = text.max(3_000);
const onMessage = z.object({ channel: text, ts: text });

type Doing = Promise<ActionAnswer | undefined> | ActionAnswer | undefined;

/**
 * An action of a person: the schema of what the page sends, and the code that carries it out, which may return Slack's
 * error.
 */
function action<Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (target: PageTarget, sent: z.infer<z.ZodObject<Shape & { user: typeof user }>>) => Doing,
) {
  const sent = z.object({ ...shape, user });
  return {
    sent,
    take(target: PageTarget, body: unknown): Doing | 'no action' {
      const { success, data } = sent.safeParse(body);
      return success ? run(target, data) : 'no action';
    },
  };
}

/** Every action that the page offers. */
const ACTIONS = {
  command: action({ channel: text, line }, command),
  say: action({ channel: text, line, threadTs: text.exactOptional() }, say),
  click: action(
    {
      actionId: text,
      value: text.exactOptional(),
      message: onMessage.optional(),
      /** The link whose preview was clicked. */
      link: text.exactOptional(),
      view: text.exactOptional(),
    },
    ({ slack }, { message, view = '', ...used }) =>
      told(
        message === undefined
          ? slack.click({ ...used, view: viewOf(slack, used.user, view) })
          : slack.click({ ...used, message: messageOf(slack, used.user, message) }),
        'The click',
      ),
  ),
  submit: action({ view: text, values: z.record(text, text) }, ({ slack }, { user, view, values }) =>
    told(slack.submit({ view: viewOf(slack, user, view), values }), 'The modal'),
  ),
  close: action(
    { view: text },
    async ({ slack }, { user, view }) => void (await slack.closeView(viewOf(slack, user, view))),
  ),
  shortcut: action(
    { callbackId: text, message: onMessage.optional() },
    ({ slack }, { callbackId, user, message }) => {
      const on = message && { message: messageOf(slack, user, message) };
      return told(slack.shortcut({ callbackId, user, ...on }), 'The shortcut');
    },
  ),
  remove: action(
    { message: onMessage },
    ({ slack }, { user, message }) => void slack.remove(messageOf(slack, user, message)),
  ),
  /** Submits the form of the intake app, whose workflow posts it in #support. */
  intake: action({ snapshot: line, about: line }, submitCase),
  home: action({}, ({ slack }, { user }) => told(slack.openHome(user), 'The Home tab')),
  invite: action(
    { channel: text, isIn: z.boolean() },
    ({ slack }, { channel, isIn }) => void (isIn ? slack.join(channel) : slack.leave(channel)),
  ),
  tour: action({}, playTour),
  bot: action(
    { what: z.enum(['kill', 'start']) },
    async ({ bot }, { what }) => void (await (what === 'kill' ? bot?.end('SIGKILL') : bot?.start())),
  ),
};

type Kind = keyof typeof ACTIONS;
type Sent<Name extends Kind> = z.infer<(typeof ACTIONS)[Name]['sent']>;

/** An action as the page sends it; the server adds the person who looks at the page. */
export type OwnAction = { [Name in Kind]: { readonly kind: Name } & Omit<Sent<Name>, 'user'> }[Kind];

/** Carries out an action of the page; undefined if the page sent no valid action. */
export async function perform(target: PageTarget, body: unknown): Promise<ActionAnswer | undefined> {
  const { data } = z.object({ kind: z.enum(Object.keys(ACTIONS) as Kind[]) }).safeParse(body);
  if (data === undefined) return undefined;
  try {
    const done = await ACTIONS[data.kind].take(target, body);
    return done === 'no action' ? undefined : (done ?? {});
  } catch (error) {
    // The emulator throws for what Slack's client does not allow, and its message says what that is.
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Plays the tour in #support, with lines that Ben types. It may fail if somebody uses a switch of the page meanwhile.
 */
function playTour(target: PageTarget): undefined {
  const announce = (line: string) =>
    target.slack.say({ channel: 'support', user: 'ben', ...typed(line, directoryOf(target.slack)) });
  runTour(target, () => {}, announce).catch(() => {});
}

const COMMAND = /^(\/\S+)\s*(.*)$/s;

type Line = { readonly channel: string; readonly line: string; readonly user: string };

async function command({ slack, service, manifest }: PageTarget, { line, channel, user }: Line) {
  const [, name = '', words = ''] = COMMAND.exec(line) ?? [];
  const known = manifest.features.slash_commands.find((one) => one.command === name);
  if (known === undefined) {
    return { problem: `${name} is not a valid command. Here there is only the bot's.` };
  }
  const text = known.should_escape ? typed(words, directoryOf(slack), true).text : words;
  processAnew(text, { slack, service });
  return told(slack.command({ command: name, text, channel, user }), name);
}

/** Restarts the processing of the snapshots that a text names, so that a visitor can see each wait again. */
function processAnew(text: string, { slack, service }: Pick<PageTarget, 'slack' | 'service'>): void {
  for (const [id, { processing }] of Object.entries(demoShelf()))
    if (processing !== undefined && text.includes(id) && !isAwaited(slack, id)) service.restartProcessing(id);
}

function isAwaited(slack: Slack, id: string): boolean {
  return slack.channels.some((channel) =>
    VIEWERS.flatMap((viewer) => slack.messages(channel.id, viewer)).some(
      (message) => meaningOf(message) === 'waiting' && message.text.includes(id),
    ),
  );
}

function say(target: PageTarget, { line, ...where }: Line & { readonly threadTs?: string }) {
  return post(target, line, where);
}

type Case = { readonly snapshot: string; readonly about: string; readonly user: string };

function submitCase(target: PageTarget, { snapshot, about, user }: Case) {
  const line = `New case by @${user}: ${about}\n@snapshot snapshot ${snapshot}`;
  return post(target, line, { user: INTAKE.user, isWorkflow: true });
}

async function post(target: PageTarget, line: string, by: Omit<SayInput, 'text'>): Promise<ActionAnswer> {
  const { slack } = target;
  processAnew(line, target);
  const { deliveries } = await slack.say({ ...by, ...typed(line, directoryOf(slack)) });
  const missed = deliveries.find(({ acknowledged }) => !acknowledged);
  return missed === undefined
    ? {}
    : { problem: `The bot did not hear that (${missed.error ?? missed.status}).` };
}

function messageOf(slack: Slack, user: string, { channel, ts }: z.infer<typeof onMessage>): VisibleMessage {
  const message = slack.messages(channel, user).find((one) => one.ts === ts);
  if (message === undefined) throw new Error('This message is gone.');
  return message;
}

function viewOf(slack: Slack, user: string, view: string) {
  const found = [...slack.modals(user), slack.home(user)].find((open) => open?.id === view);
  if (found === undefined) throw new Error('This view is closed.');
  return found;
}

/** The error that Slack shows if the bot did not acknowledge an action. */
async function told(delivering: Promise<Delivery>, what: string): Promise<ActionAnswer> {
  const delivery = await delivering;
  if (delivery.acknowledged) return {};
  const code = delivery.error === 'timeout' ? 'operation_timeout' : 'dispatch_failed';
  return { problem: `${what} failed with the error “${code}”: the bot did not acknowledge it.` };
}
