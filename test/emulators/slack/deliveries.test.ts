import { createHmac } from 'node:crypto';
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

function expectedSignature({ headers, body }: Received): string {
  const base = `v0:${String(headers['x-slack-request-timestamp'])}:${body}`;
  return `v0=${createHmac('sha256', bareBot.slack.signingSecret).update(base).digest('hex')}`;
}

test('a command is a signed form with all the fields of Slack', async () => {
  await start();
  const delivery = await bareBot.slack.command({ text: '26808463 hit', channel: 'secret', user: 'ben' });
  const [got] = bareBot.received;
  expect(got?.headers['x-slack-signature']).toBe(got && expectedSignature(got));
  expect(got?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect(Object.fromEntries(new URLSearchParams(got?.body))).toMatchObject({
    command: '/snapshot',
    text: '26808463 hit',
    channel_id: 'C0SECRET',
    channel_name: 'privategroup',
    user_id: 'U0BEN',
    user_name: 'ben',
    response_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/commands\//),
    trigger_id: expect.any(String),
  });
  expect(delivery).toMatchObject({ acknowledged: true, status: 200 });
});

test.each(['bad', 'stale', 'none'] as const)(
  'a %s signature can be sent; its refusal is no breach',
  async (signature) => {
    await start((response, got) => {
      const stale = Date.now() / 1000 - Number(got.headers['x-slack-request-timestamp']) > 300;
      const right = got.headers['x-slack-signature'] === expectedSignature(got);
      response.writeHead(right && !stale ? 200 : 401).end();
    });
    expect(await bareBot.slack.command({ text: '1', signature })).toMatchObject({
      status: 401,
      acknowledged: false,
    });
    expect(bareBot.slack.records.breaches).toEqual([]);
  },
);

test('a command can be delivered twice, letter for letter', async () => {
  await start();
  const delivery = await bareBot.slack.command({ text: '1' });
  expect(await bareBot.slack.redeliver(delivery)).toMatchObject({ acknowledged: true, attempt: 1 });
  expect(bareBot.received[1]?.body).toBe(bareBot.received[0]?.body);
});

test('an acknowledgement with text is shown to the asker', async () => {
  await start((response) => response.end('Try /snapshot help'));
  await bareBot.slack.command({ text: '?' });
  expect(bareBot.slack.messages('support')).toMatchObject([{ text: 'Try /snapshot help', ephemeral: true }]);
  expect(bareBot.slack.messages('support', 'ben')).toEqual([]);
});

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

test('an event is not sent again when the bot says so', async () => {
  await start((response) => response.writeHead(500, { 'x-slack-no-retry': '1' }).end(), {
    retryDelaysMs: [0],
  });
  const said = await bareBot.slack.mention({ text: '1' });
  await bareBot.slack.command({ text: '1' });
  await bareBot.slack.command({ text: '2' });
  expect(said.deliveries).toHaveLength(1);
  expect(bareBot.slack.records.deliveries.map((delivery) => delivery.attempt)).toEqual([0, 0, 0]);
});

test('mentions and their edits reach the bot only where it is a member', async () => {
  await start();
  const said = await bareBot.slack.mention({ text: '1', channel: 'support' });
  expect(said.deliveries[0]?.payload).toMatchObject({
    type: 'event_callback',
    event: {
      type: 'app_mention',
      text: '<@U0SNAPSHOT> 1',
      channel: 'C0SUPPORT',
      user: 'U0ANA',
      ts: said.message.ts,
    },
  });
  const edited = await bareBot.slack.edit(said.message, '<@U0SNAPSHOT> 2');
  expect(edited.deliveries[0]?.payload.event).toMatchObject({
    ts: said.message.ts,
    edited: { user: 'U0ANA' },
  });
  expect((await bareBot.slack.mention({ text: '1', channel: 'random' })).deliveries).toEqual([]);
  expect((await bareBot.slack.say({ text: 'nothing for bots' })).deliveries).toEqual([]);
  bareBot.slack.join('random');
  expect((await bareBot.slack.mention({ text: '1', channel: 'random' })).deliveries).toHaveLength(1);
});

test('direct messages reach the bot, including its own', async () => {
  await start();
  const said = await bareBot.slack.say({ text: '26808463', channel: '@ana' });
  expect(said.deliveries[0]?.payload.event).toMatchObject({
    type: 'message',
    channel_type: 'im',
    text: '26808463',
  });
  const { ts } = await bareBot.call('chat.postMessage', { channel: said.message.channel, text: 'hello' });
  await bareBot.call('chat.update', { channel: said.message.channel, ts, text: 'hello again' });
  await bareBot.slack.waitFor(() => bareBot.received[2], 'both echoes');
  const events = bareBot.slack.records.deliveries.slice(1).map((delivery) => delivery.payload.event);
  expect(events).toMatchObject([
    { user: 'U0SNAPSHOT', bot_id: 'B0SNAPSHOT', text: 'hello' },
    { subtype: 'message_changed', message: { text: 'hello again' } },
  ]);
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

test('a wait that times out reports the messages that there are', async () => {
  await start();
  await bareBot.slack.say({ text: 'hello' });
  const waited = bareBot.slack.waitFor(() => undefined, 'a miracle', 1);
  await expect(waited).rejects.toThrow(/Waited 1 ms for a miracle[\s\S]*U0ANA: "hello"[\s\S]*breaches/);
});
