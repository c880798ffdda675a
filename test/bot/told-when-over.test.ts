import { expect } from 'vitest';
import { record } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { mentionedIn } from '../emulators/slack/paging.ts';
import { DM, fromBot, MODES, reads, settled, small } from '../support/bot-messages.ts';
import { offers, SUPPORT, test as sequential } from '../support/conversation.ts';
import { deliverInteraction } from '../support/slack-event.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
/** Every wait counts as a long one. */
const LONG = { notifyAfterMs: 0 };
const TELL_ME = 'tell-me-too';

/** The replies that mention somebody. */
function replies(world: World, channel = SUPPORT): VisibleMessage[] {
  return fromBot(world, channel).filter(({ text }) => text.startsWith('<@'));
}

async function waitFor2001(world: World, user = 'ana'): Promise<VisibleMessage> {
  world.service.shelve('2001', small({ forMs: 'forever' }));
  await world.slack.command({ text: '2001', user });
  return reads(world, 'is still being processed');
}

for (const mode of MODES) {
  test(`A long wait ends with one reply in the thread, which mentions who waited, over ${mode}`, async ({
    open,
  }) => {
    const world = await open({ mode, timing: LONG });
    const waiting = await waitFor2001(world);
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
    const waiting = await waitFor2001(world);
    await world.slack.click({ message: waiting, actionId: TELL_ME, user: 'ben' });
    await reads(world, 'You’re on the list', { viewer: 'ben' });
    world.slack.disconnectSockets('refresh_requested');
    await world.restart();
    world.service.shelve('2001', small());
    await reads(world, '<@U0ANA> <@U0BEN> Snapshot 2001 is ready');
    await world.restart();
    await world.slack.command({ text: '1002' });
    await reads(world, '180 checks');
    expect(replies(world)).toHaveLength(1);
  });
}

test('A short wait ends with the edit alone, unless somebody asked to be told', async ({ world }) => {
  await waitFor2001(world);
  world.service.shelve('2001', small());
  await reads(world, '1 hit');
  world.service.shelve('2002', small({ forMs: 'forever' }));
  await world.slack.command({ text: '2002' });
  const waiting = await reads(world, 'Snapshot 2002 is still');
  await world.slack.click({ message: waiting, actionId: TELL_ME, user: 'ben' });
  await reads(world, 'You’re on the list', { viewer: 'ben' });
  world.service.shelve('2002', small());
  expect((await reads(world, 'is ready')).text).toBe('<@U0BEN> Snapshot 2002 is ready: 1 hit.');
  expect(replies(world)).toHaveLength(1);
});

test('Who asked for the same there is told too; nobody twice', async ({ open }) => {
  const world = await open({ timing: LONG });
  const waiting = await waitFor2001(world);
  await settled(world);
  for (const user of ['ben', 'ben', 'ana']) await world.slack.command({ text: '2001', user });
  await world.slack.click({ message: waiting, actionId: TELL_ME });
  await reads(world, 'You’re on the list');
  world.service.shelve('2001', small());
  expect((await reads(world, 'is ready')).text).toBe('<@U0ANA> <@U0BEN> Snapshot 2001 is ready: 1 hit.');
});

test('A wait in a thread ends with a reply in that thread, and one in the direct messages there', async ({
  open,
}) => {
  const world = await open({ timing: LONG });
  world.service.shelve('2001', small({ forMs: 400 }));
  const { message: parent } = await world.slack.say({ text: 'edge-7 is down' });
  await world.slack.mention({ text: '2001', threadTs: parent.ts });
  expect((await reads(world, 'is ready')).threadTs).toBe(parent.ts);
  world.service.shelve('2002', small({ forMs: 400 }));
  await world.slack.say({ text: '2002', channel: DM });
  // Nobody else can press it there.
  expect(offers(await reads(world, 'is still being processed', { channel: DM }))).toEqual(['cancel']);
  const reply = await reads(world, 'is ready', { channel: DM });
  expect(reply.threadTs).toBe(fromBot(world, DM)[0]?.ts);
});

test('A wait that fails, is given up or is not ready in time is told too', async ({ open }) => {
  const world = await open({ timing: LONG });
  const waiting = await waitFor2001(world);
  world.service.shelve('2001', { title: 'Gone', purpose: 'Not there.', status: 403 });
  await reads(world, '<@U0ANA> Snapshot 2001 could not be read.');
  world.service.shelve('2001', small({ forMs: 'forever' }));
  await world.slack.command({ text: '2001', channel: 'C0WARROOM' });
  const there = await reads(world, 'is still being processed', { channel: 'C0WARROOM' });
  await world.slack.click({ message: there, actionId: TELL_ME, user: 'ben' });
  await reads(world, 'You’re on the list', { channel: 'C0WARROOM', viewer: 'ben' });
  await world.slack.click({ message: there, actionId: 'cancel' });
  const stopped = await reads(world, '^<@U0BEN> The lookup of snapshot 2001 was cancelled', {
    channel: 'C0WARROOM',
  });
  expect(stopped.text).toBe('<@U0BEN> The lookup of snapshot 2001 was cancelled.');
  expect(waiting.ts).not.toBe(there.ts);
  await world.restart({ WAIT_LIMIT_MINUTES: '0.01' });
  await world.slack.command({ text: '2001', user: 'ben' });
  await reads(world, '<@U0BEN> Snapshot 2001 is still not ready.');
});

test('A reply whose confirmation is lost is not posted twice', async ({ open }) => {
  const world = await open({ timing: LONG });
  await waitFor2001(world);
  world.service.shelve('2001', small());
  world.slack.failNext('chat.postMessage', 'lost-response');
  await reads(world, 'is ready');
  await world.slack.waitFor(
    () => world.slack.records.calls.find(({ method }) => method === 'conversations.replies'),
    'the bot to look for it',
  );
  await world.restart();
  await world.slack.command({ text: '1002', channel: 'C0WARROOM' });
  await reads(world, '180 checks', { channel: 'C0WARROOM' });
  expect(replies(world)).toHaveLength(1);
});

test('When the answer could not be posted in the channel, each who wanted to be told gets one direct message', async ({
  open,
}) => {
  const world = await open({ timing: LONG });
  const waiting = await waitFor2001(world);
  for (const user of ['ben', 'ana']) await world.slack.click({ message: waiting, actionId: TELL_ME, user });
  await reads(world, 'You’re on the list', { viewer: 'ben' });
  world.slack.leave(SUPPORT);
  world.service.shelve('2001', small());
  expect((await reads(world, '1 hit')).ephemeral).toBe(true);
  const directly = () =>
    world.slack.records.calls.filter(
      ({ method, args }) => method === 'chat.postMessage' && args.channel === 'U0BEN',
    );
  await world.slack.waitFor(() => directly()[0], 'a direct message to Ben');
  const [told] = fromBot(world, 'D0BOT0BEN', 'ben');
  expect(told?.text).toBe(
    `The wait for snapshot 2001 is over, but I can’t post in <#${SUPPORT}> any more. Ask me here to get the answer.`,
  );
  await world.slack.command({ text: '1002', channel: 'C0WARROOM' });
  await reads(world, '180 checks', { channel: 'C0WARROOM' });
  expect(directly()).toHaveLength(1);
  expect(fromBot(world, DM)).toEqual([]);
});

test('A click on "Tell me too" after the end of the wait is answered with that, to the asker and to anybody else', async ({
  world,
}) => {
  const waiting = await waitFor2001(world);
  const { payload } = await world.slack.click({ message: waiting, actionId: TELL_ME, user: 'ben' });
  await reads(world, 'You’re on the list', { viewer: 'ben' });
  world.service.shelve('2001', small());
  await reads(world, 'is ready: 1 hit');
  for (const [name, id] of [
    ['ben', 'U0BEN'],
    ['ana', 'U0ANA'],
  ] as const) {
    // Made before the message became the answer, and delivered after it.
    const user = { ...record(payload.user), id, name };
    const click = { ...payload, user, trigger_id: `late.${name}` };
    expect(await deliverInteraction(world, click)).toBe(200);
  }
  const late = await world.slack.waitFor(() => {
    const told = fromBot(world, SUPPORT, 'ben').filter(({ text }) =>
      text.startsWith('This lookup has ended'),
    );
    return told.length === 2 ? told : undefined;
  }, 'an answer to each late click');
  expect(late.map(({ ephemeral }) => ephemeral)).toEqual([true, true]);
  expect(replies(world)).toHaveLength(1);
});
