import type { Random } from '../emulators/diagnostics-service/catalogue/random.ts';
import type { OpenView, VisibleMessage } from '../emulators/slack/model.ts';
import type { ChaosWorld } from './chaos-world.ts';

/** A reminder that somebody asked for. The test asks for at most one for each person and message. */
export type Asked = {
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  /** What the message begins with, which names its snapshot. */
  readonly about: string;
};

/** A person who waits longer than this for a form gives up. */
const TIMEOUT_MS = 1_500;
const ASKS_WHEN = 'When to check again';

/** One of the bot's results in these channels, not an ephemeral one. */
function anyResult(
  { slack }: ChaosWorld,
  channels: readonly string[],
  random: Random,
): VisibleMessage | undefined {
  const found = channels
    .flatMap((channel) => slack.messages(channel))
    .filter(({ blocks, ephemeral }) => !ephemeral && JSON.stringify(blocks).includes('"more"'));
  return found[random.upTo(Math.max(found.length, 1))];
}

/** Somebody says that they are on it, where nobody is. */
export async function sayOnIt(world: ChaosWorld, random: Random, channels: readonly string[], user: string) {
  const message = anyResult(world, channels, random);
  if (message !== undefined) await orNothing(world.slack.click({ message, actionId: 'on-it', user }));
}

/** Somebody asks to be reminded of a result. The form may not come, because of the faults of the run. */
export async function remind(
  world: ChaosWorld,
  random: Random,
  channels: readonly string[],
  user: string,
  asked: readonly Asked[],
): Promise<Asked | undefined> {
  const message = anyResult(world, channels, random);
  if (message === undefined) return undefined;
  const { channel, ts, text: about } = message;
  if (asked.some((one) => one.ts === ts && one.user === user)) return undefined;
  const form = await openForm(world, message, user);
  if (form !== undefined)
    await orNothing(world.slack.submit({ view: form, values: { 'remind-when': 'hour' } }));
  return { channel, ts, user, about };
}

async function openForm(
  { slack }: ChaosWorld,
  message: VisibleMessage,
  user: string,
): Promise<OpenView | undefined> {
  for (const open of slack.modals(user)) await orNothing(slack.closeView(open));
  const showing = (words: string) =>
    orNothing(
      slack.waitFor(
        () => slack.modals(user).find(({ view }) => JSON.stringify(view).includes(words)),
        words,
        TIMEOUT_MS,
      ),
    );
  await orNothing(slack.click({ message, actionId: 'more', value: 'others', user }));
  const more = await showing('do-remind');
  if (more === undefined) return undefined;
  await orNothing(slack.click({ view: more, actionId: 'do-remind', user }));
  return showing(ASKS_WHEN);
}

async function orNothing<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(() => undefined);
}

const REMINDER = /^<@\w+> (?:It’s time to check|There is a newer snapshot of the same device)/;

/** Whether a message is a reply that mentions somebody: it reminds, or tells people that their long wait is over. */
export function isMention({ text, threadTs }: VisibleMessage): boolean {
  return threadTs !== undefined && text.startsWith('<@');
}

/** Whether the bot said that the reminder is set, so that it has to come. */
function isOwed({ slack }: ChaosWorld, { channel, user, about }: Asked): boolean {
  const [, id = ''] = /(\d+)/.exec(about) ?? [];
  return slack
    .messages(channel, user)
    .some(({ text }) => text.startsWith('Reminder set for ') && text.includes(`snapshot ${id}`));
}

function remindersFor({ slack }: ChaosWorld, { channel, ts, user }: Asked): VisibleMessage[] {
  return slack
    .messages(channel)
    .filter(({ text, threadTs }) => REMINDER.test(text) && threadTs === ts && text.startsWith(`<@${user}>`));
}

/** The reminders that are owed and have not come yet. */
export function overdue(world: ChaosWorld, asked: readonly Asked[]): readonly Asked[] {
  return asked.filter((one) => isOwed(world, one) && remindersFor(world, one).length === 0);
}

/** A sentence for each reminder that is missing or came twice, and for each result that somebody is on twice. */
export function misremembered(world: ChaosWorld, asked: readonly Asked[]): string[] {
  const nameOf = ({ user, channel, ts }: Asked) => `reminder of ${user} in ${channel} about ${ts}`;
  return [
    ...overdue(world, asked).map((one) => `${nameOf(one)}: taken, and never came`),
    ...asked
      .filter((one) => remindersFor(world, one).length > 1)
      .map((one) => `${nameOf(one)}: came ${remindersFor(world, one).length} times`),
    ...[...new Set(asked.map(({ channel }) => channel))]
      .flatMap((channel) => world.slack.messages(channel))
      .filter(({ blocks }) => JSON.stringify(blocks).split(' has been on it since ').length > 2)
      .map(({ ts, text }) => `${ts}: two are on it: ${text.slice(0, 60)}`),
  ];
}
