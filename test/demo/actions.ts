import { randomUUID } from 'node:crypto';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { Delivery, VisibleMessage } from '../emulators/slack/model.ts';
import type { Slack } from '../emulators/slack/slack-interface.ts';
import type { Action } from './action-shapes.ts';
import { directoryOf } from './directory.ts';
import { type PageTarget, VIEWERS } from './page-target.ts';
import { meaningOf } from './reading.ts';
import type { FaultSwitches } from './switches.ts';
import { runTour } from './tour.ts';
import { typed } from './typed.ts';
import type { ActionAnswer } from './wire.ts';

type Of<Name extends Action['kind']> = Extract<Action, { kind: Name }>;

/** Does what a person did on the page. */
export async function perform(
  target: PageTarget,
  switches: FaultSwitches,
  action: Action,
): Promise<ActionAnswer> {
  try {
    return await performed(target, switches, action);
  } catch (error) {
    // The emulator refuses what Slack's client would not let anybody do, and says so in a sentence.
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function performed(
  target: PageTarget,
  switches: FaultSwitches,
  action: Action,
): Promise<ActionAnswer> | ActionAnswer {
  const { slack } = target;
  switch (action.kind) {
    case 'command':
      return command(target, action);
    case 'say':
      return say(target, action);
    case 'click':
      return click(slack, action);
    case 'submit':
      return told(slack.submit({ view: viewOf(slack, action), values: action.values }), 'The modal');
    case 'close':
      return slack.closeView(viewOf(slack, action)).then(() => ({}));
    case 'shortcut':
      return told(slack.shortcut(shortcutOf(slack, action)), 'The shortcut');
    case 'panel': {
      const message = messageOf(slack, action.user, action.message);
      return told(slack.openPanel({ message, url: action.link, user: action.user }), 'The side panel');
    }
    case 'remove':
      slack.remove(messageOf(slack, action.user, action.message));
      return {};
    case 'home':
      return told(slack.openHome(action.user), 'The Home tab');
    default:
      return behindThePage(target, switches, action);
  }
}

type BehindThePage = Of<'invite' | 'reload' | 'redeliver' | 'switch' | 'expire' | 'tour' | 'bot'>;

async function behindThePage(
  target: PageTarget,
  switches: FaultSwitches,
  action: BehindThePage,
): Promise<ActionAnswer> {
  const { slack, service, bot } = target;
  switch (action.kind) {
    case 'invite':
      if (action.isIn) slack.join(action.channel);
      else slack.leave(action.channel);
      return {};
    case 'reload':
      slack.reload(action.user);
      return {};
    case 'redeliver':
      return redeliver(slack);
    case 'switch':
      switches.set(action.name, action.isOn);
      if (action.name === 'loginRefused' && !action.isOn) await changePassword(service, bot);
      return {};
    case 'expire':
      service.expireSessions();
      return {};
    case 'tour':
      playTour(target);
      return {};
    case 'bot':
      await (action.what === 'kill' ? bot?.kill() : bot?.start());
      return {};
    default:
      return action satisfies never;
  }
}

/** Plays the tour in #support, in the words of a person there. A switch that somebody uses meanwhile may end it. */
function playTour(target: PageTarget): void {
  const announce = (line: string) =>
    target.slack.say({ channel: 'support', user: 'ben', ...typed(line, directoryOf(target.slack)) });
  runTour(target, () => {}, announce).catch(() => {});
}

/**
 * Changes the password on both sides and restarts the bot, as an operator would. Otherwise the bot would not try to log in
 * again for minutes.
 */
async function changePassword(service: PageTarget['service'], bot: PageTarget['bot']): Promise<void> {
  if (bot === undefined) return;
  service.switches.userSecret = randomUUID();
  bot.configure({ DIAGNOSTICS_USER_SECRET: service.switches.userSecret });
  if (bot.state !== 'running') return;
  await bot.stop();
  await bot.start();
}

const COMMAND = /^(\/\S+)\s*(.*)$/s;

async function command({ slack, service, manifest }: PageTarget, { line, channel, user }: Of<'command'>) {
  const [, name = '', words = ''] = COMMAND.exec(line) ?? [];
  const known = manifest.features.slash_commands.find((one) => one.command === name);
  if (known === undefined) {
    return { problem: `${name} is not a valid command. Here there is only the bot's.` };
  }
  const text = known.should_escape ? typed(words, directoryOf(slack), true).text : words;
  processAnew(text, { slack, service });
  return told(slack.command({ command: name, text, channel, user }), name);
}

/** Starts the processing of what a text names anew; otherwise a visitor could see each wait only once. */
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

async function say(target: PageTarget, { line, channel, user, threadTs }: Of<'say'>): Promise<ActionAnswer> {
  const { slack } = target;
  const content = typed(line, directoryOf(slack));
  if (line.includes('://')) processAnew(line, target);
  const { deliveries } = await slack.say({
    channel,
    user,
    ...content,
    ...(threadTs === undefined ? {} : { threadTs }),
  });
  const [missed] = deliveries.filter(({ acknowledged }) => !acknowledged);
  return missed === undefined
    ? {}
    : { problem: `The bot did not hear that (${missed.error ?? missed.status}).` };
}

function click(slack: Slack, action: Of<'click'>): Promise<ActionAnswer> {
  const { actionId, user, value, link } = action;
  const common = { actionId, user, ...(value === undefined ? {} : { value }) };
  const clicked =
    action.message === undefined
      ? slack.click({ ...common, view: viewOf(slack, { user, view: action.view ?? '' }) })
      : slack.click({
          ...common,
          message: messageOf(slack, action.user, action.message),
          ...(link === undefined ? {} : { link }),
        });
  return told(clicked, 'The click');
}

function shortcutOf(slack: Slack, { callbackId, user, message }: Of<'shortcut'>) {
  return message === undefined
    ? { callbackId, user }
    : { callbackId, user, message: messageOf(slack, user, message) };
}

function messageOf(
  slack: Slack,
  user: string,
  { channel, ts }: { channel: string; ts: string },
): VisibleMessage {
  const message = slack.messages(channel, user).find((one) => one.ts === ts);
  if (message === undefined) throw new Error('This message is gone.');
  return message;
}

function viewOf(slack: Slack, { user, view }: { user: string; view: string }) {
  const found = [...slack.modals(user), slack.home(user)].find((open) => open?.id === view);
  if (found === undefined) throw new Error('This view is closed.');
  return found;
}

async function redeliver(slack: Slack): Promise<ActionAnswer> {
  const latest = slack.records.deliveries.at(-1);
  if (latest === undefined) return { problem: 'Nothing was delivered yet.' };
  return told(slack.redeliver(latest), 'The second delivery');
}

/** What Slack tells a person whose action did not reach the bot. */
async function told(delivering: Promise<Delivery | undefined>, what: string): Promise<ActionAnswer> {
  const delivery = await delivering;
  if (delivery === undefined || delivery.acknowledged) return {};
  const code = delivery.error === 'timeout' ? 'operation_timeout' : 'dispatch_failed';
  return { problem: `${what} failed with the error “${code}”: the bot did not acknowledge it.` };
}
