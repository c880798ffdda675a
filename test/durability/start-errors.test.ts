import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { PortUnusable } from '../../src/core/cannot-start.ts';
import { BotProcess } from '../support/bot-process.ts';
import { test as worldTest } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { type FarEnds, test } from '../support/far-ends.ts';
import { freePort } from '../support/free-port.ts';

const KEY_FILE_ALONE = { STATE_KEY: '' };

/** What the shipped program prints when it can't start. */
async function printed(ends: FarEnds, changes: Readonly<Record<string, string>> = {}): Promise<string> {
  const bot = new BotProcess({ ...ends.environment, ...changes }, 'shipped');
  expect(await bot.fail()).toBe(1);
  return bot.log.join('\n');
}

function expectExplained(text: string, setting: string, what: RegExp, repair: RegExp): void {
  expect(text).toMatch(what);
  expect(text).toMatch(new RegExp(`^ {2}${setting}, from `, 'm'));
  expect(text).toMatch(repair);
  expect(text).toContain('npm run doctor');
  expect(text).not.toMatch(/^\s+at |"stack"|"level":"fatal"/m);
}

const taken = createServer();
afterEach(() => void taken.close());

async function takenPort(): Promise<number> {
  await new Promise<void>((done) => taken.listen(0, done));
  return (taken.address() as AddressInfo).port;
}

test.for([
  ['invalid_auth', 'the environment'],
  ['account_inactive', 'the environment'],
] as const)('A token that Slack rejects (%s) is explained, without the token', async ([error], { ends }) => {
  ends.slack.failNext('auth.test', { error });
  const text = await printed(ends);
  expectExplained(text, 'SLACK_BOT_TOKEN', new RegExp(`rejects this token \\(${error}\\)`), /copy it again/);
  expect(text).not.toContain(ends.slack.botToken);
});

test('A setting that came from a file is found there', async ({ ends }) => {
  const file = join(ends.folder, 'token');
  writeFileSync(file, ends.slack.botToken);
  ends.slack.failNext('auth.test', { error: 'invalid_auth' });
  const text = await printed(ends, { SLACK_BOT_TOKEN: '', SLACK_BOT_TOKEN_FILE: file });
  expect(text).toContain(`SLACK_BOT_TOKEN, from the file ${file}`);
});

test('Without a network the way to Slack is explained', async ({ ends }) => {
  const apiUrl = `http://127.0.0.1:${await freePort()}/api/`;
  const text = await printed(ends, { SLACK_API_URL: apiUrl });
  expectExplained(text, 'SLACK_API_URL', /could not be reached \(ECONNREFUSED\)/, /check the network/);
});

test('A port that is taken is explained', async ({ ends }) => {
  const text = await printed(ends, { OPS_PORT: String(await takenPort()) });
  expectExplained(text, 'OPS_PORT', /port \d+ is in use by another process/, /choose another port/);
});

worldTest.for(['http', 'socket'] as const)('The same for PORT over %s', async (mode, { open }) => {
  const port = await takenPort();
  const failure = await open({ mode, variables: { PORT: String(port) } }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PortUnusable);
  expect(failure).toMatchObject({ setting: 'PORT', what: expect.stringContaining(String(port)) });
});

test('A data directory that another process has is explained', async ({ ends }) => {
  await ends.start();
  const text = await printed(ends);
  expectExplained(text, 'DATA_DIR', /in use by another process/, /set REDIS_URL to share one store/);
});

test('A key file that holds no key is explained', async ({ ends }) => {
  mkdirSync(join(ends.folder, 'data'), { mode: 0o700 });
  writeFileSync(join(ends.folder, 'data', 'state.key'), 'nonsense', { mode: 0o600 });
  const text = await printed(ends, KEY_FILE_ALONE);
  expectExplained(text, 'STATE_KEY', /state\.key holds no key/, /restore it/);
});

async function readiness(bot: BotProcess): Promise<{ ready: boolean; reasons: { part: string }[] }> {
  const answer = await fetch(`${bot.address}/readyz`);
  return JSON.parse(await answer.text());
}

test('At the start the login is tried once; a refusal is a warning and a reason, and no crash', async ({
  ends,
}) => {
  ends.service.switches.loginRefused = true;
  const bot = await ends.start({}, 'shipped');
  await eventually(() => expect(bot.log.join('\n')).toContain('"fault":"login-refused"'));
  expect(await readiness(bot)).toMatchObject({ ready: true, reasons: [{ part: 'login' }] });
  expect(ends.service.records.logins).toHaveLength(1);
  expect(bot.isUp).toBe(true);
});

test('At the start a host that does not exist is a warning and a reason, and no crash', async ({ ends }) => {
  const bot = await ends.start({ DIAGNOSTICS_BASE_URL: 'https://no-such-host.invalid' }, 'shipped');
  await eventually(() => expect(bot.log.join('\n')).toMatch(/"setting":"DIAGNOSTICS_BASE_URL".*"repair":/));
  await eventually(async () =>
    expect((await readiness(bot)).reasons).toContainEqual(
      expect.objectContaining({ part: 'diagnostics service' }),
    ),
  );
  expect(bot.isUp).toBe(true);
});

test('A good start says that the service accepts the account, and what it learned serves the first command', async ({
  ends,
}) => {
  const bot = await ends.start({}, 'shipped');
  await eventually(() => expect(bot.log.join('\n')).toContain('the service accepts the account'));
  await ends.slack.command({ text: '1012' });
  await ends.slack.waitFor(
    () => ends.slack.messages('C0SUPPORT').find(({ text }) => text.includes('1 hit')),
    'the answer',
  );
  expect(ends.service.records.logins).toHaveLength(1);
});
