import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import type { SlackOptions } from './setup.ts';
import { type BareBot, type Received, startBareBot } from './testing/bare-bot.ts';

const NOBODY = 'http://127.0.0.1:1/slack/events';

let bareBot: BareBot;
afterEach(() => bareBot.close());

async function start(
  handler?: (response: ServerResponse, received: Received) => void,
  options: SlackOptions = {},
): Promise<void> {
  bareBot = await startBareBot(options, handler);
}

test('a late acknowledgement is a breach, and commands are not sent again', async () => {
  await start(() => undefined, { ackLimitMs: 30, retryDelaysMs: [0] });
  expect(await bareBot.slack.command({ text: '1' })).toMatchObject({ acknowledged: false, error: 'timeout' });
  expect(bareBot.slack.records.breaches).toEqual([
    expect.stringContaining('unacknowledged: command, timeout'),
  ]);
  await bareBot.slack.command({ text: '2' });
  expect(bareBot.slack.records.deliveries.map((delivery) => delivery.attempt)).toEqual([0, 0]);
});

test('an error status is no acknowledgement; a bot that does not listen is no breach', async () => {
  await start((response) => response.writeHead(500).end());
  expect(await bareBot.slack.command({ text: '1' })).toMatchObject({ acknowledged: false, error: 'refused' });
  expect(bareBot.slack.records.breaches).toHaveLength(1);
  bareBot.slack.deliverTo(NOBODY);
  expect(await bareBot.slack.command({ text: '1' })).toMatchObject({
    acknowledged: false,
    error: 'unreachable',
  });
  expect(bareBot.slack.records.breaches).toHaveLength(1);
});

test('several addresses get deliveries in turn; while one is down, the others get all', async () => {
  await start();
  const other = await startBareBot();
  const urls = [bareBot.eventsUrl, other.eventsUrl];
  bareBot.slack.deliverTo(...urls);
  for (const text of '1234') await bareBot.slack.command({ text });
  expect([bareBot.received.length, other.received.length]).toEqual([2, 2]);
  await other.close();
  for (const text of '12')
    expect(await bareBot.slack.command({ text })).toMatchObject({ acknowledged: true });
  expect(bareBot.received).toHaveLength(4);
});

test('an event that was not acknowledged is sent again, with the same id and the retry headers', async () => {
  const answers = [500, 200];
  await start((response) => response.writeHead(answers.shift() ?? 500).end(), { retryDelaysMs: [0, 0] });
  await bareBot.slack.mention({ text: '1' });
  const [first, second] = await bareBot.slack.waitFor(
    () =>
      bareBot.slack.records.deliveries.every((one) => one.ms > 0) && bareBot.received[1]
        ? bareBot.received
        : undefined,
    'the second attempt',
  );
  expect(second?.body).toBe(first?.body);
  expect(first?.headers['x-slack-retry-num']).toBeUndefined();
  expect(second?.headers).toMatchObject({ 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_error' });
  expect(bareBot.received).toHaveLength(2);
});

test('mentions and their edits reach the bot only where it is a member', async () => {
  await start();
  const said = await bareBot.slack.mention({ text: '1', channel: 'support' });
  const edited = await bareBot.slack.edit(said.message, '<@U0SNAPSHOT> 2');
  expect([said, edited].map(({ deliveries }) => deliveries.length)).toEqual([1, 1]);
  expect((await bareBot.slack.mention({ text: '1', channel: 'random' })).deliveries).toEqual([]);
  expect((await bareBot.slack.say({ text: 'nothing for bots' })).deliveries).toEqual([]);
  bareBot.slack.join('random');
  expect((await bareBot.slack.mention({ text: '1', channel: 'random' })).deliveries).toHaveLength(1);
});

test('people can only do what Slack allows', async () => {
  await start();
  const { slack } = bareBot;
  await expect(slack.command({ text: '1', user: 'guest', channel: 'partners' })).rejects.toThrow(
    'another company',
  );
  await expect(slack.command({ text: '1', user: 'guest', channel: 'secret' })).rejects.toThrow(
    'not in secret',
  );
  await expect(slack.command({ text: '1', channel: 'old-news' })).rejects.toThrow('archived');
  await expect(slack.say({ text: '1', user: 'nobody' })).rejects.toThrow('no user nobody');
  expect(bareBot.received).toEqual([]);
});
