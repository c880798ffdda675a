import type { Random } from '../emulators/diagnostics-service/catalogue/random.ts';
import type { OpenView, VisibleMessage } from '../emulators/slack/model.ts';
import type { ChaosWorld } from './chaos-world.ts';

/** A person's wish to be reminded of a snapshot in an hour. A run has at most one for each person and message. */
export type Asked = {
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  /** The beginning of the message, which names the snapshot. */
  readonly about: string;
};

/** How long a person waits for a form to open. */
const TIMEOUT_MS = 1_500;

/** A random result of the bot in these channels that is not ephemeral. */
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

/** A person presses “I’m on it” on a result, if it has no owner. */
export async function sayOnIt(world: ChaosWorld, random: Random, channels: readonly string[], user: string) {
  const message = anyResult(world, channels, random);
  const offersIt = JSON.stringify(message?.blocks ?? []).includes('"own"');
  if (message !== undefined && offersIt)
    await orNothing(world.slack.click({ message, actionId: 'own', user }));
}

/**
 * A person asks to be reminded of a snapshot in an hour, unless another follow of theirs would end by that. Returns
 * undefined if the faults of the run keep the form from opening.
 */
export async function followForAnHour(
  world: ChaosWorld,
  random: Random,
  channels: readonly string[],
  user: string,
  { asked, followed }: { readonly asked: readonly Asked[]; readonly followed: readonly Followed[] },
): Promise<Asked | undefined> {
  const message = anyResult(world, channels, random);
  if (message === undefined) return undefined;
  const { channel, ts, text: about } = message;
  const isOfUser = (one: Followed) => one.user === user && about.includes(`napshot ${one.snapshotId}: `);
  if (asked.some((one) => one.ts === ts && one.user === user) || followed.some(isOfUser)) return undefined;
  const form = await openForm(world, message, user);
  if (form !== undefined)
    await orNothing(world.slack.submit({ view: form, values: { 'follow-kind': 'hour' } }));
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
  // Only a result of a single snapshot offers this choice.
  const click = async () => slack.click({ message, actionId: 'more', value: 'follow', user });
  return (await orNothing(click())) && showing('Tell me');
}

async function orNothing<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(() => undefined);
}

/** Whether a message is a reply that mentions somebody: news for a follower, or the end of a long wait. */
export function isMention({ text, threadTs }: VisibleMessage): boolean {
  return threadTs !== undefined && text.startsWith('<@');
}

/** Whether the bot confirmed the reminder, so that it has to come. */
function isOwed({ slack }: ChaosWorld, { channel, user, about }: Asked): boolean {
  const [, id = ''] = /(\d+)/.exec(about) ?? [];
  return slack
    .messages(channel, user)
    .some(({ text }) => text.startsWith(`I’ll tell you about snapshot ${id}: in an`));
}

function wordsFor({ slack }: ChaosWorld, { channel, ts, user }: Asked): VisibleMessage[] {
  return slack
    .messages(channel)
    .filter(
      ({ text, threadTs }) =>
        text.includes('It’s time to look at') && threadTs === ts && text.startsWith(`<@${user}>`),
    );
}

/** The confirmed reminders that have not come yet. */
export function overdue(world: ChaosWorld, asked: readonly Asked[]): readonly Asked[] {
  return asked.filter((one) => isOwed(world, one) && wordsFor(world, one).length === 0);
}

/** A sentence for each reminder that is missing or came twice, and for each result that names two owners. */
export function misfollowed(world: ChaosWorld, asked: readonly Asked[]): string[] {
  const nameOf = ({ user, channel, ts }: Asked) => `the hour of ${user} in ${channel} about ${ts}`;
  return [
    ...overdue(world, asked).map((one) => `${nameOf(one)}: taken, and never came`),
    ...asked
      .filter((one) => wordsFor(world, one).length > 1)
      .map((one) => `${nameOf(one)}: came ${wordsFor(world, one).length} times`),
    ...[...new Set(asked.map(({ channel }) => channel))]
      .flatMap((channel) => world.slack.messages(channel))
      .filter(({ blocks }) => JSON.stringify(blocks).split(' has been on it since ').length > 2)
      .map(({ ts, text }) => `${ts}: two are on it: ${text.slice(0, 60)}`),
  ];
}

/** A snapshot that a person follows, and the names of the hits that were added to its analysis later. */
export type Followed = {
  readonly snapshotId: string;
  readonly channel: string;
  readonly user: string;
  readonly added: string[];
  /** Whether every change has to be told. After a clock step of more than a day a follow may end at once. */
  readonly isOwed: boolean;
};

/** News names at most three hits. */
const MOST_CHANGES = 3;
const SYSTEM = { chassisSerialNumber: 'chs600' };

/** Puts the snapshot on the shelf with its present hits. */
export function shelveFollowed({ service }: ChaosWorld, { snapshotId, added }: Followed): void {
  const diagnostics = ['H0', ...added].map((name) => ({
    name,
    match: true,
    importance: 'HIGH',
    header: name,
  }));
  const document = { system: SYSTEM, diagnostics };
  service.shelve(snapshotId, { title: 'chaos', purpose: 'one that is followed', document });
}

/** Adds a hit to the analysis, once the bot has confirmed the follow. */
export function redefine(world: ChaosWorld, one: Followed | undefined): void {
  if (one === undefined || one.added.length === MOST_CHANGES || !isFollowed(world, one)) return;
  one.added.push(`H${one.snapshotId}00${one.added.length + 1}`);
  shelveFollowed(world, one);
}

function resultOf({ slack }: ChaosWorld, { channel, snapshotId }: Followed): VisibleMessage | undefined {
  return slack
    .messages(channel)
    .find(({ text, threadTs }) => threadTs === undefined && text.includes(`napshot ${snapshotId}: `));
}

/** Whether the bot confirmed the follow. */
function isFollowed({ slack }: ChaosWorld, { channel, user, snapshotId }: Followed): boolean {
  return slack
    .messages(channel, user)
    .some(({ text }) => text.startsWith(`I’ll tell you about snapshot ${snapshotId}: when`));
}

/** The news for the follower, in the channel or directly. */
function wordsOn({ slack }: ChaosWorld, { snapshotId, channel, user }: Followed): VisibleMessage[] {
  const name = slack.users.find(({ id }) => id === user)?.name ?? user;
  return [channel, `@${name}`]
    .flatMap((where) => slack.messages(where, user))
    .filter(({ text }) => text.startsWith('<@') && text.includes(`Snapshot ${snapshotId}: `));
}

function neverTold(world: ChaosWorld, one: Followed): string[] {
  const words = wordsOn(world, one);
  return one.added.filter((name) => words.every(({ text }) => !text.includes(name)));
}

/** The follows with news to come, or whose snapshot has not been read since the last news. */
export function untold(world: ChaosWorld, followed: readonly Followed[]): readonly Followed[] {
  return followed.filter((one) => {
    if (!one.isOwed || !isFollowed(world, one)) return false;
    const last = Math.max(0, ...wordsOn(world, one).map(({ at }) => at));
    const isRead = world.service.records.requests.some(
      ({ id, status, arrivedAt }) => id === one.snapshotId && status === 200 && arrivedAt > last,
    );
    return !isRead || neverTold(world, one).length > 0;
  });
}

/** A sentence for each change that was told twice, and for each malformed message of news. */
export function mistold(world: ChaosWorld, followed: readonly Followed[]): string[] {
  return followed.flatMap((one) => {
    const words = wordsOn(world, one);
    const { snapshotId, user, added } = one;
    const thread = resultOf(world, one)?.ts;
    const isWord = ({ text, threadTs }: VisibleMessage) => {
      const named = added.filter((name) => text.includes(name));
      const said = `Snapshot ${snapshotId}: ${named.length} new (${named.length} high) since `;
      return named.length > 0 && text.startsWith(`<@${user}> ${said}`) && threadTs === thread;
    };
    const isTwice = (name: string) => words.filter(({ text }) => text.includes(name)).length > 1;
    return [
      ...added.filter(isTwice).map((name) => `${snapshotId}: ${name} was told twice`),
      ...words.filter((word) => !isWord(word)).map(({ text }) => `${snapshotId}: told ${text}`),
    ];
  });
}

/** A sentence for each change that was never told although it had to be. */
export function withheld(world: ChaosWorld, followed: readonly Followed[]): string[] {
  return followed
    .filter(({ isOwed }) => isOwed)
    .flatMap((one) => neverTold(world, one).map((name) => `${one.snapshotId}: ${name} was never told`));
}
