import { Agent } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { boltLogger, createLogger } from '../../../../src/ops/logging.ts';
import { NotADelivery } from '../../../../src/slack/front/delivery.ts';
import { createSlackApp, type SlackApp } from '../../../../src/slack/front/slack-app.ts';
import type { Slack } from '../../../emulators/slack/slack.ts';
import { startSlack } from '../../../emulators/slack/slack.ts';

const log: string[] = [];
const dispatcher = new Agent();
let slack: Slack;
let connection: SlackApp;

beforeEach(async () => {
  log.length = 0;
  slack = await startSlack({ mode: 'socket' });
  connection = createSlackApp({
    slack: {
      ...{ botToken: slack.botToken, apiUrl: slack.apiUrl },
      transport: { kind: 'socket', appToken: slack.appToken },
    },
    ...{ port: 3_000, shutdownDelayMs: 0, routes: [], dispatcher },
    logger: boltLogger(createLogger('warn', [], { write: (line) => log.push(line) })),
    onAnswer() {},
  });
});
afterEach(async () => {
  await connection.stop();
  await slack.close();
});

test('Two connections are opened; it listens as long as one of them is open, and not after a stop', async () => {
  expect([connection.isListening(), connection.port()]).toEqual([false, 3_000]);
  await connection.start();
  await slack.waitFor(() => (slack.sockets === 2 ? true : undefined), 'two connections');
  expect(connection.isListening()).toBe(true);
  await connection.stop();
  await expect.poll(() => [connection.isListening(), slack.sockets]).toEqual([false, 0]);
});

test('A delivery on either connection is heard, and acknowledged by who hears it', async () => {
  const heard: unknown[] = [];
  connection.app.command('/snapshot', async ({ command, ack }) => {
    heard.push(command.text);
    await ack();
  });
  await connection.start();
  await slack.waitFor(() => (slack.sockets === 2 ? true : undefined), 'two connections');
  const texts = ['1', '2', '3', '4'];
  for (const text of texts) expect((await slack.command({ text })).acknowledged).toBe(true);
  expect(heard).toEqual(texts);
  expect(log).toEqual([]);
});

test('While one of two connections is open, it listens', async () => {
  const starting = connection.start().catch((error: unknown) => error);
  await slack.waitFor(() => (slack.sockets === 1 ? true : undefined), 'the first connection');
  slack.failNext('apps.connections.open', { error: 'invalid_auth' });
  expect(await starting).toMatchObject({ setting: 'SLACK_APP_TOKEN', code: 'invalid_auth' });
  expect([slack.sockets, connection.isListening()]).toEqual([1, true]);
});

test('What Slack cannot have sent is acknowledged, or it would come again', async () => {
  connection.app.processEvent = () => Promise.reject(new NotADelivery());
  await connection.start();
  await slack.sendRaw(JSON.stringify({ type: 'interactive', envelope_id: 'an-odd-one', payload: {} }));
  // The emulator knows only the envelopes of its own deliveries.
  await expect.poll(() => slack.records.breaches).toEqual([expect.stringContaining('an-odd-one')]);
  expect(log).toEqual([expect.stringContaining('cannot have sent')]);
});
