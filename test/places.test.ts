import { expect } from 'vitest';
import { ask, finals, SUPPORT, test as sequential, shown, waits } from './harness/conversation.ts';
import { textsOf } from './harness/message-parts.ts';
import type { Workplace } from './harness/workplace.ts';
import { demoShelf } from './stand-ins/diagnostics-service/shelf.ts';
import type { Processing } from './stand-ins/diagnostics-service/types.ts';
import type { VisibleMessage } from './stand-ins/slack/model.ts';

const test = sequential.concurrent;
const DM = 'D0ANABOT';
/** Nobody invited the bot there. */
const WITHOUT_BOT = {
  'a public channel': 'C0RANDOM',
  'a private channel': 'C0SECRET',
  "two people's DM": 'D0ANABEN',
};

function shelveSlow({ service }: Workplace, processing: Processing): void {
  const entry = demoShelf()[1012];
  service.shelve('2001', { title: 'Slow', purpose: 'Ready in a moment.', ...entry, processing });
}

function ended({ slack }: Workplace, channel: string): Promise<VisibleMessage> {
  return slack.waitFor(
    () => slack.messages(channel).find(({ text }) => text.includes('1 hit')),
    `a result in ${channel}`,
  );
}

for (const [place, channel] of Object.entries(WITHOUT_BOT)) {
  test(`In ${place} without the bot, a ready snapshot is answered to the asker alone`, async ({ open }) => {
    const workplace = await open();
    await workplace.slack.command({ text: '1012', channel });
    expect(await ended(workplace, channel)).toMatchObject({ ephemeral: true });
    expect(workplace.slack.messages(channel, 'ben')).toEqual([]);
  });
}

test('Where the bot is not, a wait is two private messages, however often the reason changes', async ({
  open,
}) => {
  const workplace = await open();
  shelveSlow(workplace, { forMs: 1_500, reasons: ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.'] });
  await workplace.slack.command({ text: '2001', channel: 'C0SECRET' });
  await ended(workplace, 'C0SECRET');
  const messages = workplace.slack.messages('C0SECRET');
  expect(messages.map(({ ephemeral }) => ephemeral)).toEqual([true, true]);
  const smallPrint = textsOf(messages[0]?.blocks, 'mrkdwn').join();
  // Nothing can edit it, so it must not say that it will change.
  expect(smallPrint).toContain('the result will follow');
});

test('Where the bot is and the message will change, it says so', async ({ open }) => {
  const workplace = await open();
  shelveSlow(workplace, { forMs: 400 });
  await workplace.slack.command({ text: '2001' });
  const waiting = await shown(workplace, 'is still being processed');
  expect(textsOf(waiting.blocks, 'mrkdwn').join()).toContain('the result will replace this message');
  await ended(workplace, SUPPORT);
});

test('Where the response URL is spent, the answer comes as a direct message', async ({ open }) => {
  const workplace = await open();
  shelveSlow(workplace, { forMs: 400 });
  await workplace.slack.command({ text: '2001', channel: 'C0SECRET' });
  await workplace.slack.waitFor(() => workplace.slack.messages('C0SECRET')[0], 'the wait');
  workplace.slack.failNext('response_url', { status: 404 });
  expect((await ended(workplace, DM)).ephemeral).toBeUndefined();
  expect(workplace.slack.messages('C0SECRET')).toHaveLength(1);
});

test('A channel that is archived during the wait does not swallow the answer', async ({ open }) => {
  const workplace = await open();
  shelveSlow(workplace, { forMs: 500 });
  await workplace.slack.command({ text: '2001' });
  await shown(workplace, 'is still being processed');
  workplace.slack.archive(SUPPORT);
  expect(await ended(workplace, SUPPORT)).toMatchObject({ ephemeral: true });
});

test('A bot that is taken out of the channel during the wait answers privately', async ({ open }) => {
  const workplace = await open();
  shelveSlow(workplace, { forMs: 500 });
  await workplace.slack.command({ text: '2001', channel: 'C0WARROOM' });
  await workplace.slack.waitFor(() => waits(workplace, 'C0WARROOM')[0], 'the wait');
  workplace.slack.leave('C0WARROOM');
  expect(await ended(workplace, 'C0WARROOM')).toMatchObject({ ephemeral: true });
});

test('A message that was deleted during the wait is followed by a new one', async ({ open }) => {
  const workplace = await open();
  shelveSlow(workplace, { forMs: 500 });
  await workplace.slack.command({ text: '2001' });
  const waiting = await shown(workplace, 'is still being processed');
  workplace.slack.remove(waiting);
  const result = await ended(workplace, SUPPORT);
  expect(result.ts).not.toBe(waiting.ts);
  expect(workplace.slack.messages(SUPPORT)).toHaveLength(1);
});

test('"Try again" on a private message asks again in the same message', async ({ open }) => {
  const workplace = await open();
  workplace.service.shelve('2001', { title: 'Gone', purpose: 'Not there yet.', status: 404 });
  await workplace.slack.command({ text: '2001', channel: 'C0SECRET' });
  const unknown = await workplace.slack.waitFor(() => finals(workplace, 'C0SECRET')[0], 'the fault');
  shelveSlow(workplace, { forMs: 0 });
  await workplace.slack.click({ message: unknown, actionId: 'ask-again' });
  expect(await ended(workplace, 'C0SECRET')).toMatchObject({ ts: unknown.ts, ephemeral: true });
});

for (const [what, method] of [
  ['A new message', 'chat.postMessage'],
  ['An edit', 'chat.update'],
] as const) {
  test(`${what} whose blocks Slack refuses is sent as text alone, and logged`, async ({ open }) => {
    const workplace = await open();
    if (method === 'chat.update') shelveSlow(workplace, { forMs: 400 });
    workplace.slack.failNext(method, { error: 'invalid_blocks' });
    const message = await ask(workplace, method === 'chat.update' ? '2001' : '1012');
    expect(message.text).toContain('1 hit — 1 medium');
    expect(message.blocks).toEqual([]);
    expect(workplace.log.join('')).toContain('Slack refused the blocks of a message');
  });
}
