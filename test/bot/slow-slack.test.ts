import { globSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { OpenView, VisibleMessage } from '../emulators/slack/model.ts';
import { recordDeliveries } from '../fuzz/recorded-deliveries.ts';
import { atRest } from '../support/at-rest.ts';
import { callsOf, fromBot } from '../support/bot-messages.ts';
import { chooseMore, modal } from '../support/clicking.ts';
import { ask, SUPPORT, test } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import type { World } from '../support/world.ts';

type Form = {
  /** Opens the form as Ben. */
  readonly open: (world: World, message: VisibleMessage) => Promise<OpenView>;
  readonly values?: Readonly<Record<string, string>>;
  /** How often a submission took effect. */
  readonly done: (world: World, message: VisibleMessage) => number;
};

/** How many messages with these words Ben sees in a conversation. */
const read = (world: World, words: string, channel = SUPPORT) =>
  fromBot(world, channel, 'ben').filter(({ text }) => text.includes(words)).length;

const behindMore =
  (choice: string, words: string): Form['open'] =>
  async (world, message) => {
    await chooseMore(world, message, choice);
    return modal(world, words);
  };

/** How many presses and forms were answered with a window with these words. */
const answeredWith = ({ slack }: World, words: string) =>
  slack.records.deliveries.filter(({ body }) => body.includes(words)).length;

/** Every form of the bot, by its callback id. */
const FORMS: Readonly<Record<string, Form>> = {
  'case-text': {
    open: behindMore('Text for the case', 'case-text-'),
    done: ({ slack }) => (slack.modals('ben').length === 0 ? 1 : 0),
  },
  follow: {
    open: behindMore('Follow…', 'Tell me'),
    values: { 'follow-kind': 'any' },
    done: (world) => read(world, 'I’ll tell you about snapshot'),
  },
  accept: {
    open: async (world, message) => {
      await world.slack.click({ message, actionId: 'details-0', user: 'ben' });
      const details = await modal(world, 'hit 1 of 1');
      await world.slack.click({ view: details, actionId: 'accept', user: 'ben' });
      return modal(world, 'Until when');
    },
    values: { 'accept-end': '30', 'accept-reason': 'Booked' },
    done: (world) => answeredWith(world, 'Accepted by ben'),
  },
  'hand-over': {
    open: async (world, message) => {
      await world.slack.click({ message, actionId: 'own', user: 'ben' });
      const isOwned = () =>
        fromBot(world).find(({ blocks }) => JSON.stringify(blocks).includes('"hand-over"'));
      const owned = await world.slack.waitFor(isOwned, 'an owner');
      await world.slack.click({ message: owned, actionId: 'hand-over', user: 'ben' });
      return modal(world, 'new-owner');
    },
    values: { 'new-owner': 'U0ANA' },
    done: (world) => read(world, 'is on it now: Snapshot 1012'),
  },
  list: {
    open: async (world) => {
      await world.slack.click({ message: await ask(world, '1001'), actionId: 'all-hits', user: 'ben' });
      return modal(world, '"callback_id":"list"');
    },
    values: { search: 'pool' },
    done: (world) => answeredWith(world, '"initial_value":"pool"'),
  },
  devices: {
    open: async (world) => {
      await world.slack.command({ text: '1012', user: 'ben', channel: SUPPORT });
      await atRest(world.address());
      await world.slack.openHome('ben');
      const home = await world.slack.waitFor(() => world.slack.home('ben'), 'the Home tab');
      await world.slack.click({ view: home, actionId: 'my-devices', user: 'ben' });
      return modal(world, '"callback_id":"devices"');
    },
    values: { search: 'pool' },
    // The window first says that the search runs; this counts only its results.
    done: ({ slack }) =>
      slack.records.calls.filter(
        ({ method, args }) => method === 'views.update' && JSON.stringify(args).includes('pool: hits on'),
      ).length,
  },
  compare: {
    open: behindMore('Compare with…', 'Compare snapshot'),
    values: { 'other-id': '1011' },
    done: (world) => read(world, 'Snapshots 101'),
  },
  'look-up': {
    open: async (world) => {
      await world.slack.shortcut({ callbackId: 'look-up-snapshot', user: 'ben' });
      return modal(world, 'Where to answer');
    },
    values: { id: '1002', where: SUPPORT },
    done: (world) => read(world, '180 checks'),
  },
};

test('Every form that a feature registers has its line here', () => {
  const sources = globSync('src/slack/features/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  const registered = sources.flatMap((source) => [...source.matchAll(/\bon\.form\(/g)]);
  expect(Object.keys(FORMS)).toHaveLength(registered.length);
});

test.concurrent.for(Object.entries(FORMS))(
  'While Slack is slow, the form “%s” is acknowledged first, and a second press does nothing more',
  async ([, { open: openForm, values, done }], { world }) => {
    const message = await ask(world, '1012');
    const view = await openForm(world, message);
    const before = done(world, message);
    const release = world.slack.hold();
    const delivery = await world.slack.submit({ view, ...(values && { values }) });
    const second = await world.slack.pressAgain(delivery);
    release();
    expect([delivery.acknowledged, second.acknowledged]).toEqual([true, true]);
    await eventually(() => expect(done(world, message)).toBe(before + 1));
    await ask(world, '1001');
    expect(done(world, message)).toBe(before + 1);
  },
);

test('A form whose sender can’t be checked in time stays open, and says so', async ({ world }) => {
  await world.slack.click({ message: await ask(world, '1001'), actionId: 'all-hits', user: 'ben' });
  const view = await modal(world, '"callback_id":"list"');
  // After a restart the bot asks Slack about each person anew.
  await world.restart();
  const release = world.slack.hold();
  await world.slack.submit({ view, values: { search: 'pool' } });
  expect(await modal(world, 'right now')).toMatchObject({ id: view.id });
  release();
});

/** How many people press at the same time. */
const AT_ONCE = 10;

test('While Slack is slow, every click and shortcut is acknowledged', async ({ world }) => {
  await recordDeliveries(world);
  const used = world.slack.records.deliveries.filter(({ kind }) => kind === 'interaction');
  const release = world.slack.hold();
  for (let at = 0; at < used.length; at += AT_ONCE) {
    const some = used.slice(at, at + AT_ONCE);
    const again = await Promise.all(some.map((delivery) => world.slack.pressAgain(delivery)));
    expect(again.filter(({ acknowledged }) => !acknowledged)).toEqual([]);
  }
  release();
  await ask(world, '1001');
});

test('While Slack is slow, a command asks it everything at once, and is acknowledged in time', async ({
  open,
}) => {
  const world = await open({ variables: { ALLOW_SHARED_CHANNELS: 'no' } });
  await ask(world, '1001');
  const asked = ['users.info', 'conversations.info'];
  const before = asked.map((method) => callsOf(world, method));
  const release = world.slack.hold();
  const delivery = world.slack.command({ text: '1012', user: 'ben', channel: 'C0WARROOM' });
  await eventually(() =>
    expect(asked.map((method) => callsOf(world, method))).toEqual(before.map((n) => n + 1)),
  );
  release();
  expect(await delivery).toMatchObject({ acknowledged: true });
});

test.for(['http', 'socket'] as const)(
  'Over %s, the first command after a start is acknowledged in time though Slack is slow',
  async (mode, { open }) => {
    const world = await open({ mode });
    const release = world.slack.hold();
    const delivery = await world.slack.command({ text: '1012' });
    release();
    expect(delivery).toMatchObject({ acknowledged: true, body: expect.stringContaining('right now') });
  },
);

/** ALLOW_GUESTS, and how many milliseconds Slack takes to answer. With `yes` nobody's account is checked. */
const LATE = [
  ['no', 3_000],
  ['no', 8_000],
  ['yes', 8_000],
] as const;

test.concurrent.for(LATE)(
  'A newcomer (guests: %s) is acknowledged in time while Slack takes %i ms, and answered or refused once',
  async ([guests, ms], { open }) => {
    const world = await open({ variables: { ALLOW_GUESTS: guests } });
    const { slack, service } = world;
    await ask(world, '1001');
    const finals = () =>
      ['C0WARROOM', '@ben']
        .flatMap((where) => fromBot(world, where, 'ben'))
        .filter(({ text }) => text.includes('Snapshot 1012') && text.includes('1 hit'));
    const command = () => slack.command({ text: '1012', user: 'ben', channel: 'C0WARROOM' });
    const asked = service.records.requests.length;
    slack.answerAfter(() => ms);
    const delivery = await command();
    const isRefused = guests === 'no';
    const body = isRefused ? expect.stringContaining('right now') : '';
    expect(delivery).toMatchObject({ acknowledged: true, body });
    slack.answerAfter(() => 0);
    await atRest(world.address(), 40_000);
    expect([finals().length, service.records.requests.length - asked]).toEqual(isRefused ? [0, 0] : [1, 1]);
    // The bot remembers the answer of Slack that came too late.
    await eventually(async () => expect(await command()).toMatchObject({ body: '' }));
    await eventually(() => expect(finals()).toHaveLength(isRefused ? 1 : 2));
  },
);
