import { expect } from 'vitest';
import { BOT, fromBot, MODES, reads, settled, small, writes } from '../support/bot-messages.ts';
import { ask, SUPPORT, test as sequential } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';

const test = sequential.concurrent;

for (const mode of MODES) {
  test(`A mention in a channel is answered in its thread, with the whole grammar, over ${mode}`, async ({
    open,
  }) => {
    const world = await open({ mode });
    const { message, deliveries } = await world.slack.mention({ text: 'HIT 1001' });
    expect(deliveries[0]).toMatchObject({ acknowledged: true });
    const answer = await reads(world, '37 hits in 247 checks');
    expect(answer.threadTs).toBe(message.ts);
    expect(answer.ephemeral).toBeUndefined();
    expect(world.service.records.requests.map(({ set }) => set)).toEqual(['hit']);
    expect(writes(world)).toEqual(['chat.postMessage']);
  });

  test(`A mention in a thread is answered there, its wait and its edits too, over ${mode}`, async ({
    open,
  }) => {
    const world = await open({ mode });
    world.service.shelve('2001', small({ forMs: 400, reasons: ['Unpacking.'] }));
    const { message: parent } = await world.slack.say({ text: 'edge-7 is down' });
    const threadTs = parent.ts;
    await world.slack.mention({ text: '2001', threadTs, user: 'ben' });
    const answer = await reads(world, '1 hit');
    expect(answer.threadTs).toBe(parent.ts);
    expect(answer.history.map(({ text }) => text)).toEqual([expect.stringContaining('Unpacking.')]);
    expect(textsOf(answer.blocks, 'mrkdwn').join()).toContain('asked by <@U0BEN>');
    expect(fromBot(world)).toHaveLength(1);
  });

  test(`A mention that Slack delivers twice is one request over ${mode}, and an edit of it is none`, async ({
    open,
  }) => {
    const world = await open({ mode });
    const { message, deliveries } = await world.slack.mention({ text: '1012' });
    const [delivery] = deliveries;
    if (delivery === undefined) throw new Error('no delivery');
    expect(await world.slack.redeliver(delivery)).toMatchObject({ acknowledged: true });
    await reads(world, '1 hit');
    const edited = await world.slack.edit(message, `<@${BOT}> 1001 please`);
    expect(edited.deliveries[0]).toMatchObject({ acknowledged: true });
    await world.slack.edit(message, `<@${BOT}> 1011`);
    await ask(world, '1002');
    expect(fromBot(world).map(({ threadTs }) => threadTs)).toEqual([message.ts, undefined]);
    expect(world.service.records.requests.map(({ id }) => id)).toEqual(['1012', '1002']);
  });
}

test.for(['thanks, that helped!', 'see you at 10:30, I need some help with my desk'])(
  'A mention that only speaks of the bot stays unanswered: %s',
  async (text, { world }) => {
    const { deliveries } = await world.slack.mention({ text });
    expect(deliveries[0]).toMatchObject({ acknowledged: true });
    await world.slack.say({ text: `I asked <@${BOT}> about it yesterday` });
    await ask(world, '1012');
    expect(writes(world)).toEqual(['chat.postMessage']);
  },
);

test.for([
  ['', 'Shows what the analysis'],
  ['268O-8463', '“268O-8463” is not a snapshot id.'],
] as const)(
  'A mention that is nearly a request gets help, for its author alone: “%s”',
  async ([text, help], { world }) => {
    const { deliveries } = await world.slack.mention({ text, user: 'ben' });
    const hint = await reads(world, help.replaceAll('?', '\\?'), { viewer: 'ben' });
    expect(hint).toMatchObject({ ephemeral: true });
    expect(JSON.stringify(hint.blocks)).toContain('@Snapshot help');
    expect(fromBot(world)).toEqual([]);
    const [delivery] = deliveries;
    if (delivery === undefined) throw new Error('no delivery');
    await world.slack.redeliver(delivery);
    await ask(world, '1012');
    expect(writes(world)).toEqual(['chat.postEphemeral', 'chat.postMessage']);
  },
);

test('In a thread the help appears in the thread', async ({ world }) => {
  const { message: parent } = await world.slack.say({ text: 'edge-7 is down' });
  await world.slack.mention({ text: 'hit', threadTs: parent.ts });
  expect(await reads(world, 'id is missing')).toMatchObject({ ephemeral: true, threadTs: parent.ts });
});

test('A mention that was no request becomes one by an edit, once', async ({ world }) => {
  const { message } = await world.slack.mention({ text: '10l2' });
  await reads(world, 'is not a snapshot id');
  await world.slack.edit(message, `<@${BOT}> 1012`);
  expect((await reads(world, '1 hit')).threadTs).toBe(message.ts);
  await world.slack.edit(message, `<@${BOT}> 1012 hit`);
  await ask(world, '1002');
  expect(world.service.records.requests.map(({ id }) => id)).toEqual(['1012', '1002']);
});

test('Who asks again in the same thread is pointed to the message that waits', async ({ world }) => {
  world.service.shelve('2001', small({ forMs: 'forever' }));
  const { message: parent } = await world.slack.say({ text: 'edge-7 is down' });
  const threadTs = parent.ts;
  await world.slack.mention({ text: '2001', threadTs });
  await reads(world, 'is still being processed');
  await settled(world);
  await world.slack.mention({ text: '2001', threadTs, user: 'ben' });
  const pointer = await reads(world, 'already in progress', { viewer: 'ben' });
  expect(pointer).toMatchObject({ ephemeral: true, threadTs });
  // Another thread is another destination.
  await world.slack.mention({ text: '2001' });
  await world.slack.waitFor(() => fromBot(world)[1], 'a second wait');
});

test('A mention in a channel that the bot then leaves is answered in a direct message', async ({ world }) => {
  world.service.shelve('2001', small({ forMs: 400 }));
  await world.slack.mention({ text: '2001' });
  await reads(world, 'is still being processed');
  world.slack.leave(SUPPORT);
  await reads(world, '1 hit', { channel: 'D0ANABOT' });
});
