import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webApi } from '@slack/bolt';
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { boltLogger, createLogger } from '../../../../src/ops/logging.ts';
import { isOfSlack, isRefused, meaningOf } from '../../../../src/slack/delivery/slack-errors.ts';
import { createSlackApp } from '../../../../src/slack/front/slack-app.ts';

/** The client for messages, before a Slack that answers so: the error of one post, and what is logged. */
async function posting(answer: (response: ServerResponse) => void) {
  let calls = 0;
  const lines: string[] = [];
  const sent: string[] = [];
  const server = createServer((request, response) => {
    calls += 1;
    request.on('data', (bytes) => sent.push(String(bytes))).once('end', () => answer(response));
  });
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.destroy());
  const { messages } = createSlackApp({
    slack: {
      ...{ botToken: 'xoxb-test', apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/` },
      transport: { kind: 'http', signingSecret: 'secret' },
    },
    ...{ port: 0, shutdownDelayMs: 0, routes: [], dispatcher, onAnswer: () => {} },
    logger: boltLogger(createLogger('warn', [], { write: (line) => lines.push(line) })),
  });
  const error: unknown = await messages
    .apiCall('chat.postMessage', { channel: 'C1', text: 'ä & b', thread_ts: undefined, metadata: null })
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  return { error, calls, lines, sent };
}

const ending =
  (status: number, body = '', headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body);

test('What is left out of a call is not sent as a word', async () => {
  const { sent } = await posting(ending(200, '{"ok":true}'));
  expect(Object.fromEntries(new URLSearchParams(sent.join('')))).toEqual({ channel: 'C1', text: 'ä & b' });
});

test('A limit is told at once, with its seconds', async () => {
  const { error, calls } = await posting(ending(429, '', { 'retry-after': '7' }));
  expect(error).toBeInstanceOf(webApi.WebAPIRateLimitedError);
  expect([error, calls]).toMatchObject([{ retryAfter: 7 }, 1]);
});

test('A refusal is told by its code', async () => {
  const { error } = await posting(ending(200, '{"ok":false,"error":"not_in_channel"}'));
  expect([isRefused(error), error]).toMatchObject([true, { data: { error: 'not_in_channel' } }]);
});

test('What Slack complains of beside its answer is logged', async () => {
  const complaint = '[ERROR] must be more than 0 characters [json-pointer:/blocks/0/text]';
  const body = { ok: false, error: 'invalid_blocks', response_metadata: { messages: [complaint] } };
  const { lines } = await posting(ending(200, JSON.stringify(body)));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', msg: complaint }]);
});

test.each([
  ['is no JSON', ending(200, '<html>')],
  ['is no whole JSON', ending(200, '{"ok":')],
  ['refuses without a word', ending(200, '{"ok":false}')],
  [
    'ends too early',
    (response: ServerResponse) => void response.writeHead(200, { 'content-length': 99 }).write('{"ok":'),
  ],
  ['limits calls without an end', ending(429, '{}')],
  ['is a failure', ending(503, '{}')],
])(
  'An answer that %s is a failure of Slack, of which nobody knows what became of the message',
  async (what, answer) => {
    const { error, calls } = await posting((response) => {
      answer(response);
      if (what === 'ends too early') setImmediate(() => response.destroy());
    });
    expect([isOfSlack(error), isRefused(error), meaningOf(error), calls]).toEqual([true, false, 'unsure', 1]);
  },
);
