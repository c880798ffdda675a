import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { HTTPReceiver } from '@slack/bolt';
import { MockAgent } from 'undici';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { boltLogger, createLogger } from '../../../../src/ops/logging.ts';
import { readDelivery } from '../../../../src/slack/front/read-delivery.ts';
import { createSlackApp, type SlackApp } from '../../../../src/slack/front/slack-app.ts';
import { signed } from '../../../emulators/slack/signing.ts';

const SECRET = 'a-signing-secret';
const IDENTITY = { ok: true, team_id: 'T1', user_id: 'U1', bot_id: 'B1' };
const COMMAND = {
  ...{ command: '/snapshot', text: '1012', trigger_id: 'a-trigger' },
  ...{ team_id: 'T1', user_id: 'U2', channel_id: 'C1' },
};
const SHUTDOWN_MS = 20;
const FORM = 'application/x-www-form-urlencoded';

const log: string[] = [];
const logger = boltLogger(createLogger('warn', [], { write: (line) => log.push(line) }));
const calls = new EventEmitter();
let listening: SlackApp;
let isBroken = false;

beforeEach(async () => {
  log.length = 0;
  isBroken = false;
  const dispatcher = new MockAgent();
  const auth = { path: '/api/auth.test', method: 'POST' };
  dispatcher.get('https://slack.test').intercept(auth).reply(200, IDENTITY).persist();
  const transport = { kind: 'http', signingSecret: SECRET } as const;
  listening = createSlackApp({
    shutdownDelayMs: SHUTDOWN_MS,
    slack: { botToken: 'xoxb-test', transport, apiUrl: 'https://slack.test/api/' },
    ...{ port: 0, routes: [], logger, dispatcher },
    onAnswer() {},
  });
  const process = listening.app.processEvent.bind(listening.app);
  listening.app.processEvent = async (event) => {
    readDelivery(event.body);
    await process(event);
  };
  listening.app.use(async ({ ack, body }) => {
    if (isBroken) throw new TypeError('x is undefined');
    if ('command' in body) calls.emit('heard', ack);
  });
  await listening.start();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await listening.stop();
});

/** Posts a body as Slack signs it. */
async function post(body: string, type = FORM): Promise<Response> {
  const headers = { 'content-type': type, connection: 'close', ...signed(body, SECRET) };
  return fetch(`http://127.0.0.1:${listening.port()}/slack/events`, { method: 'POST', headers, body });
}

/** Delivers a command; gives the way to acknowledge it, and the answer that will come. */
async function deliver(): Promise<{ ack: () => Promise<void>; status: Promise<number> }> {
  const heard = once(calls, 'heard');
  const status = post(new URLSearchParams(COMMAND).toString()).then((answer) => answer.status);
  const [ack] = await heard;
  return { ack, status };
}

test('A bot that was held up for longer than Slack waits still acknowledges, without an error', async () => {
  const { ack, status } = await deliver();
  vi.advanceTimersByTime(29_000);
  await ack();
  expect(await status).toBe(200);
  expect(log).toEqual([]);
});

test('A delivery that is never acknowledged is answered in the end, and logged', async () => {
  const { status } = await deliver();
  vi.advanceTimersByTime(30_000);
  expect(await status).toBe(404);
  expect(log.map((line) => JSON.parse(line).msg)).toEqual(['a delivery of Slack was not acknowledged']);
});

test('A delivery that Slack cannot have sent is refused as that; one that meets a bug fails, so that Slack sends it again', async () => {
  const odd = await post('command=%2Fsnapshot&text=1012');
  expect(odd.status).toBe(400);
  isBroken = true;
  const failed = await post(new URLSearchParams(COMMAND).toString());
  expect(failed.status).toBe(500);
  // Bolt has a line of its own for the error of a listener.
  expect(log.map((line) => JSON.parse(line).level)).toEqual(['warn', 'error', 'error']);
});

test('A body that is no delivery does not reach Bolt, and an unsigned one is refused', async () => {
  expect((await post('payload=null')).status).toBe(400);
  const address = `http://127.0.0.1:${listening.port()}/slack/events`;
  const body = new URLSearchParams(COMMAND).toString();
  const unsigned = await fetch(address, { method: 'POST', headers: { 'content-type': FORM }, body });
  expect(unsigned.status).toBe(401);
});

test('A stop says at once that nothing is heard, and takes deliveries for a while, until load balancers know', async () => {
  vi.useRealTimers();
  const closed = vi.spyOn(HTTPReceiver.prototype, 'stop');
  onTestFinished(() => closed.mockRestore());
  expect(listening.isListening()).toBe(true);
  const stopping = listening.stop();
  expect(listening.isListening()).toBe(false);
  // Of two timers the one that is due earlier comes first, however late both are.
  await delay(SHUTDOWN_MS / 2);
  expect(closed).not.toHaveBeenCalled();
  await stopping;
  await expect(post('')).rejects.toThrow('fetch failed');
  // A second stop finds nothing to do.
  await listening.stop();
  expect(closed).toHaveBeenCalledOnce();
});
