import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { boltLogger, createLogger } from '../../../../src/ops/logging.ts';
import { createSlackApp } from '../../../../src/slack/front/slack-app.ts';

/** The connection to a Slack that answers so; nothing is started. */
async function connected(answer: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url}`);
    answer(request, response);
  });
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.destroy());
  const answers: (number | 'none' | 'refused')[] = [];
  const { app, messages, checkHost, tokenProblem } = createSlackApp({
    slack: {
      ...{ botToken: 'xoxb-test', apiUrl: `http://127.0.0.1:${port}/api/` },
      transport: { kind: 'http', signingSecret: 'secret' },
    },
    ...{ port: 0, shutdownDelayMs: 0, routes: [], dispatcher },
    logger: boltLogger(createLogger('silent', [], { write: () => {} })),
    onAnswer: (status) => answers.push(status),
  });
  return { app, messages, checkHost, tokenProblem, asked, answers, server };
}

const fine: RequestListener = (_request, response) => response.end('{"ok":true}');

test('Each answer of Slack is counted by its status', async () => {
  let status = 200;
  const { messages, answers } = await connected((_request, response) => {
    response.writeHead(status).end('{"ok":true}');
    status = 404;
  });
  await messages.auth.test();
  await messages.auth.test().catch(() => {});
  expect(answers).toEqual([200, 404]);
});

test('The bot’s token is what Slack said of it last: no failure of Slack tells anything of it, and no refusal of another token', async () => {
  const said: [status: number, body: string][] = [
    [200, '{"ok":false,"error":"invalid_auth"}'],
    [200, '{"ok":false,"error":"token_revoked"}'],
    [500, '{"ok":true}'],
    [200, '{"ok":true}'],
  ];
  const { messages, answers, tokenProblem } = await connected((_request, response) => {
    const [status, body] = said.shift() ?? [200, ''];
    response.writeHead(status).end(body);
  });
  const problems: unknown[] = [];
  for (const method of ['apps.connections.open', 'auth.test', 'auth.test', 'auth.test']) {
    await messages.apiCall(method).catch(() => {});
    problems.push(tokenProblem());
  }
  const refused = 'Slack refuses SLACK_BOT_TOKEN (token_revoked)';
  expect(problems).toEqual([undefined, refused, refused, undefined]);
  expect(answers).toEqual([200, 'refused', 500, 200]);
});

test('A call that gets no answer is counted as none', async () => {
  const { messages, answers, server } = await connected(fine);
  server.close();
  server.closeAllConnections();
  await messages.auth.test().catch(() => {});
  expect(new Set(answers)).toEqual(new Set(['none']));
});

test('The token is sent to Slack’s own address only, whatever address a caller names', async () => {
  const { app, messages, asked, checkHost } = await connected(fine);
  for (const client of [app.client, messages])
    await client.apiCall('https://evil.example/api/x').catch(() => {});
  // An absolute address is taken for the name of a method.
  expect(asked.every((path) => path.startsWith('/api/'))).toBe(true);
  expect(() => checkHost('https://evil.example/x')).toThrow('not Slack’s');
});

test('Nothing is sent to the address that a payload names, unless it is Slack’s', async () => {
  const { app } = await connected((_request, response) =>
    response.end('{"ok":true,"user_id":"U1","bot_id":"B1"}'),
  );
  const sent = Promise.withResolvers<unknown>();
  app.action('details', ({ respond }) => respond('hello').then(sent.resolve, sent.reject));
  await app.init();
  const body = {
    ...{
      type: 'block_actions',
      user: { id: 'U1' },
      team: { id: 'T1' },
      channel: { id: 'C1' },
      trigger_id: 't',
    },
    ...{ container: { type: 'message' }, response_url: 'https://evil.example/x' },
    actions: [{ type: 'button', action_id: 'details', block_id: 'b' }],
  };
  await Promise.allSettled([app.processEvent({ body, ack: async () => {} })]);
  await expect(sent.promise).rejects.toThrow(/not Slack’s/);
});

test('A call whose connection breaks is tried four times, with growing pauses', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { app, asked } = await connected((request) => request.socket.destroy());
  let isOver = false;
  const over = app.client.auth.test().catch(() => {
    isOver = true;
  });
  const begins: number[] = [];
  for (let ms = 0; !isOver && ms < 60_000; ms += 100) {
    await vi.advanceTimersByTimeAsync(100);
    for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);
    if (asked.length > begins.length) begins.push(ms);
  }
  await over;
  expect(asked).toHaveLength(4);
  expect(begins.at(-1)).toBeGreaterThan(3_000);
});

test('A call may take ten seconds: without a limit, Slack’s client would wait for ever', async () => {
  const limits = vi.spyOn(AbortSignal, 'timeout');
  onTestFinished(() => limits.mockRestore());
  const { app, messages } = await connected(fine);
  await app.client.auth.test();
  await messages.auth.test();
  expect(limits.mock.calls).toEqual([[10_000], [10_000]]);
});
