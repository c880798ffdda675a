import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { USER_ID, USER_SECRET } from '../emulators/diagnostics-service/account.ts';
import { LOGIN_PATH } from '../emulators/diagnostics-service/login.ts';
import { metricsOf } from '../support/at-rest.ts';
import { ask, finals, test } from '../support/conversation.ts';
import { beginWait } from '../support/slack-troubles.ts';
import type { World } from '../support/world.ts';

const STATE_KEY = Buffer.alloc(32, 'k').toString('base64');
const SECRET_ID = '1012';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** All secrets, as they are and in every encoding in which they could leak. */
function secretsOf({ slack }: World, cookies: readonly string[]): string[] {
  const responseUrls = slack.records.deliveries.map(({ payload }) => String(payload.response_url ?? ''));
  const plain = [
    slack.botToken,
    slack.signingSecret,
    USER_SECRET,
    STATE_KEY,
    ...cookies,
    ...responseUrls.map((url) => url.replace(/^https?:\/\/[^/]+/, '')),
  ].filter((secret) => secret !== '');
  return plain.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ]);
}

function expectNone(text: string, secrets: readonly string[]): void {
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
}

function bytesOf(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');
}

/** Makes the next login return good cookies that the test knows. */
async function knownCookies({ service }: World): Promise<string[]> {
  const byHand = await fetch(service.authUrl + LOGIN_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'somebody/1.0' },
    body: JSON.stringify({ user_id: USER_ID, user_secret: USER_SECRET }),
  });
  const cookies = byHand.headers.getSetCookie();
  service.nextLoginAnswers([{ status: 200, headers: { 'set-cookie': cookies }, body: '{}' }]);
  return cookies
    .map((cookie) => cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf(';')))
    .filter((value) => value.length > 1);
}

test('No secret is in the log, the messages, the metrics or the data directory, whatever goes wrong', async ({
  open,
}) => {
  const world = await open({ variables: { LOG_LEVEL: 'trace', STATE_KEY, DATA_DIR: dataDir } });
  const { slack, service } = world;
  const cookies = await knownCookies(world);
  await ask(world, SECRET_ID);
  expect(service.records.requests.map(({ session }) => session)).toEqual(['live']);
  slack.failNext('chat.postMessage', { error: 'invalid_blocks' }, { error: 'fatal_error' });
  service.nextAnswers(['truncate', 'reset', { status: 403 }]);
  await ask(world, '7001');
  slack.failNext('response_url', { status: 500 });
  await slack.command({ text: SECRET_ID, channel: 'secret' });
  await slack.waitFor(() => finals(world, 'C0SECRET')[0], 'an answer in a private channel');
  await slack.command({ text: SECRET_ID, signature: 'bad' });
  await beginWait(world, '7002');
  const metrics = await metricsOf(world);
  const secrets = secretsOf(world, cookies);
  expect(cookies).toHaveLength(3);
  expect(secrets.length).toBeGreaterThan(40);
  expectNone(metrics, secrets);
  expectNone(bytesOf(dataDir), secrets);
  await world.restart();
  expectNone(bytesOf(dataDir), secrets);
  expectNone(JSON.stringify(slack.channels.flatMap(({ id }) => slack.messages(id))), secrets);
  expectNone(world.log.join(''), secrets);
  expect(world.log.length).toBeGreaterThan(10);
});
