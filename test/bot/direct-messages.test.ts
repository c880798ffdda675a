import { expect } from 'vitest';
import { BOT, DM, fromBot, MODES, reads, small, writes } from '../support/bot-messages.ts';
import { test as sequential } from '../support/conversation.ts';

const test = sequential.concurrent;

for (const mode of MODES) {
  test(`An id sent to the bot is answered there, over ${mode}, and the bot does not answer its own messages`, async ({
    open,
  }) => {
    const world = await open({ mode });
    world.service.shelve('2001', small({ forMs: 400 }));
    const { deliveries } = await world.slack.say({ text: '2001 hit', channel: DM });
    expect(deliveries[0]).toMatchObject({ acknowledged: true });
    const answer = await reads(world, '1 hit', { channel: DM });
    expect(answer.history).toHaveLength(1);
    expect(answer.threadTs).toBeUndefined();
    // Slack tells the bot of what it wrote itself, and of the edit.
    const { deliveries: withErrorListener } = world.slack.records;
    await world.slack.waitFor(
      () => withErrorListener.filter(({ acknowledged }) => acknowledged)[2],
      'both echoes',
    );
    await world.slack.say({ text: '1002', channel: DM });
    await reads(world, '180 checks', { channel: DM });
    expect(fromBot(world, DM)).toHaveLength(2);
    expect(writes(world)).toEqual(['chat.postMessage', 'chat.update', 'chat.postMessage']);
  });
}

test('In a thread of the direct messages the answer stays there; a mention of the bot does no harm', async ({
  world,
}) => {
  const { message } = await world.slack.say({ text: 'help', channel: DM });
  await world.slack.say({ text: `<@${BOT}> 1012`, channel: DM, threadTs: message.ts });
  expect(await reads(world, '1 hit', { channel: DM })).toMatchObject({ threadTs: message.ts });
});

test('An edit of a direct message is answered once for each snapshot that it names', async ({ world }) => {
  const { message } = await world.slack.say({ text: 'good morning', channel: DM });
  await reads(world, 'Send me a snapshot id', { channel: DM });
  for (const text of ['1012', 'please: 1012 hit', 'good night']) await world.slack.edit(message, text);
  await reads(world, '1 hit', { channel: DM });
  for (const text of ['1001', '1012 or so']) await world.slack.edit(message, text);
  await reads(world, '37 hits', { channel: DM });
  await world.slack.say({ text: '1002', channel: DM });
  await reads(world, '180 checks', { channel: DM });
  expect(world.service.records.requests.map(({ id }) => id)).toEqual(['1012', '1001', '1002']);
  expect(fromBot(world, DM)).toHaveLength(4);
});
