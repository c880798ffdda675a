import { expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { DM, small, WITHOUT_BOT } from '../support/bot-messages.ts';
import { ask, finals, SUPPORT, test as sequential, shown, waits } from '../support/conversation.ts';
import { textsOf } from '../support/message-parts.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
function ended({ slack }: World, channel: string): Promise<VisibleMessage> {
  return slack.waitFor(
    () => slack.messages(channel).find(({ text }) => text.includes('1 hit')),
    `a result in ${channel}`,
  );
}

for (const [destination, channel] of Object.entries(WITHOUT_BOT)) {
  test(`In ${destination} without the bot, only the asker sees the answer for a ready snapshot`, async ({
    world,
  }) => {
    await world.slack.command({ text: '1012', channel });
    expect(await ended(world, channel)).toMatchObject({ ephemeral: true });
    expect(world.slack.messages(channel, 'ben')).toEqual([]);
  });
}

test('Where the bot is not a member, a wait is two private messages, however often the reason changes', async ({
  world,
}) => {
  world.service.shelve(
    '2001',
    small({ forMs: 1_500, reasons: ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.'] }),
  );
  await world.slack.command({ text: '2001', channel: 'C0SECRET' });
  await ended(world, 'C0SECRET');
  const messages = world.slack.messages('C0SECRET');
  expect(messages.map(({ ephemeral }) => ephemeral)).toEqual([true, true]);
  const smallPrint = textsOf(messages[0]?.blocks, 'mrkdwn').join();
  // An ephemeral message cannot be edited, so it must not announce an update.
  expect(smallPrint).toContain('I’ll post the result here');
});

test('Where the bot is a member, the waiting message announces that it will be updated', async ({
  world,
}) => {
  world.service.shelve('2001', small({ forMs: 400 }));
  await world.slack.command({ text: '2001' });
  const waiting = await shown(world, 'is still being processed');
  expect(textsOf(waiting.blocks, 'mrkdwn').join()).toContain('I’ll update this message');
  await ended(world, SUPPORT);
});

test('When the response URL is used up, the answer comes as a direct message', async ({ world }) => {
  world.service.shelve('2001', small({ forMs: 400 }));
  await world.slack.command({ text: '2001', channel: 'C0SECRET' });
  await world.slack.waitFor(() => world.slack.messages('C0SECRET')[0], 'the wait');
  world.slack.failNext('response_url', { status: 404 });
  expect((await ended(world, DM)).ephemeral).toBeUndefined();
  expect(world.slack.messages('C0SECRET')).toHaveLength(1);
});

test('When the channel is archived during the wait, the asker gets the answer as a direct message', async ({
  world,
}) => {
  world.service.shelve('2001', small({ forMs: 500 }));
  await world.slack.command({ text: '2001' });
  await shown(world, 'is still being processed');
  world.slack.archive(SUPPORT);
  expect((await ended(world, DM)).text).toContain('Snapshot 2001');
});

test('A bot that is taken out of the channel during the wait answers privately', async ({ world }) => {
  world.service.shelve('2001', small({ forMs: 500 }));
  await world.slack.command({ text: '2001', channel: 'C0WARROOM' });
  await world.slack.waitFor(() => waits(world, 'C0WARROOM')[0], 'the wait');
  world.slack.leave('C0WARROOM');
  expect(await ended(world, 'C0WARROOM')).toMatchObject({ ephemeral: true });
});

test('A message that was deleted during the wait is followed by a new one', async ({ world }) => {
  world.service.shelve('2001', small({ forMs: 500 }));
  await world.slack.command({ text: '2001' });
  const waiting = await shown(world, 'is still being processed');
  world.slack.remove(waiting);
  const result = await ended(world, SUPPORT);
  expect(result.ts).not.toBe(waiting.ts);
  expect(world.slack.messages(SUPPORT)).toHaveLength(1);
});

test('"Try again" on a private message asks again in the same message', async ({ world }) => {
  world.service.shelve('2001', { title: 'Gone', purpose: 'Not there yet.', status: 404 });
  await world.slack.command({ text: '2001', channel: 'C0SECRET' });
  const unknown = await world.slack.waitFor(() => finals(world, 'C0SECRET')[0], 'the fault');
  world.service.shelve('2001', small({ forMs: 0 }));
  await world.slack.click({ message: unknown, actionId: 'ask-again' });
  expect(await ended(world, 'C0SECRET')).toMatchObject({ ts: unknown.ts, ephemeral: true });
});

for (const [what, method] of [
  ['A new message', 'chat.postMessage'],
  ['An edit', 'chat.update'],
] as const) {
  test(`${what} whose blocks Slack refuses is sent as text alone, and logged`, async ({ world }) => {
    if (method === 'chat.update') world.service.shelve('2001', small({ forMs: 400 }));
    world.slack.failNext(method, { error: 'invalid_blocks' });
    const message = await ask(world, method === 'chat.update' ? '2001' : '1012');
    expect(message.text).toContain('1 hit — 1 medium');
    expect(message.blocks).toEqual([]);
    expect(world.log.join('')).toContain('Slack refused the blocks of a message');
  });
}
