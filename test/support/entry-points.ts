import { expect } from 'vitest';
import type { Delivery, VisibleMessage } from '../emulators/slack/model.ts';
import { fromBot, reads, small } from './bot-messages.ts';
import { SUPPORT } from './conversation.ts';
import type { World } from './world.ts';

/** What a channel contains before a test of refusals: a result, a waiting message and a person's message. */
type Prepared = {
  readonly world: World;
  readonly result: VisibleMessage;
  readonly waiting: VisibleMessage;
  readonly said: VisibleMessage;
  readonly user: string;
};

/** Creates the messages that the entry points need, for this person to use. */
export async function prepare(world: World, user: string, channel = SUPPORT): Promise<Prepared> {
  const { slack, service } = world;
  service.shelve('2001', small({ forMs: 'forever' }));
  await slack.command({ text: '1001 hit', user: 'ana', channel });
  const result = await reads(world, '37 hits', { channel });
  await slack.command({ text: '2001', user: 'ana', channel });
  const waiting = await reads(world, 'is still being processed', { channel });
  const { message: said } = await slack.say({ text: 'see 10012345', channel });
  return { world, result, waiting, said, user };
}

/** All ways to ask the bot for something, each as one delivery from a person in the channel. */
export const ENTRY_POINTS: Record<string, (prepared: Prepared) => Promise<Delivery | undefined>> = {
  'a command': ({ world, user, said: { channel } }) => world.slack.command({ text: '1012', user, channel }),
  'a command that is not understood': ({ world, user, said: { channel } }) =>
    world.slack.command({ text: 'what?', user, channel }),
  'a mention': async ({ world, user, said: { channel } }) =>
    (await world.slack.mention({ text: '1012', user, channel })).deliveries[0],
  'a mention in a thread': async ({ world, user, said: { channel, ts } }) =>
    (await world.slack.mention({ text: '1012', user, channel, threadTs: ts })).deliveries[0],
  'a message shortcut': ({ world, user, said }) =>
    world.slack.shortcut({ callbackId: 'diagnose-snapshot', message: said, user }),
  'the list of all hits': ({ world, user, result }) =>
    world.slack.click({ message: result, actionId: 'all-hits', user }),
  'the details of a hit': ({ world, user, result }) =>
    world.slack.click({ message: result, actionId: 'details-0', user }),
  'the menu of a result': ({ world, user, result }) =>
    world.slack.click({ message: result, actionId: 'more', value: 'refresh', user }),
  '"Tell me too"': ({ world, user, waiting }) =>
    world.slack.click({ message: waiting, actionId: 'tell-me-too', user }),
  '"Cancel"': ({ world, user, waiting }) => world.slack.click({ message: waiting, actionId: 'cancel', user }),
};

/** The ways without a channel, where only the person sees the answer. */
export const ENTRY_POINTS_WITHOUT_CHANNEL: Record<
  string,
  (prepared: Prepared) => Promise<Delivery | undefined>
> = {
  'a direct message': async ({ world, user }) =>
    (await world.slack.say({ text: '1012', user, channel: `@${user}` })).deliveries[0],
  'the global shortcut': ({ world, user }) => world.slack.shortcut({ callbackId: 'look-up-snapshot', user }),
  'the Home tab': ({ world, user }) => world.slack.openHome(user),
};

/** Everything that this person can see in the places where a refusal may appear. */
function seen({ world, user, said: { channel } }: Prepared): string {
  const { slack } = world;
  const beside = fromBot(world, channel, user).filter(({ ephemeral }) => ephemeral);
  return JSON.stringify([beside, fromBot(world, `@${user}`, user), slack.modals(user), slack.home(user)]);
}

/** Expects a refusal: the delivery is acknowledged, only the person gets a notice, and nothing else happens. */
export async function expectRefused(
  there: Prepared,
  enter: (prepared: Prepared) => Promise<Delivery | undefined>,
  words: string,
): Promise<void> {
  const { world, said, result, waiting } = there;
  const before = world.service.records.requests.filter(({ id }) => id !== '2001').length;
  const visible = () => fromBot(world, said.channel, 'ana').filter(({ ephemeral }) => !ephemeral);
  const publicly = visible().length;
  expect(await enter(there)).toMatchObject({ acknowledged: true });
  await world.slack.waitFor(() => (seen(there).includes(words) ? true : undefined), `to be told: ${words}`);
  expect(world.service.records.requests.filter(({ id }) => id !== '2001')).toHaveLength(before);
  expect(visible()).toHaveLength(publicly);
  const now = (ts: string) => visible().find((message) => message.ts === ts);
  expect(now(result.ts)?.history).toEqual(result.history);
  expect(now(waiting.ts)?.text).toContain('is still being processed');
}
