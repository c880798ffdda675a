import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { mentionedIn } from '../emulators/slack/paging.ts';
import { DM, fromBot, MODES, reads, settled, small } from '../support/bot-messages.ts';
import { offers, SUPPORT, test as sequential } from '../support/conversation.ts';
import { beginWait } from '../support/slack-troubles.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
/** With this setting every wait counts as a long wait. */
const LONG = { notifyAfterMs: 0 };
const TELL_ME = 'tell-me-too';

/** The replies that begin with a mention. */
function replies(world: World, channel = SUPPORT): VisibleMessage[] {
  return fromBot(world, channel).filter(({ text }) => text.startsWith('<@'));
}

for (const mode of MODES) {
  test(`A long wait ends with one reply in the thread, which mentions who waited, over ${mode}`, async ({
    open,
  }) => {
    const world = await open({ mode, timing: LONG });
    const waiting = await beginWait(world, '2001');
    await world.slack.click({ message: waiting, actionId: TELL_ME, user: 'ben' });
    await world.slack.click({ message: waiting, actionId: TELL_ME, user: 'ben' });
    await reads(world, 'You’re on the list', { viewer: 'ben' });
    world.service.shelve('2001', small());
    const reply = await reads(world, 'is ready: 1 hit');
    expect(reply.text).toBe('<@U0ANA> <@U0BEN> Snapshot 2001 is ready: 1 hit.');
    expect(reply.threadTs).toBe(waiting.ts);
    expect(mentionedIn('', reply.blocks)).toEqual([]);
    expect(JSON.stringify(reply.blocks).match(/U0\w+/g)).toEqual(['U0ANA', 'U0BEN']);
    expect((await reads(world, '^Snapshot 2001.*1 hit')).ts).toBe(waiting.ts);
  });

  test(`A wait goes through a refresh of the socket and a restart, and is told once, over ${mode}`, async ({
    open,
  }) => {
    const world = await open({ mode, timing: LONG });
    const waiting = await beginWait(world, '2001');
    await world.slack.click({ message: waiting, actionId: TELL_ME, user: 'ben' });
    await reads(world, 'You’re on the list', { viewer: 'ben' });
    world.slack.disconnectSockets('refresh_requested');
    await world.restart();
    world.service.shelve('2001', small());
    await reads(world, '<@U0ANA> <@U0BEN> Snapshot 2001 is ready');
    await world.restart();
    await settled(world);
    expect(replies(world)).toHaveLength(1);
  });
}

test.for([
  ['The reply that ends a wait in a thread older than an hour is also shown in the channel', 61, true],
  ['The reply that ends a shorter wait stays in its thread', 59, false],
] as const)('%s', async ([, minutes, isBroadcast], { open }) => {
  // Only the bot's clock jumps an hour, so the service, by its own clock, can't check the ten seconds between polls.
  const service = { waitMs: 0 };
  const world = await open({ service, timing: LONG, variables: { WAIT_LIMIT_MINUTES: '600' } });
  const waiting = await beginWait(world, '2001');
  world.clock.ahead += minutes * 60_000;
  world.service.shelve('2001', small());
  await world.restart();
  const reply = await reads(world, 'Snapshot 2001 is ready: 1 hit');
  expect(reply.threadTs).toBe(waiting.ts);
  expect(reply.extras?.subtype).toBe(isBroadcast ? 'thread_broadcast' : undefined);
});

test('Everybody who asked for a snapshot in its channel is told when it is ready, and nobody twice', async ({
  open,
}) => {
  const world = await open({ timing: LONG });
  const waiting = await beginWait(world, '2001');
  await settled(world);
  for (const user of ['ben', 'ben', 'ana']) await world.slack.command({ text: '2001', user });
  await world.slack.click({ message: waiting, actionId: TELL_ME });
  await reads(world, 'You’re on the list');
  world.service.shelve('2001', small());
  expect((await reads(world, 'is ready')).text).toBe('<@U0ANA> <@U0BEN> Snapshot 2001 is ready: 1 hit.');
});

test('A reply that ends a wait, and whose confirmation was lost, is not posted again', async ({ open }) => {
  const world = await open({ timing: LONG });
  const waiting = await beginWait(world, '2001');
  await world.slack.click({ message: waiting, actionId: TELL_ME, user: 'ben' });
  await reads(world, 'You’re on the list', { viewer: 'ben' });
  world.slack.failNext('chat.postMessage', 'lost-response');
  world.service.shelve('2001', small());
  await reads(world, 'is ready: 1 hit');
  await settled(world);
  expect(replies(world)).toHaveLength(1);
});

test('A wait in a thread or a direct message ends with a reply there', async ({ open }) => {
  const world = await open({ timing: LONG });
  world.service.shelve('2001', small({ forMs: 400 }));
  const { message: parent } = await world.slack.say({ text: 'edge-7 is down' });
  await world.slack.mention({ text: '2001', threadTs: parent.ts });
  expect((await reads(world, 'is ready')).threadTs).toBe(parent.ts);
  world.service.shelve('2002', small({ forMs: 400 }));
  await world.slack.say({ text: '2002', channel: DM });
  // Nobody else reads a direct message, so there is no “Tell me too”.
  expect(offers(await reads(world, 'is still being processed', { channel: DM }))).toEqual(['cancel']);
  const reply = await reads(world, 'is ready', { channel: DM });
  expect(reply.threadTs).toBe(fromBot(world, DM)[0]?.ts);
});

test('A short wait ends with the edit alone', async ({ world }) => {
  await beginWait(world, '2001');
  world.service.shelve('2001', small());
  await reads(world, '1 hit');
  await settled(world);
  expect(replies(world)).toEqual([]);
});

test('The person who gives up a wait is not told of its end, and people who asked to be told are', async ({
  open,
}) => {
  const world = await open({ timing: LONG });
  const message = await beginWait(world, '2001');
  await world.slack.click({ message, actionId: TELL_ME, user: 'ben' });
  await reads(world, 'You’re on the list', { viewer: 'ben' });
  await world.slack.click({ message, actionId: 'cancel' });
  expect((await reads(world, '^<@')).text).toMatch(/^<@U0BEN> The lookup/);
});
