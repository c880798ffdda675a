import { expect } from 'vitest';
import { BOT, DM, fromBot, MODES, reads, small, writes } from '../support/bot-messages.ts';
import { ask, test as sequential } from '../support/conversation.ts';
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
    expect(textsOf(answer.blocks, 'mrkdwn').join()).toContain('Asked by <@U0BEN>');
    expect(fromBot(world)).toHaveLength(1);
  });

  test(`A mention that Slack delivers twice is one request over ${mode}, and so is an edit that names another id`, async ({
    open,
  }) => {
    const world = await open({ mode });
    const { message, deliveries } = await world.slack.mention({ text: '1012' });
    const [delivery] = deliveries;
    if (delivery === undefined) throw new Error('no delivery');
    expect(await world.slack.redeliver(delivery)).toMatchObject({ acknowledged: true });
    await reads(world, '1 hit');
    const edited = await world.slack.edit(message, `<@${BOT}> 1012 please`);
    expect(edited.deliveries[0]).toMatchObject({ acknowledged: true });
    await world.slack.edit(message, `<@${BOT}> 1001`);
    await reads(world, '37 hits');
    await world.slack.edit(message, `<@${BOT}> 1012 hit`);
    await ask(world, '1002');
    expect(fromBot(world).map(({ threadTs }) => threadTs)).toEqual([message.ts, message.ts, undefined]);
    expect(world.service.records.requests.map(({ id }) => id)).toEqual(['1012', '1001', '1002']);
  });
}

test('A mention that was no request becomes one by an edit, once', async ({ world }) => {
  const { message } = await world.slack.mention({ text: '10l2' });
  await reads(world, 'Which snapshot?', { viewer: 'ana' });
  await world.slack.edit(message, `<@${BOT}> 1012`);
  expect((await reads(world, '1 hit')).threadTs).toBe(message.ts);
  await world.slack.edit(message, `<@${BOT}> 1012 hit`);
  await ask(world, '1002');
  expect(world.service.records.requests.map(({ id }) => id)).toEqual(['1012', '1002']);
});

test('A mention that watches another snapshot after an edit is answered for that, too', async ({ world }) => {
  const { message } = await world.slack.mention({ text: 'watch 1012' });
  await reads(world, '1 hit');
  await world.slack.edit(message, `<@${BOT}> watch 1001`);
  await reads(world, '37 hits');
});

test('Help for what is delivered twice is said once, for its author alone', async ({ world }) => {
  const { slack } = world;
  for (const { deliveries } of [
    await slack.mention({ text: 'help', user: 'ben' }),
    await slack.say({ text: 'help', user: 'ben', channel: '@ben' }),
  ])
    for (const delivery of deliveries) await slack.redeliver(delivery);
  const hint = await reads(world, '@Snapshot 26808463', { viewer: 'ben' });
  expect(hint).toMatchObject({ ephemeral: true });
  expect(fromBot(world)).toEqual([]);
  await ask(world, '1012');
  expect(writes(world)).toEqual(['chat.postEphemeral', 'chat.postMessage', 'chat.postMessage']);
});

test.for(MODES)(
  'An id in a direct message is answered there, over %s, and the bot does not answer its own messages',
  async (mode, { open }) => {
    const world = await open({ mode });
    world.service.shelve('2001', small({ forMs: 400 }));
    const { deliveries } = await world.slack.say({ text: '2001 hit', channel: DM });
    expect(deliveries[0]).toMatchObject({ acknowledged: true });
    const answer = await reads(world, '1 hit', { channel: DM });
    expect(answer.history).toHaveLength(1);
    expect(answer.threadTs).toBeUndefined();
    // Slack also sends the bot its own post and its own edit.
    const taken = () => world.slack.records.deliveries.filter(({ acknowledged }) => acknowledged);
    await world.slack.waitFor(() => taken()[2], 'both to be acknowledged');
    await world.slack.say({ text: '1002', channel: DM });
    await reads(world, '180 checks', { channel: DM });
    expect(fromBot(world, DM)).toHaveLength(2);
    expect(writes(world)).toEqual(['chat.postMessage', 'chat.update', 'chat.postMessage']);
  },
);

test('In a thread of the direct messages the answer stays there; a mention and “me” do no harm', async ({
  world,
}) => {
  const { message } = await world.slack.say({ text: 'help', channel: DM });
  await world.slack.say({ text: `<@${BOT}> 1012 me`, channel: DM, threadTs: message.ts });
  expect(await reads(world, '1 hit', { channel: DM })).toMatchObject({ threadTs: message.ts });
});

test('An edit of a direct message is answered once for each snapshot that it names', async ({ world }) => {
  const { message } = await world.slack.say({ text: 'good morning', channel: DM });
  await reads(world, 'Send me a snapshot id', { channel: DM });
  for (const text of ['1012', 'please: 1012 hit', 'good night']) await world.slack.edit(message, text);
  await reads(world, '1 hit', { channel: DM });
  for (const text of ['1001', 'snapshot 1012 or so']) await world.slack.edit(message, text);
  await reads(world, '37 hits', { channel: DM });
  await world.slack.say({ text: '1002', channel: DM });
  await reads(world, '180 checks', { channel: DM });
  expect(world.service.records.requests.map(({ id }) => id)).toEqual(['1012', '1001', '1002']);
  expect(fromBot(world, DM)).toHaveLength(4);
});
