import { App, HTTPReceiver, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { afterEach, describe, expect, test } from 'vitest';
import type { SlackOptions } from './setup.ts';
import { startSlack } from './slack.ts';
import type { Slack } from './slack-interface.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function slackWith(options: SlackOptions = {}): Promise<Slack> {
  const slack = await startSlack(options);
  closing.push(() => slack.close());
  return slack;
}

function clientOptions(slack: Slack) {
  return { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } };
}

async function boltOverHttp(slack: Slack): Promise<App> {
  const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, logLevel: LogLevel.ERROR });
  const app = new App({
    token: slack.botToken,
    receiver,
    convoStore: false,
    logLevel: LogLevel.ERROR,
    clientOptions: clientOptions(slack),
  });
  const server = await receiver.start(0);
  closing.push(() => receiver.stop());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  slack.deliverTo(`http://127.0.0.1:${address.port}/slack/events`);
  return app;
}

async function boltOverSocket(slack: Slack): Promise<App> {
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logLevel: LogLevel.ERROR,
    clientPingTimeout: 100,
    installerOptions: { clientOptions: clientOptions(slack) },
  });
  const app = new App({
    token: slack.botToken,
    receiver,
    convoStore: false,
    logLevel: LogLevel.ERROR,
    clientOptions: clientOptions(slack),
  });
  await receiver.start();
  closing.push(() => receiver.stop());
  return app;
}

const transports = { http: boltOverHttp, socket: boltOverSocket } as const;

describe.each(['http', 'socket'] as const)('a real Bolt app over %s', (mode) => {
  test('takes a command, posts a message and edits it', async () => {
    const slack = await slackWith({ mode });
    const app = await transports[mode](slack);
    app.command('/snapshot', async ({ ack, command, client }) => {
      await ack();
      const { ts } = await client.chat.postMessage({ channel: command.channel_id, text: 'working' });
      await client.chat.update({ channel: command.channel_id, ts: ts ?? '', text: `done: ${command.text}` });
    });
    const delivery = await slack.command({ text: '26808463 hit' });
    expect(delivery).toMatchObject({ acknowledged: true, status: 200, body: '' });
    const edited = await slack.waitFor(() => slack.messages('#support').find((m) => m.edited), 'the edit');
    expect(edited).toMatchObject({ text: 'done: 26808463 hit', history: [{ text: 'working' }] });
    expect(slack.records.breaches).toEqual([]);
  });

  test('takes the click of a button and replaces an ephemeral message', async () => {
    const slack = await slackWith({ mode });
    const app = await transports[mode](slack);
    const text = { type: 'plain_text', text: 'More' } as const;
    app.command('/snapshot', async ({ ack, respond }) => {
      await ack();
      const elements = [{ type: 'button', text, action_id: 'more', value: '7' } as const];
      await respond({ text: 'a page', blocks: [{ type: 'actions', elements }] });
    });
    app.action('more', async ({ ack, respond, action }) => {
      await ack();
      await respond({ text: `page ${'value' in action ? action.value : ''}`, replace_original: true });
    });
    await slack.command({ text: '1', channel: 'secret' });
    const message = await slack.waitFor(() => slack.messages('secret')[0], 'the answer');
    expect(message.ephemeral).toBe(true);
    expect(slack.messages('secret', 'ben')).toEqual([]);
    const delivery = await slack.click({ message, actionId: 'more' });
    expect(delivery.payload).toMatchObject({
      container: { is_ephemeral: true, message_ts: message.ts },
      actions: [{ action_id: 'more', value: '7', type: 'button' }],
    });
    await slack.waitFor(() => slack.messages('secret').find((m) => m.text === 'page 7'), 'the next page');
    expect(slack.messages('secret')).toHaveLength(1);
    expect(slack.records.breaches).toEqual([]);
  });
});

test('a Bolt app in Socket Mode comes back after a refresh', async () => {
  const slack = await slackWith({ mode: 'socket' });
  const app = await boltOverSocket(slack);
  app.command('/snapshot', async ({ ack }) => ack());
  slack.disconnectSockets('refresh_requested');
  await slack.waitFor(() => slack.sockets === 0 || undefined, 'the end of the socket');
  expect(await slack.command({ text: '1' })).toMatchObject({ acknowledged: false, error: 'no_socket' });
  await slack.waitFor(() => slack.sockets === 1 || undefined, 'the next socket');
  expect(await slack.command({ text: '1' })).toMatchObject({ acknowledged: true });
});

test('a Bolt app opens a modal from a shortcut and answers its submission', async () => {
  const slack = await slackWith();
  const app = await boltOverHttp(slack);
  const text = (words: string) => ({ type: 'plain_text', text: words }) as const;
  app.shortcut('diagnose', async ({ ack, shortcut, client }) => {
    await ack();
    const element = { type: 'plain_text_input', action_id: 'text' } as const;
    const blocks = [{ type: 'input', block_id: 'id', label: text('Id'), element } as const];
    const view = {
      type: 'modal',
      callback_id: 'ask',
      title: text('Diagnose'),
      submit: text('Go'),
      blocks,
    } as const;
    await client.views.open({ trigger_id: shortcut.trigger_id, view });
  });
  app.view('ask', async ({ ack, view }) => {
    const typed = view.state.values.id?.text?.value ?? '';
    await ack(typed === '7' ? undefined : { response_action: 'errors', errors: { id: `${typed} is no id` } });
  });
  await slack.shortcut({ callbackId: 'diagnose' });
  const view = await slack.waitFor(() => slack.modals()[0], 'the modal');
  await slack.submit({ view, values: { text: 'x' } });
  expect(slack.modals()[0]?.errors).toEqual({ id: 'x is no id' });
  await slack.submit({ view, values: { text: '7' } });
  expect(slack.modals()).toEqual([]);
  expect(slack.records.breaches).toEqual([]);
});

test('a Bolt app answers a mention in its thread', async () => {
  const slack = await slackWith();
  const app = await boltOverHttp(slack);
  app.event('app_mention', async ({ event, client }) => {
    await client.chat.postMessage({
      channel: event.channel,
      thread_ts: event.ts,
      text: `hello <@${event.user}>`,
    });
  });
  const { message } = await slack.mention({ text: '26808463' });
  const answer = await slack.waitFor(() => slack.messages('support')[1], 'the answer');
  expect(answer).toMatchObject({ text: 'hello <@U0ANA>', threadTs: message.ts });
  expect(slack.records.breaches).toEqual([]);
});

test('a Bolt app refuses a delivery with a wrong signature', async () => {
  const slack = await slackWith();
  await boltOverHttp(slack);
  for (const signature of ['bad', 'stale', 'none'] as const) {
    expect(await slack.command({ text: '1', signature })).toMatchObject({ acknowledged: false, status: 401 });
  }
});
