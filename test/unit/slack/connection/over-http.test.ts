import { EventEmitter, once } from 'node:events';
import { Agent } from 'undici';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { boltLogger, createLogger } from '../../../../src/ops/logging.ts';
import type { Listening } from '../../../../src/slack/connection/listening.ts';
import { overHttp } from '../../../../src/slack/connection/over-http.ts';
import { signed } from '../../../emulators/slack/signing.ts';

const SECRET = 'a-signing-secret';
const IDENTITY = { ok: true, team_id: 'T1', user_id: 'U1', bot_id: 'B1' };
const COMMAND = {
  ...{ command: '/snapshot', text: '1012', trigger_id: 'a-trigger' },
  ...{ team_id: 'T1', user_id: 'U2', channel_id: 'C1' },
};
const FORM = 'application/x-www-form-urlencoded';

const log: string[] = [];
const logger = boltLogger(createLogger('warn', [], { write: (line) => log.push(line) }));
const calls = new EventEmitter();
let listening: Listening;

beforeEach(async () => {
  log.length = 0;
  const options = {
    slack: { botToken: 'xoxb-test', transport: { kind: 'http', signingSecret: SECRET }, apiUrl: '' },
    ...{ port: 0, shutdownDelayMs: 0, routes: [], logger, dispatcher: new Agent(), userAgent: 'test' },
    ...{ onAnswer() {}, onAcknowledged() {} },
  } as const;
  const fetch = async () => Response.json(IDENTITY);
  listening = overHttp(options, SECRET, { slackApiUrl: 'https://slack.test/api/', fetch });
  listening.app.use(async ({ ack, body }) => {
    if ('command' in body) calls.emit('heard', ack);
  });
  await listening.start();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await listening.stop();
});

/** Delivers a command; gives the way to acknowledge it, and the answer that will come. */
async function deliver(): Promise<{ ack: () => Promise<void>; status: Promise<number> }> {
  const body = new URLSearchParams(COMMAND).toString();
  const headers = { 'content-type': FORM, connection: 'close', ...signed(body, SECRET) };
  const heard = once(calls, 'heard');
  const address = `http://127.0.0.1:${listening.port()}/slack/events`;
  const status = fetch(address, { method: 'POST', headers, body }).then((answer) => answer.status);
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
