import { expect } from 'vitest';
import { test as sequential } from './harness/conversation.ts';
import { BOT, DM, fromBot, MODES, reads, settled, small, writes } from './harness/places.ts';

const test = sequential.concurrent;
const PATIENT = { patienceMs: 10_000 };

for (const mode of MODES) {
  test(`An id sent to the bot is answered there, over ${mode}, and it does not talk to itself`, async ({
    open,
  }) => {
    const workplace = await open({ mode, timing: PATIENT });
    workplace.service.shelve('2001', small({ forMs: 400 }));
    const { deliveries } = await workplace.slack.say({ text: '2001 hit', channel: DM });
    expect(deliveries[0]).toMatchObject({ acknowledged: true });
    const answer = await reads(workplace, '1 hit', { channel: DM });
    expect(answer.history).toHaveLength(1);
    expect(answer.threadTs).toBeUndefined();
    // Slack tells the bot of what it wrote itself, and of the edit.
    const { deliveries: heard } = workplace.slack.records;
    await workplace.slack.waitFor(() => heard.filter(({ acknowledged }) => acknowledged)[2], 'both echoes');
    await workplace.slack.say({ text: '1002', channel: DM });
    await reads(workplace, '180 checks', { channel: DM });
    expect(fromBot(workplace, DM)).toHaveLength(2);
    expect(writes(workplace)).toEqual(['chat.postMessage', 'chat.update', 'chat.postMessage']);
  });

  test(`A direct message that Slack delivers twice is one request over ${mode}`, async ({ open }) => {
    const workplace = await open({ mode, timing: PATIENT });
    const { deliveries } = await workplace.slack.say({ text: '1012', channel: DM });
    const [delivery] = deliveries;
    if (delivery === undefined) throw new Error('no delivery');
    expect(await workplace.slack.redeliver(delivery)).toMatchObject({ acknowledged: true });
    await reads(workplace, '1 hit', { channel: DM });
    await workplace.slack.say({ text: '1002', channel: DM });
    await reads(workplace, '180 checks', { channel: DM });
    expect(fromBot(workplace, DM)).toHaveLength(2);
    expect(workplace.service.records.requests).toHaveLength(2);
  });
}

test('Whatever else is sent to the bot is answered with how it is used', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  await workplace.slack.say({ text: 'good morning', channel: DM });
  const help = await reads(workplace, '“good” is not a snapshot id', { channel: DM });
  expect(help.text).toContain('Usage: /snapshot 26808463');
  expect(workplace.service.records.requests).toEqual([]);
});

test('In a thread of the direct messages the answer stays there; a mention of the bot does no harm', async ({
  open,
}) => {
  const workplace = await open({ timing: PATIENT });
  const { message } = await workplace.slack.say({ text: 'help', channel: DM });
  await workplace.slack.say({ text: `<@${BOT}> 1012`, channel: DM, threadTs: message.ts });
  expect(await reads(workplace, '1 hit', { channel: DM })).toMatchObject({ threadTs: message.ts });
});

test('An edit of a direct message asks nothing anew', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  const { message } = await workplace.slack.say({ text: '1012', channel: DM });
  await reads(workplace, '1 hit', { channel: DM });
  await workplace.slack.edit(message, '1001');
  await workplace.slack.say({ text: '1002', channel: DM });
  await reads(workplace, '180 checks', { channel: DM });
  expect(workplace.service.records.requests.map(({ id }) => id)).toEqual(['1012', '1002']);
});

test('Who asks again for what is awaited in the direct messages is pointed to it', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  workplace.service.shelve('2001', small({ forMs: 'forever' }));
  await workplace.slack.say({ text: '2001', channel: DM });
  await reads(workplace, 'is still being processed', { channel: DM });
  await settled(workplace);
  await workplace.slack.say({ text: '2001', channel: DM });
  await reads(workplace, 'already being waited for', { channel: DM });
});
