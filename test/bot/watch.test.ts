import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { record } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { BOT, DM, fromBot, reads } from '../support/bot-messages.ts';
import { chooseMore, modal, reading, told } from '../support/clicking.ts';
import { ask, test as sequential } from '../support/conversation.ts';
import { shelveDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { objectsIn } from '../support/message-parts.ts';
import { shelveHits } from '../support/shelved.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const DAY_MS = 24 * 3_600_000;

/** How many watches, or their days, came to this, since the bot started. */
async function daysThatWere(world: World, outcome: string): Promise<number> {
  const metrics = await (await fetch(`${world.address()}/metrics`)).text();
  return Number(metrics.match(`watches_total\\{outcome="${outcome}"\\} (\\d+)`)?.[1] ?? 0);
}

/** Settles when so many have, since the bot started. */
const dayThatIs = (world: World, outcome: string, count = 1) =>
  eventually(async () => expect(await daysThatWere(world, outcome)).toBeGreaterThanOrEqual(count));

/** The bot's clock moves on by whole days; a restart makes the bot look at the new time. */
async function days(world: World, count: number, outcome: string): Promise<void> {
  world.clock.ahead += count * DAY_MS;
  await world.restart();
  await dayThatIs(world, outcome);
}

async function watch(world: World, message: VisibleMessage, user = 'ben', worth = 'grave'): Promise<void> {
  await chooseMore(world, message, 'Watch…', user);
  const view = await modal(world, 'What is worth a message?', user);
  const delivery = await world.slack.submit({ view, values: { 'watch-worth': worth } });
  expect(delivery.acknowledged).toBe(true);
  await told(world, message.channel, 'You’re watching snapshot', user);
}

const replies = (world: World, { ts }: VisibleMessage) =>
  fromBot(world).filter((message) => message.threadTs === ts && message.ts !== ts);

/** What a message says of who watches it. */
function watchedBy(world: World, { ts, channel }: VisibleMessage): string | undefined {
  const found = world.slack.messages(channel).find((each) => each.ts === ts);
  return objectsIn(found?.blocks ?? [])
    .map(({ text }) => String(text))
    .find((text) => text.includes('Watched daily'));
}

async function openWatches(world: World): Promise<number> {
  const metrics = await (await fetch(`${world.address()}/metrics`)).text();
  return Number(metrics.match(/open_watches (\d+)/)?.[1]);
}

const asked = (world: World, id: string) =>
  world.service.records.requests.filter((request) => request.id === id).length;

test('A watched snapshot with new hits is told once, in the thread of its result', async ({ world }) => {
  shelveDevice(world, '2001', 'chs1', 1, 2);
  const message = await ask(world, '2001');
  await watch(world, message);
  expect(watchedBy(world, message)).toBe('Watched daily by <@U0BEN>');
  await watch(world, message, 'ana', 'any');
  const before = asked(world, '2001');
  await days(world, 1, 'quiet');
  expect(replies(world, message)).toEqual([]);
  shelveDevice(world, '2001', 'chs1', 2, 3, 4);
  await days(world, 1, 'told');
  const word = await reads(world, 'Hits of snapshot 2001: 2 new');
  expect(word.threadTs).toBe(message.ts);
  expect(word.text).toMatch(/^<@U0BEN> <@U0ANA> /);
  await world.slack.click({ message: word, actionId: 'details', user: 'ben' });
  await modal(world, 'Hit 3');
  await days(world, 1, 'quiet');
  expect(replies(world, message)).toHaveLength(1);
  expect(asked(world, '2001')).toBe(before + 3);
});

test('Who begins to watch a result that does not list all its hits is told of no hit that may have been there', async ({
  world,
}) => {
  const [listed, unlisted, unclear] = [{ name: 'D1' }, { name: 'D2' }, { name: 'D3', match: undefined }];
  shelveHits(world, listed, unclear);
  const message = await ask(world, '2001');
  await watch(world, message, 'ben', 'any');
  shelveHits(world, listed, unlisted);
  await days(world, 1, 'quiet');
  shelveHits(world, listed, unlisted, { name: 'D4' });
  await days(world, 1, 'told');
  await eventually(() => expect(replies(world, message)).toHaveLength(1));
  expect(replies(world, message)[0]?.text).toMatch(/^<@U0BEN> Hits of snapshot 2001: 1 new \(D4\)/);
});

test('What a mention has watched is told in the thread of the answer', async ({ world }) => {
  shelveDevice(world, '2001', 'chs1', 1);
  const { message } = await world.slack.say({ text: `<@${BOT}> watch 2001` });
  await dayThatIs(world, 'started');
  shelveDevice(world, '2001', 'chs1', 1, 2);
  await days(world, 1, 'told');
  expect((await reads(world, 'Hits of snapshot 2001: 1 new')).threadTs).toBe(message.ts);
});

test('What changed between the message and the day on which somebody begins to watch it is told, too, once', async ({
  world,
}) => {
  shelveDevice(world, '2001', 'chs1', 1, 2);
  const message = await ask(world, '2001');
  const other = await ask(world, '2001', 'ana');
  await watch(world, other, 'ana');
  await days(world, 2, 'quiet');
  shelveDevice(world, '2001', 'chs1', 2, 3, 4);
  await watch(world, message);
  await days(world, 1, 'told');
  await eventually(() => expect(replies(world, message)).toHaveLength(1));
  expect(replies(world, message)[0]?.text).toMatch(
    /^<@U0BEN> Hits of snapshot 2001: 2 new \(D3, D4\), 1 cleared/,
  );
  await days(world, 1, 'quiet');
  expect([replies(world, message).length, replies(world, other).length]).toEqual([1, 1]);
  // Who goes on to watch at another message leaves the first one.
  await watch(world, other);
  await eventually(() =>
    expect([message, other].map((each) => watchedBy(world, each))).toEqual([
      undefined,
      'Watched daily by <@U0ANA>, <@U0BEN>',
    ]),
  );
});

test('Who begins to watch a result turns no page of it back', async ({ world }) => {
  const message = await ask(world, '1001 hit');
  await chooseMore(world, message, 'Watch…');
  const view = await modal(world, 'What is worth a message?');
  await world.slack.click({ message, actionId: 'page-next', user: 'ana' });
  await reading(world, message, 'hits 4–');
  await world.slack.submit({ view, values: { 'watch-worth': 'any' } });
  await told(world, message.channel, 'You’re watching snapshot');
  expect(watchedBy(world, message)).toBe('Watched daily by <@U0BEN>');
  await reading(world, message, 'hits 4–');
});

test('The command watches what it looks up; the Home tab and the command stop it, and the message follows', async ({
  world,
}) => {
  shelveDevice(world, '2001', 'chs1', 1);
  shelveDevice(world, '2002', 'chs2', 1);
  const first = await ask(world, 'watch 2001');
  const second = await ask(world, 'watch 2002');
  expect(watchedBy(world, first)).toBe('Watched daily by <@U0ANA>');
  await world.slack.openHome('ana');
  const listing = (words: string) => () => {
    const home = world.slack.home('ana');
    return home !== undefined && JSON.stringify(home.view).includes(words) ? home : undefined;
  };
  const home = await world.slack.waitFor(listing('*2002* · '), 'a Home tab with what Ana watches');
  const stop = objectsIn(home.view.blocks).filter(({ action_id: id }) => id === 'home-stop-watching');
  expect(stop.map(({ value }) => value)).toEqual(['2002', '2001']);
  await world.slack.click({ view: home, actionId: 'home-stop-watching', value: '2002', user: 'ana' });
  await eventually(() => expect(watchedBy(world, second)).toBeUndefined());
  expect(watchedBy(world, first)).toBeDefined();
  for (const said of ['You no longer watch snapshot 2001.', 'You don’t watch snapshot 2001']) {
    const { body } = await world.slack.command({ text: 'unwatch 2001', user: 'ana', channel: first.channel });
    expect(body).toContain(said);
  }
  await eventually(() => expect(watchedBy(world, first)).toBeUndefined());
});

test('A reminder of a watched snapshot leaves its changes to the watch, which leaves newer snapshots to the reminder', async ({
  world,
}) => {
  shelveDevice(world, '2001', 'chs1', 1, 2);
  const message = await ask(world, '2001');
  await watch(world, message);
  const remind = async (when: string) => {
    await chooseMore(world, message, 'Remind me');
    const view = await modal(world, 'When to check again');
    await world.slack.submit({ view, values: { 'remind-when': when } });
    await told(world, message.channel, 'Reminder set');
    for (const each of world.slack.modals('ben')) await world.slack.closeView(each);
  };
  await remind('hour');
  shelveDevice(world, '2001', 'chs1', 2, 3, 4);
  await days(world, 1, 'told');
  await reads(world, 'It’s time to check snapshot 2001 again');
  const said = () => replies(world, message).map(({ text }) => text);
  expect(said().filter((text) => text.includes('2 new'))).toHaveLength(1);
  expect(said().filter((text) => text.includes('You watch it, so I tell you of its own'))).toHaveLength(1);
  await remind('week');
  shelveDevice(world, '2002', 'chs1', 2, 3, 4, 5);
  await ask(world, '2002');
  await reads(world, 'There is a newer snapshot of the same device, 2002');
  await days(world, 1, 'quiet');
  expect(said()).toHaveLength(3);
});

test('A message that the bot may not read names who watches it, too', async ({ open }) => {
  const world = await open({ slack: { scopes: ['commands', 'chat:write', 'users:read'] } });
  const message = await ask(world, '1012');
  await watch(world, message);
  await eventually(() => expect(watchedBy(world, message)).toBe('Watched daily by <@U0BEN>'));
});

const PARTNERS = 'C0PARTNERS';
/** What ends a watch, in a channel that may be shared, and what its person is told. */
const ENDS: readonly [string, (world: World, message: VisibleMessage) => unknown, string, string][] = [
  ['has lost its message', ({ slack }, message) => slack.remove(message), 'can’t be replied to', 'no-place'],
  [
    'has lost its message, below which somebody had replied',
    async ({ slack }, message) => {
      await slack.say({ text: 'Thanks', channel: PARTNERS, threadTs: message.ts });
      slack.remove(message);
    },
    'can’t be replied to',
    'no-place',
  ],
  ['was archived', ({ slack }, { channel }) => slack.archive(channel), 'can’t be replied to', 'no-place'],
  ['is shared with another company', () => {}, 'may no longer see', 'no-access'],
];

test.for(ENDS)(
  'A watch in a channel that %s ends with one direct message, and nothing is shown there',
  async ([what, change, said, outcome], { world }) => {
    const AUDIT_FILE = join(world.dataDir, 'audit.jsonl');
    const allowed = { AUDIT_FILE, ALLOW_SHARED_CHANNELS: 'yes' };
    await world.restart(allowed);
    shelveDevice(world, '2001', 'chs1', 1);
    await world.slack.command({ text: 'watch 2001', channel: PARTNERS });
    const message = await reads(world, '1 hit', { channel: PARTNERS });
    await eventually(() => expect(readFileSync(AUDIT_FILE, 'utf8')).toContain('"outcome":"started"'));
    await change(world, message);
    shelveDevice(world, '2001', 'chs1', 1, 2);
    for (let day = 1; day <= 2; day += 1) {
      world.clock.ahead += DAY_MS;
      const rules = what.startsWith('is shared') ? 'no' : 'yes';
      await world.restart({ ...allowed, ALLOW_SHARED_CHANNELS: rules });
      if (day === 1) await dayThatIs(world, 'ended');
    }
    const word = await reads(world, 'I no longer watch snapshot 2001 for you', { channel: DM });
    expect(word.text).toContain(said);
    await eventually(async () => expect(await openWatches(world)).toBe(0));
    expect(fromBot(world, DM)).toHaveLength(1);
    if (outcome === 'no-access') expect(watchedBy(world, message)).toBeUndefined();
    const posts = world.slack.records.calls.filter(({ method }) => method === 'chat.postMessage');
    const taken = posts.filter(({ args, answer }) => args.channel === PARTNERS && record(answer).ok);
    expect(taken).toHaveLength(1);
    const audit = readFileSync(AUDIT_FILE, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(audit.filter(({ event }) => event === 'watch')).toMatchObject([
      { user: 'U0ANA', channel: PARTNERS, snapshot: '2001', outcome: 'started' },
      { user: 'U0ANA', channel: PARTNERS, snapshot: '2001', outcome },
    ]);
  },
);

test('Of a result that one person alone sees, the form and the answer to it name a direct message, and no thread', async ({
  world,
}) => {
  const channel = 'C0RANDOM';
  shelveDevice(world, '2001', 'chs1', 1);
  await world.slack.command({ text: '2001', channel });
  await chooseMore(world, await reads(world, '1 hit', { channel }), 'Watch…', 'ana');
  const view = await modal(world, 'send you a direct message only if something changed', 'ana');
  expect(JSON.stringify(view.view)).not.toContain('thread');
  await world.slack.submit({ view, values: { 'watch-worth': 'any' } });
  const { text } = await told(world, channel, 'You’re watching snapshot', 'ana');
  expect(text).toContain('I’ll send you a direct message when anything changes');
  shelveDevice(world, '2001', 'chs1', 1, 2);
  await days(world, 1, 'told');
  await reads(world, '<@U0ANA> Hits of snapshot 2001: 1 new', { channel: DM });
});

test('Who watches 50 snapshots is told so by the command and by the form, and starts another one once one is stopped', async ({
  open,
}) => {
  const world = await open({ variables: { COMMANDS_PER_MINUTE: '200' } });
  const ids = Array.from({ length: 50 }, (_, index) => String(3001 + index));
  for (const id of [...ids, '2001']) shelveDevice(world, id, `chs${id}`, 1);
  const message = await ask(world, '2001', 'ben');
  await Promise.all(ids.map((text) => world.slack.command({ text: `watch ${text}`, user: 'ben' })));
  await dayThatIs(world, 'started', 50);
  const full = 'You already watch 50 snapshots';
  const command = () => world.slack.command({ text: 'watch 2001', user: 'ben' });
  expect((await command()).body).toContain(full);
  await chooseMore(world, message, 'Watch…');
  const view = await modal(world, 'What is worth a message?');
  await world.slack.submit({ view, values: { 'watch-worth': 'any' } });
  await told(world, message.channel, `Snapshot 2001 is not watched. ${full}`, 'ben');
  await world.slack.command({ text: 'unwatch 3001', user: 'ben' });
  expect((await command()).body).toBe('');
  await dayThatIs(world, 'started', 51);
});
