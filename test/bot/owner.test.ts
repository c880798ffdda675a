import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { fromBot, MODES, reads } from '../support/bot-messages.ts';
import { modal, told } from '../support/clicking.ts';
import { ask, offers, SUPPORT, test as sequential } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';
import { STORES, stores } from '../support/stores.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const variablesOf = stores();
const DAY_MS = 24 * 3_600_000;

const smallPrint = ({ blocks }: VisibleMessage) => textsOf(blocks.at(-1), 'mrkdwn').join(' ');

/** The message, once its small print contains `words`. */
function saying(
  { slack }: World,
  { channel, ts }: VisibleMessage,
  words: string | RegExp,
): Promise<VisibleMessage> {
  const says = () =>
    slack.messages(channel).find((each) => each.ts === ts && smallPrint(each).search(words) !== -1);
  return slack.waitFor(says, `a message with ${words}`);
}

test.for(MODES)(
  'Over %s, “I’m on it” names the owner, and “Hand over…” the next one, with one mention',
  async (mode, { open }) => {
    const world = await open({ mode });
    const message = await ask(world, '1001');
    await world.slack.click({ message, actionId: 'own', user: 'ben' });
    const owned = await saying(world, message, '<@U0BEN> since');
    expect(offers(owned)).toContain('hand-over');
    await world.slack.click({ message: owned, actionId: 'hand-over', user: 'ben' });
    const view = await modal(world, 'new-owner');
    expect(fromBot(world)).toHaveLength(1);
    await world.slack.submit({ view, values: { 'new-owner': 'U0ANA' } });
    await saying(world, message, '<@U0ANA> since');
    const word = await reads(world, 'is on it now: Snapshot 1001');
    expect([word.threadTs, word.text]).toEqual([message.ts, expect.stringContaining('<@U0ANA>')]);
    expect(world.service.records.requests).toHaveLength(1);
  },
);

test('“Unassign” in the form leaves the device without an owner', async ({ world }) => {
  const message = await ask(world, '1001');
  await world.slack.click({ message, actionId: 'own', user: 'ben' });
  const owned = await saying(world, message, 'Owner');
  await world.slack.click({ message: owned, actionId: 'hand-over', user: 'ben' });
  await world.slack.click({ view: await modal(world, 'unassign'), actionId: 'unassign', user: 'ben' });
  const free = await saying(world, message, /^Asked/);
  expect(offers(free)).toContain('own');
  await modal(world, 'Nobody is on it now.');
});

test('After 30 days a device has no owner', async ({ world }) => {
  const message = await ask(world, '1001');
  await world.slack.click({ message, actionId: 'own', user: 'ben' });
  await saying(world, message, '<@U0BEN> since');
  world.clock.ahead = 31 * DAY_MS;
  const later = smallPrint(await ask(world, '1012', 'ben'));
  expect(later).toContain('Asked by');
  expect(later).not.toContain('Owner');
});

test.for(STORES)(
  'On %s each new report of the device names its owner, in another channel and after a restart',
  async (store, { open }) => {
    const world = await open({ variables: await variablesOf(store) });
    const message = await ask(world, '1001');
    await world.slack.click({ message, actionId: 'own', user: 'ben' });
    await saying(world, message, 'Owner');
    await world.restart();
    await world.slack.command({ text: '1012', channel: 'C0WARROOM', user: 'ana' });
    const other = await reads(world, '1 hit', { channel: 'C0WARROOM' });
    // Snapshot 1012 is of the same device.
    expect(smallPrint(other)).toContain('<@U0BEN> since');
  },
);

test('A comparison names the owner, whichever command asked for it', async ({ world }) => {
  const message = await ask(world, '1010');
  await world.slack.click({ message, actionId: 'own', user: 'ben' });
  await saying(world, message, 'Owner');
  for (const text of ['1010 1011', 'compare 1010 1011'])
    expect(smallPrint(await ask(world, text))).toContain('<@U0BEN> since');
});

test('When two people press at once, the first becomes the owner', async ({ world }) => {
  const message = await ask(world, '1001');
  await Promise.all(['ana', 'ben'].map((user) => world.slack.click({ message, actionId: 'own', user })));
  const owned = await saying(world, message, 'Owner');
  const [, first] = /Owner:\* <@(\w+)>/.exec(smallPrint(owned)) ?? [];
  await world.slack.command({ text: '1001', channel: 'C0WARROOM' });
  expect(smallPrint(await reads(world, '37 hits', { channel: 'C0WARROOM' }))).toContain(`<@${first}>`);
});

test.for(['U0GUEST', 'U0INTAKE'])(
  'Nothing is handed to %s, who may not use the bot',
  async (user, { world }) => {
    const message = await ask(world, '1001');
    await world.slack.click({ message, actionId: 'own', user: 'ben' });
    const owned = await saying(world, message, 'Owner');
    await world.slack.click({ message: owned, actionId: 'hand-over', user: 'ben' });
    await world.slack.submit({ view: await modal(world, 'new-owner'), values: { 'new-owner': user } });
    await told(world, SUPPORT, 'nothing was handed over');
  },
);
