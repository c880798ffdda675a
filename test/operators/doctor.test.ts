import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, onTestFinished } from 'vitest';
import type { Finding } from '../../src/doctor/finding.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { USER_SECRET } from '../emulators/diagnostics-service/account.ts';
import { startSlack } from '../emulators/slack/slack.ts';
import { startConnectProxy } from '../support/connect-proxy.ts';
import { type Examination, examineHere, runDoctor } from '../support/doctor.ts';
import { freePort } from '../support/free-port.ts';
import { has } from '../support/needs.ts';
import { type ProcessWorld, test } from '../support/process-world.ts';
import { startRedis } from '../support/redis.ts';
import { startRedisRelay } from '../support/redis-relay.ts';

type Changes = Readonly<Record<string, string>>;

const look = ({ environment }: ProcessWorld, changes: Changes = {}, id?: string): Promise<Examination> =>
  examineHere({ ...environment, ...changes }, id);

test('In a healthy installation the doctor finds no problem, logs in once, and prints no secret', async ({
  world,
}) => {
  const { slack, service, environment, folder } = world;
  const { code, findings, output } = await runDoctor(environment, '--json');
  expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
  expect([code, JSON.parse(output).ok]).toEqual([0, true]);
  const areas = new Set(findings.map(({ area }) => area));
  expect([...areas]).toEqual(['configuration', 'SLACK_BOT_TOKEN', 'Slack scopes', 'DATA_DIR', 'login']);
  expect(service.records.logins).toHaveLength(1);
  expect(service.records.requests).toEqual([]);
  expect(slack.records.calls.map(({ method }) => method)).toEqual(['auth.test']);
  expect(readdirSync(folder)).toEqual(['authority.pem']);
  for (const secret of [slack.botToken, slack.signingSecret, USER_SECRET, environment.STATE_KEY])
    expect(output).not.toContain(secret ?? '?');
});

test('For people the doctor prints a line for each finding, and the counts', async ({ world }) => {
  world.service.switches.loginRefused = true;
  const { output, code } = await runDoctor({ ...world.environment, ALOWED_CHANNELS: 'C0SUPPORT' });
  expect(output).toMatch(/^! configuration: ALOWED_CHANNELS is no setting: is ALLOWED_CHANNELS meant\?$/m);
  expect(output).toMatch(
    /^✗ login: Login failed: the service rejected the bot’s account \(status 302\)\. \(login-refused\)\n {4}→ check DIAGNOSTICS_USER_ID/m,
  );
  expect(output).toMatch(/^1 failed, 1 to look at, \d+ fine$/m);
  expect(code).toBe(1);
  expect(world.service.records.logins).toHaveLength(1);
});

test('Each problem of the configuration is a finding that names the setting, and the exit code is 2', async ({
  world,
}) => {
  const changes = { DIAGNOSTICS_VENDOR: '', PORT: 'many', SLACK_TOKEN: 'x' };
  const { findings, code } = await runDoctor({ ...world.environment, ...changes }, '--json');
  expect(code).toBe(2);
  expect(findings.map(({ what }) => what.split(' ')[0])).toEqual([
    'PORT',
    'DIAGNOSTICS_VENDOR',
    'SLACK_TOKEN',
  ]);
});

test('Unknown options end the doctor with its usage, before it looks at anything', async ({ world }) => {
  for (const args of [['--fix'], ['--snapshot', 'abc']]) {
    const ended = await runDoctor(world.environment, ...args);
    expect([ended.code, ended.output]).toEqual([2, expect.stringContaining('usage: npm run doctor')]);
  }
  expect(world.slack.records.calls).toEqual([]);
});

test('The doctor asks for a snapshot once, and does not log in again for a refused session', async ({
  world,
}) => {
  const fine = await look(world, {}, '1001');
  expect(fine.findings).toContainEqual({
    ...{ area: 'snapshot 1001', level: 'ok', what: 'its analysis can be read (hits: 37, diagnostics: 247)' },
  });
  expect(world.service.records.requests).toHaveLength(1);
  world.service.nextAnswers([{ status: 401 }]);
  const refused = await look(world, {}, '1012');
  expect(refused.findings.at(-1)?.repair).toMatch(
    /and to log in with the account at DIAGNOSTICS_LOGIN_URL\.$/,
  );
  expect(world.service.records.logins).toHaveLength(2);
});

/** Starts a second Slack, and returns the settings that lead to it. */
async function besideSlack(
  options: Parameters<typeof startSlack>[0],
  changes: Changes = {},
): Promise<Changes> {
  const slack = await startSlack(options);
  onTestFinished(() => slack.close());
  return { SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: slack.botToken, ...changes };
}

/** A data folder with the file of a bot that has ended. */
async function usedFolder({ folder }: ProcessWorld): Promise<string> {
  const dataDir = join(folder, 'data');
  const context = { logger: pino({ level: 'silent' }), now: Date.now };
  const { store, jobs } = await openStorage({ kind: 'sqlite', dataDir, stateKeys: [] }, context);
  await store.namespace('people').set('key', 'value');
  await jobs.stop(0);
  await store.close();
  return dataDir;
}

const SCOPE = 'add it under OAuth & Permissions (manifest.yml has it) and reinstall the app';

type Problem = readonly [
  problem: string,
  /** Causes the problem, and returns the changed settings. */
  arrange: (world: ProcessWorld) => Changes | Promise<Changes>,
  finding: Omit<Finding, 'level'> & { readonly level?: Finding['level'] },
];

const PROBLEMS: readonly Problem[] = [
  [
    'a proxy that does not let the bot through to Slack',
    async () => {
      const proxy = await startConnectProxy();
      onTestFinished(() => proxy.close());
      return { http_proxy: proxy.url };
    },
    {
      area: 'SLACK_API_URL',
      what: 'Slack could not be reached (HTTP 405)',
      repair:
        'check the network, the name server and the proxy settings (HTTPS_PROXY, NO_PROXY), then start again',
    },
  ],
  [
    'a proxy that rejects the password',
    async () => {
      const proxy = await startConnectProxy();
      onTestFinished(() => proxy.close());
      proxy.refuseWith(407);
      return { https_proxy: proxy.url };
    },
    {
      area: 'login',
      what: expect.stringMatching(/^The login servers .* can’t be reached\. \(the proxy answered 407\)$/),
      repair: expect.stringMatching(/check the address and the proxy settings\.$/),
    },
  ],
  [
    'a token that Slack rejects',
    ({ slack }) => {
      slack.failNext('auth.test', { error: 'token_revoked' });
      return {};
    },
    {
      area: 'SLACK_BOT_TOKEN',
      what: 'Slack rejects this token (token_revoked)',
      repair:
        'copy it again from https://api.slack.com/apps, your app; uninstalling the app revokes its tokens',
    },
  ],
  [
    'an app token that Slack rejects',
    () => besideSlack({ mode: 'socket' }, { SLACK_APP_TOKEN: 'xapp-1-wrong' }),
    {
      area: 'SLACK_APP_TOKEN',
      what: 'Slack rejects this token (invalid_auth)',
      repair:
        'copy it again from https://api.slack.com/apps, your app; uninstalling the app revokes its tokens',
    },
  ],
  [
    'a needed scope that is missing',
    () => besideSlack({ scopes: ['commands', 'chat:write', 'app_mentions:read'] }),
    {
      area: 'Slack scopes',
      what: 'im:history is not granted: direct messages are not answered',
      repair: SCOPE,
    },
  ],
  [
    'an optional scope that is missing',
    () => besideSlack({ scopes: ['commands', 'chat:write', 'app_mentions:read', 'im:history'] }),
    {
      ...{ area: 'Slack scopes', level: 'warning', repair: SCOPE },
      what: 'files:write is not granted: results cannot be exported',
    },
  ],
  [
    'an optional scope that a setting needs',
    () => besideSlack({ scopes: ['commands', 'chat:write'] }, { ALLOWED_USERGROUPS: 'S0ONCALL' }),
    {
      ...{ area: 'Slack scopes', level: 'failure', repair: SCOPE },
      what: expect.stringMatching(/^usergroups:read is not granted/),
    },
  ],
  [
    'a user group that was deleted',
    ({ slack }) => {
      slack.failNext('usergroups.users.list', { error: 'no_such_subteam' });
      return { ALLOWED_USERGROUPS: 'S0ONCALL' };
    },
    {
      area: 'ALLOWED_USERGROUPS',
      what: 'Slack does not name the members of S0ONCALL (no_such_subteam)',
      repair: 'check this id, and that the group is not disabled',
    },
  ],
  [
    'a user group for which Slack does not answer',
    ({ slack }) => {
      slack.failNext('usergroups.users.list', { status: 503 });
      return { ALLOWED_USERGROUPS: 'S0ONCALL' };
    },
    {
      area: 'ALLOWED_USERGROUPS',
      what: 'Slack does not name the members of S0ONCALL (no answer)',
      repair: 'check this id, and that the group is not disabled',
    },
  ],
  [
    'an account that the service rejects',
    ({ service }) => {
      service.switches.loginRefused = true;
      return {};
    },
    {
      area: 'login',
      what: 'Login failed: the service rejected the bot’s account (status 302). (login-refused)',
      repair:
        'check DIAGNOSTICS_USER_ID and DIAGNOSTICS_USER_SECRET, for example by logging in at DIAGNOSTICS_LOGIN_URL.',
    },
  ],
  [
    'login servers that fail',
    ({ service }) => {
      service.nextLoginAnswers([{ status: 500, body: '' }]);
      return {};
    },
    {
      area: 'login',
      what: 'The login servers failed (status 500). (service-failed)',
      repair: 'Try again in a few minutes.',
    },
  ],
  [
    'cookies that do not reach the API',
    ({ service }) => ({ DIAGNOSTICS_BASE_URL: service.baseUrl.replace('localhost', '127.0.0.1') }),
    {
      area: 'login',
      what: expect.stringContaining('can’t be sent to 127.0.0.1'),
      repair: expect.stringMatching(
        /^check that DIAGNOSTICS_BASE_URL and DIAGNOSTICS_AUTH_URL belong together/,
      ),
    },
  ],
  [
    'a snapshot that is not there',
    () => ({ SNAPSHOT: '99999' }),
    {
      area: 'snapshot 99999',
      what: 'This snapshot was not found. (snapshot-not-found)',
      repair:
        'check the id; if the snapshot is there, DIAGNOSTICS_BASE_URL is not the address of the service’s API',
    },
  ],
  [
    'a data folder that takes nothing',
    ({ folder }) => {
      writeFileSync(join(folder, 'a-file'), '');
      return { DATA_DIR: join(folder, 'a-file', 'below') };
    },
    {
      area: 'DATA_DIR',
      what: expect.stringMatching(/a-file cannot be written to \(ENOTDIR\)$/),
      repair: 'choose a folder that the user that runs the bot may write to',
    },
  ],
  [
    'a folder of the audit that is not there',
    ({ folder }) => ({ AUDIT_FILE: join(folder, 'nowhere', 'audit.jsonl') }),
    {
      area: 'AUDIT_FILE',
      what: expect.stringMatching(/audit\.jsonl cannot be opened \(ENOENT\)$/),
      repair: expect.stringMatching(/^check that its folder exists/),
    },
  ],
  [
    'a damaged file',
    ({ folder }) => {
      mkdirSync(join(folder, 'data'));
      writeFileSync(join(folder, 'data', 'snapshot-bot.sqlite'), 'x'.repeat(4_096));
      return { DATA_DIR: join(folder, 'data') };
    },
    {
      area: 'DATA_DIR',
      what: expect.stringMatching(/snapshot-bot\.sqlite is damaged$/),
      repair:
        'restore it from a backup, or delete it with npm run forget -- --all: open lookups then get no answer',
    },
  ],
  [
    'a key file that others can read',
    async (world) => {
      const dataDir = await usedFolder(world);
      chmodSync(join(dataDir, 'state.key'), 0o644);
      return { DATA_DIR: dataDir, STATE_KEY: '' };
    },
    {
      area: 'STATE_KEY',
      what: expect.stringMatching(/state\.key can be read by others$/),
      repair: expect.stringMatching(/^run chmod 600 .*state\.key/),
    },
  ],
  [
    'a key that is lacking',
    async (world) => {
      const dataDir = await usedFolder(world);
      rmSync(join(dataDir, 'state.key'));
      return { DATA_DIR: dataDir, STATE_KEY: '' };
    },
    {
      area: 'STATE_KEY',
      what: expect.stringMatching(/state\.key is missing, and what is stored was sealed with a key$/),
      repair: expect.stringMatching(/^restore it from the backup of DATA_DIR, or set STATE_KEY/),
    },
  ],
];

const takesNothing = (why: RegExp) => ({
  area: 'REDIS_URL',
  what: expect.stringMatching(why),
  repair: expect.stringMatching(/^check that Redis runs and has memory, and the address and the password/),
});

const WITH_REDIS: readonly Problem[] = [
  [
    'a Redis that can not be reached',
    async () => ({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` }),
    takesNothing(/\(connect ECONNREFUSED [\d.:]+\)$/),
  ],
  [
    'a Redis with another password',
    async (world) => ({
      REDIS_URL: (await world.redis({ password: 'right' })).url.replace('right', 'wrong'),
    }),
    takesNothing(/\(WRONGPASS [^()]+\)$/),
  ],
  [
    'a database that Redis does not have',
    async (world) => ({ REDIS_URL: `${(await world.redis()).url}/99` }),
    takesNothing(/\(ERR DB index is out of range\)$/),
  ],
  [
    'a Redis without memory',
    async (world) => {
      const full = await world.redis();
      await full.command('CONFIG', 'SET', 'maxmemory', '1');
      return { REDIS_URL: full.url };
    },
    takesNothing(/\(OOM command not allowed [^()]+\)$/),
  ],
  [
    'a Redis that evicts',
    () => relayed('maxmemory_policy', 'volatile-x'),
    {
      area: 'REDIS_URL',
      what: 'its eviction policy is volatile-x',
      repair: 'set maxmemory-policy to noeviction: an evicted key can be an open lookup',
    },
  ],
  [
    'a Redis that is not append-only',
    () => relayed('aof_enabled', '0'),
    {
      ...{ area: 'REDIS_URL', level: 'warning', what: 'it is not append-only' },
      repair: 'set appendonly yes: otherwise lookups accepted since the last save are lost when Redis dies',
    },
  ],
  [
    'an old Redis',
    () => relayed('redis_version', '5.0.14'),
    { area: 'REDIS_URL', what: 'version 5.0.14', repair: 'use 6.2 or later' },
  ],
];

/** A Redis behind a relay that replaces a field of `INFO` by a value of the same length. */
async function relayed(name: string, value: string): Promise<Changes> {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const field = new RegExp(`(?<=\r\n${name}:)[^\r]*`);
  const change = (answer: string) =>
    answer.replace(field, (found) => value.padEnd(found.length).slice(0, found.length));
  const relay = await startRedisRelay(redis.url, { change });
  onTestFinished(() => relay.close());
  return { REDIS_URL: relay.url };
}

async function finds(world: ProcessWorld, [, arrange, finding]: Problem): Promise<void> {
  const { SNAPSHOT, ...changes } = await arrange(world);
  const { findings, code } = await look(world, changes, SNAPSHOT);
  const found = findings.map((each) => ({ ...each, what: each.what.trim() }));
  expect(found).toContainEqual({ level: 'failure', ...finding });
  expect(code).toBe(found.some(({ level }) => level === 'failure') ? 1 : 0);
}

describe('The doctor says what to do about', () => {
  test.for(PROBLEMS)('%s', async (problem, { world }) => finds(world, problem));
});

describe.runIf(has('redis-server'))('The doctor says what to do about', () => {
  test.for(WITH_REDIS)('%s', async (problem, { world }) => finds(world, problem));
});
