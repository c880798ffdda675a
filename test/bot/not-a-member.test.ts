import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { BOT, fromBot, MODES, reads, small, WITHOUT_BOT, writes } from '../support/bot-messages.ts';
import { chooseMore, modal } from '../support/clicking.ts';
import { offers, SUPPORT, test as sequential } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';
import { processing } from '../support/shelved.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
const SHOW = 'post-here';

/** The private message that tells Ana that snapshot 2001 was not found. */
async function notFound(world: World): Promise<VisibleMessage> {
  world.service.shelve('2001', { title: 'Gone', purpose: 'Not there yet.', status: 404 });
  await world.slack.command({ text: '2001', channel: 'C0SECRET' });
  return reads(world, 'Snapshot 2001 was not found', { channel: 'C0SECRET' });
}

for (const mode of MODES) {
  test.for(Object.entries(WITHOUT_BOT))(
    `In %s without the bot, "Post it here" posts the result for all, over ${mode}`,
    async ([, channel], { open }) => {
      const world = await open({ mode });
      await world.slack.command({ text: '1012', channel });
      const answer = await reads(world, '1 hit', { channel });
      expect(answer).toMatchObject({ ephemeral: true });
      expect(fromBot(world, channel, 'ben')).toEqual([]);
      await world.slack.click({ message: answer, actionId: SHOW });
      const shown = await reads(world, '1 hit', { channel, viewer: 'ben' });
      expect(shown.ephemeral).toBeUndefined();
      expect(textsOf(shown.blocks, 'mrkdwn').join()).toContain('Asked by <@U0ANA>');
      expect(offers(shown)).not.toContain(SHOW);
      await world.slack.waitFor(
        () => (fromBot(world, channel).length === 1 ? true : undefined),
        'the private one to go',
      );
    },
  );
}

test('The hint on how to invite the bot comes once, and only where that can be done', async ({ world }) => {
  world.service.shelve('2001', small({ forMs: 400 }));
  await world.slack.command({ text: '2001', channel: 'C0SECRET' });
  await reads(world, '1 hit', { channel: 'C0SECRET' });
  const [wait, result] = fromBot(world, 'C0SECRET').map(({ blocks }) => textsOf(blocks, 'mrkdwn').join());
  expect(wait).toContain(`type /invite <@${BOT}>`);
  expect(result).not.toContain('/invite');
  await world.slack.command({ text: '1012', channel: 'D0ANABEN' });
  const inDm = await reads(world, '1 hit', { channel: 'D0ANABEN' });
  expect(textsOf(inDm.blocks, 'mrkdwn').join()).toContain('Only you can see this');
  expect(textsOf(inDm.blocks, 'mrkdwn').join()).not.toContain('/invite');
});

test('“Look up…” of the help answers in the same conversation', async ({ world }) => {
  const channel = 'C0SECRET';
  await world.slack.command({ text: 'help', channel });
  const message = await reads(world, 'Try: /snapshot 26808463', { channel });
  await world.slack.click({ message, actionId: 'open-look-up' });
  const view = await modal(world, 'The answer appears in this conversation', 'ana');
  await world.slack.submit({ view, values: { id: '1012' } });
  expect(await reads(world, '1 hit', { channel })).toMatchObject({ ephemeral: true });
});

test('“Compare with…” answers in the same conversation', async ({ world }) => {
  const channel = 'D0ANABEN';
  await world.slack.command({ text: '1010', channel });
  await chooseMore(world, await reads(world, '30 hits', { channel }), 'Compare with…', 'ana');
  const view = await modal(world, 'The other snapshot', 'ana');
  await world.slack.submit({ view, values: { 'other-id': '1011' } });
  expect(await reads(world, '20 cleared', { channel })).toMatchObject({ ephemeral: true });
});

test('"Post it here" is offered for results only', async ({ world }) => {
  world.service.shelve('2001', { title: 'Gone', purpose: 'Not there.', status: 404 });
  world.service.shelve('2002', small({ forMs: 'forever' }));
  for (const text of ['2001', '2002']) await world.slack.command({ text, channel: 'C0SECRET' });
  const fault = await reads(world, 'was not found', { channel: 'C0SECRET' });
  const wait = await reads(world, 'is still being processed', { channel: 'C0SECRET' });
  expect(offers(fault)).toEqual(['ask-again']);
  // Nobody can remove an ephemeral message. So it must not look like an open wait once the result is posted below it.
  expect(offers(wait)).toEqual([]);
  expect(JSON.stringify(wait.blocks)).not.toContain('⏳');
});

test('“Cancel” on a private wait changes that message, and adds none', async ({ world }) => {
  const { slack, service } = world;
  const fault = await notFound(world);
  service.shelve('2001', small({ forMs: 'forever' }));
  await slack.click({ message: fault, actionId: 'ask-again' });
  const wait = await reads(world, 'is still being processed', { channel: 'C0SECRET' });
  expect(offers(wait)).toEqual(['cancel']);
  await slack.click({ message: wait, actionId: 'cancel' });
  await slack.waitFor(
    () => fromBot(world, 'C0SECRET').find((message) => offers(message).includes('ask-again')),
    'the cancelled lookup',
  );
  expect(fromBot(world, 'C0SECRET').map(({ ts }) => ts)).toEqual([fault.ts]);
  // The command and each of the two clicks brought a response URL of its own.
  const urls = slack.records.deliveries.map(({ payload }) => payload.response_url);
  expect(new Set(urls).size).toBe(3);
});

test('A slow answer is the only private message of its lookup', async ({ open }) => {
  const world = await open({ timing: { progressAfterMs: 50 } });
  world.service.switches.latencyMs = 600;
  await world.slack.command({ text: '1012', channel: 'C0SECRET' });
  await reads(world, '1 hit', { channel: 'C0SECRET' });
  expect(fromBot(world, 'C0SECRET')).toHaveLength(1);
});

test('A refreshed answer, and one that was asked for again, can still be posted', async ({ world }) => {
  const { slack, service } = world;
  service.nextAnswers([{ status: 404 }]);
  await slack.command({ text: '1001', channel: 'C0SECRET' });
  const fault = await reads(world, 'was not found', { channel: 'C0SECRET' });
  await slack.click({ message: fault, actionId: 'ask-again' });
  const answer = await reads(world, '37 hits', { channel: 'C0SECRET' });
  const block = JSON.stringify(answer.blocks);
  await slack.click({ message: answer, actionId: 'more', value: 'refresh' });
  const isNew = () => fromBot(world, 'C0SECRET').find(({ blocks }) => JSON.stringify(blocks) !== block);
  const refreshed = await slack.waitFor(isNew, 'the refreshed message');
  expect(offers(refreshed)).toContain(SHOW);
  await slack.click({ message: refreshed, actionId: SHOW });
  await reads(world, '37 hits', { channel: 'C0SECRET', viewer: 'ben' });
});

test('While Slack asks to slow down, a private answer waits, and is whole', async ({ world }) => {
  world.slack.failNext('response_url', { status: 429, retryAfter: 1 });
  await world.slack.command({ text: '1012', channel: 'C0RANDOM' });
  const answer = await reads(world, '1 hit', { channel: 'C0RANDOM' });
  expect(answer.blocks.length).toBeGreaterThan(2);
});

test('A private answer in a thread is posted in that thread', async ({ world }) => {
  const { message } = await world.slack.say({ text: 'look at snapshot 1001', channel: 'C0SECRET' });
  await world.slack.shortcut({ callbackId: 'diagnose-snapshot', message });
  const answer = await reads(world, '37 hits', { channel: 'C0SECRET' });
  await world.slack.click({ message: answer, actionId: SHOW });
  const shown = await reads(world, 'Snapshot 1001', { channel: 'C0SECRET', viewer: 'ben' });
  expect(shown.threadTs).toBe(message.ts);
});

test('After a wait where the bot is no member, nobody is mentioned in a reply', async ({ open }) => {
  const world = await open({ timing: { notifyAfterMs: 0 } });
  world.service.shelve('2001', small({ forMs: 400 }));
  await world.slack.command({ text: '2001', channel: 'C0SECRET' });
  await reads(world, '1 hit', { channel: 'C0SECRET' });
  await world.slack.command({ text: '1002', channel: SUPPORT });
  await reads(world, '180 checks');
  // Once the channel has refused the bot, the wait and the result go through the response URL.
  expect(writes(world).filter((method) => method === 'response_url')).toHaveLength(2);
});

test('Progress leaves one of the five posts of a response URL for the answer', async ({ world }) => {
  const { slack, service } = world;
  const fault = await notFound(world);
  const nineReasons = Array.from({ length: 9 }, (_, index) => processing(`Step ${index}.`));
  service.shelve('2001', small());
  service.nextAnswers(nineReasons, '2001');
  await slack.click({ message: fault, actionId: 'ask-again' });
  await reads(world, '1 hit', { channel: 'C0SECRET' });
  expect(fromBot(world, 'C0SECRET').map(({ ts }) => ts)).toEqual([fault.ts]);
});
