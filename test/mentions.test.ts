import { expect } from 'vitest';
import { ask, SUPPORT, test as sequential } from './harness/conversation.ts';
import { textsOf } from './harness/message-parts.ts';
import { BOT, fromBot, MODES, reads, settled, small, writes } from './harness/places.ts';

const test = sequential.concurrent;
/** An answer that takes longer on a busy machine shall not look like another piece of news. */
const PATIENT = { patienceMs: 10_000 };

for (const mode of MODES) {
  test(`A mention in a channel is answered in its thread, with the whole grammar, over ${mode}`, async ({
    open,
  }) => {
    const workplace = await open({ mode, timing: PATIENT });
    const { message, deliveries } = await workplace.slack.mention({ text: 'HIT 1001' });
    expect(deliveries[0]).toMatchObject({ acknowledged: true });
    const answer = await reads(workplace, '37 hits in 247 checks');
    expect(answer.threadTs).toBe(message.ts);
    expect(answer.ephemeral).toBeUndefined();
    expect(workplace.service.records.requests.map(({ set }) => set)).toEqual(['hit']);
    expect(writes(workplace)).toEqual(['chat.postMessage']);
  });

  test(`A mention in a thread is answered there, its wait and its edits too, over ${mode}`, async ({
    open,
  }) => {
    const workplace = await open({ mode, timing: PATIENT });
    workplace.service.shelve('2001', small({ forMs: 400, reasons: ['Unpacking.'] }));
    const { message: parent } = await workplace.slack.say({ text: 'edge-7 is down' });
    const threadTs = parent.ts;
    await workplace.slack.mention({ text: '2001', threadTs, user: 'ben' });
    const answer = await reads(workplace, '1 hit');
    expect(answer.threadTs).toBe(parent.ts);
    expect(answer.history.map(({ text }) => text)).toEqual([expect.stringContaining('Unpacking.')]);
    expect(textsOf(answer.blocks, 'mrkdwn').join()).toContain('asked by <@U0BEN>');
    expect(fromBot(workplace)).toHaveLength(1);
  });

  test(`A mention that Slack delivers twice is one request over ${mode}, and an edit of it is none`, async ({
    open,
  }) => {
    const workplace = await open({ mode, timing: PATIENT });
    const { message, deliveries } = await workplace.slack.mention({ text: '1012' });
    const [delivery] = deliveries;
    if (delivery === undefined) throw new Error('no delivery');
    expect(await workplace.slack.redeliver(delivery)).toMatchObject({ acknowledged: true });
    await reads(workplace, '1 hit');
    const edited = await workplace.slack.edit(message, `<@${BOT}> 1001 please`);
    expect(edited.deliveries[0]).toMatchObject({ acknowledged: true });
    await workplace.slack.edit(message, `<@${BOT}> 1011`);
    await ask(workplace, '1002');
    expect(fromBot(workplace).map(({ threadTs }) => threadTs)).toEqual([message.ts, undefined]);
    expect(workplace.service.records.requests.map(({ id }) => id)).toEqual(['1012', '1002']);
  });
}

test.for([
  'thanks, that helped!',
  'is great, isn’t it?',
  'and I had lunch',
  'see you at 10:30, I need some help with my desk',
  'can you help all of us?',
])('A mention that only speaks of the bot stays unanswered: %s', async (text, { open }) => {
  const workplace = await open({ timing: PATIENT });
  const { deliveries } = await workplace.slack.mention({ text });
  expect(deliveries[0]).toMatchObject({ acknowledged: true });
  await workplace.slack.say({ text: `I asked <@${BOT}> about it yesterday` });
  await ask(workplace, '1012');
  expect(writes(workplace)).toEqual(['chat.postMessage']);
});

test.for([
  ['', 'Shows what the analysis'],
  ['help', 'Shows what the analysis'],
  ['hit', 'The snapshot id is missing.'],
  ['check 10012345 please', '“check” is not a snapshot id.'],
  ['268O8463', '“268O8463” is not a snapshot id.'],
  ['could somebody look at 10012345? It is urgent', 'is not a snapshot id.'],
  ['1001 hit miss', 'One of hit and miss'],
] as const)(
  'A mention that is nearly a request gets help, for its author alone: “%s”',
  async ([text, help], { open }) => {
    const workplace = await open({ timing: PATIENT });
    const { deliveries } = await workplace.slack.mention({ text, user: 'ben' });
    const hint = await reads(workplace, help.replaceAll('?', '\\?'), { viewer: 'ben' });
    expect(hint).toMatchObject({ ephemeral: true });
    expect(JSON.stringify(hint.blocks)).toContain('@Snapshot 26808463 hit');
    expect(fromBot(workplace)).toEqual([]);
    const [delivery] = deliveries;
    if (delivery === undefined) throw new Error('no delivery');
    await workplace.slack.redeliver(delivery);
    await ask(workplace, '1012');
    expect(writes(workplace)).toEqual(['chat.postEphemeral', 'chat.postMessage']);
  },
);

test('In a thread the help appears in the thread', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  const { message: parent } = await workplace.slack.say({ text: 'edge-7 is down' });
  await workplace.slack.mention({ text: 'hit', threadTs: parent.ts });
  expect(await reads(workplace, 'id is missing')).toMatchObject({ ephemeral: true, threadTs: parent.ts });
});

test('A mention that was no request becomes one by an edit, once', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  const { message } = await workplace.slack.mention({ text: '10l2' });
  await reads(workplace, 'is not a snapshot id');
  await workplace.slack.edit(message, `<@${BOT}> 1012`);
  expect((await reads(workplace, '1 hit')).threadTs).toBe(message.ts);
  await workplace.slack.edit(message, `<@${BOT}> 1012 hit`);
  await ask(workplace, '1002');
  expect(workplace.service.records.requests.map(({ id }) => id)).toEqual(['1012', '1002']);
});

test('The mention may stand anywhere in the message', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  await workplace.slack.say({ text: `1012 hit <@${BOT}|snapshot>` });
  await reads(workplace, '1 hit');
});

test('Who asks again in the same thread is pointed to the message that waits', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  workplace.service.shelve('2001', small({ forMs: 'forever' }));
  const { message: parent } = await workplace.slack.say({ text: 'edge-7 is down' });
  const threadTs = parent.ts;
  await workplace.slack.mention({ text: '2001', threadTs });
  await reads(workplace, 'is still being processed');
  await settled(workplace);
  await workplace.slack.mention({ text: '2001', threadTs, user: 'ben' });
  const pointer = await reads(workplace, 'already being waited for', { viewer: 'ben' });
  expect(pointer).toMatchObject({ ephemeral: true, threadTs });
  // Another thread is another place.
  await workplace.slack.mention({ text: '2001' });
  await workplace.slack.waitFor(() => fromBot(workplace)[1], 'a second wait');
});

test('A mention that was acknowledged just before a stop is answered after the start', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  workplace.service.switches.latencyMs = 200;
  const { message, deliveries } = await workplace.slack.mention({ text: '1012' });
  expect(deliveries[0]).toMatchObject({ acknowledged: true });
  await workplace.restart();
  expect((await reads(workplace, '1 hit')).threadTs).toBe(message.ts);
});

test('A mention in a channel that the bot then leaves is answered in a direct message', async ({ open }) => {
  const workplace = await open({ timing: PATIENT });
  workplace.service.shelve('2001', small({ forMs: 400 }));
  await workplace.slack.mention({ text: '2001' });
  await reads(workplace, 'is still being processed');
  workplace.slack.leave(SUPPORT);
  await reads(workplace, '1 hit', { channel: 'D0ANABOT' });
});
