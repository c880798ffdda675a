import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Finding, Level } from '../../src/doctor/finding.ts';
import { DEFAULT_USER_SECRET } from '../emulators/diagnostics-service/state.ts';
import { startSlack } from '../emulators/slack/slack.ts';
import { startConnectProxy } from '../support/connect-proxy.ts';
import { type Examination, examineHere, runDoctor } from '../support/doctor.ts';
import { freePort } from '../support/free-port.ts';
import { has } from '../support/needs.ts';
import { type ProcessWorld, test } from '../support/process-world.ts';

type Changes = Readonly<Record<string, string>>;

function doctor(
  { environment }: ProcessWorld,
  changes: Changes = {},
  ...args: string[]
): Promise<Examination> {
  return runDoctor({ ...environment, ...changes }, '--json', ...args);
}

function examined({ environment }: ProcessWorld, changes: Changes = {}): Promise<Examination> {
  return examineHere({ ...environment, ...changes });
}

function of(findings: readonly Finding[], level: Level, area?: string): Finding[] {
  return findings.filter((each) => each.level === level && (area === undefined || each.area === area));
}

/** Expects a failure with its repair, and the exit code of failures. */
function expectFailure({ findings, code }: Examination, area: string, what: RegExp): void {
  const failures = of(findings, 'failure', area);
  expect(failures.map((each) => each.what)).toContainEqual(expect.stringMatching(what));
  for (const each of failures) expect(each.repair).toMatch(/\w{3}/);
  expect(code).toBe(1);
}

test('A healthy installation: everything is fine, one login, nothing changed, no secret printed', async ({
  world,
}) => {
  const { slack, service, environment, folder } = world;
  const { code, findings, output } = await doctor(world);
  expect(of(findings, 'failure').concat(of(findings, 'warning'))).toEqual([]);
  expect(of(findings, 'unchecked')).toMatchObject([{ area: 'DIAGNOSTICS_VENDOR, DIAGNOSTICS_BASE_URL' }]);
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ ok: true });
  for (const area of [
    'configuration',
    'SLACK_BOT_TOKEN',
    'Slack scopes',
    'PORT',
    'DATA_DIR',
    'login',
    'clock',
  ]) {
    expect(of(findings, 'ok', area).length, area).toBeGreaterThan(0);
  }
  expect(service.records.logins).toHaveLength(1);
  expect(service.records.requests).toEqual([]);
  expect(slack.records.calls.map(({ method }) => method)).toEqual(['auth.test']);
  expect(readdirSync(folder)).toEqual(['authority.pem']);
  for (const secret of [
    slack.botToken,
    slack.signingSecret,
    DEFAULT_USER_SECRET,
    environment.STATE_KEY ?? '?',
  ]) {
    expect(output).not.toContain(secret);
  }
});

test('For people it prints a line for each finding, and the counts', async ({ world }) => {
  world.service.switches.loginRefused = true;
  const { output, code } = await runDoctor({ ...world.environment });
  expect(output).toMatch(/^✓ configuration: complete$/m);
  expect(output).toMatch(
    /^✗ login: the service rejects the account \(status 302\)\n {4}→ check DIAGNOSTICS_USER_ID/m,
  );
  expect(output).toMatch(/^1 failed, 0 to look at, 0 not checked, \d+ fine$/m);
  expect(code).toBe(1);
  expect(world.service.records.logins).toHaveLength(1);
});

describe('The configuration', () => {
  test('with problems ends with code 2, each problem a finding with its repair', async ({ world }) => {
    const { findings, code, output } = await doctor(world, { DIAGNOSTICS_VENDOR: '', PORT: 'many' });
    expect(code).toBe(2);
    expect(JSON.parse(output)).toMatchObject({ ok: false });
    expect(findings.map(({ what }) => what.split(' ')[0])).toEqual(['PORT', 'DIAGNOSTICS_VENDOR']);
  });

  test('is not looked at when the doctor is asked for something it does not know', async ({ world }) => {
    for (const args of [['--fix'], ['--snapshot', 'abc']]) {
      const { code, output } = await runDoctor(world.environment, ...args);
      expect(code).toBe(2);
      expect(output).toContain('usage: npm run doctor');
    }
    expect(world.slack.records.calls).toEqual([]);
  });

  test('is not looked at when the doctor is asked for its usage', async ({ world }) => {
    const { code, output } = await runDoctor(world.environment, '--help');
    expect(code).toBe(0);
    expect(output).toMatch(/^usage: npm run doctor/);
    expect(world.slack.records.calls).toEqual([]);
  });
});

describe('Slack', () => {
  test('that rejects the token is reported', async ({ world }) => {
    world.slack.failNext('auth.test', { error: 'token_revoked' });
    expectFailure(await examined(world), 'SLACK_BOT_TOKEN', /rejects this token \(token_revoked\)/);
  });

  test('that can not be reached is reported', async ({ world }) => {
    const apiUrl = `http://127.0.0.1:${await freePort()}/api/`;
    expectFailure(await examined(world, { SLACK_API_URL: apiUrl }), 'SLACK_BOT_TOKEN', /ECONNREFUSED/);
  });

  test('scopes that were not granted are named with what they cost', async ({ world }) => {
    const slack = await startSlack({ scopes: ['commands', 'chat:write', 'im:history'] });
    const changes = { SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: slack.botToken };
    const found = await examined(world, changes);
    await slack.close();
    expectFailure(found, 'Slack scopes', /^app_mentions:read is not granted: mentions are not answered$/);
    const optional = of(found.findings, 'warning', 'Slack scopes').map(({ what }) => what);
    expect(optional).toContainEqual(
      expect.stringContaining('files:write is not granted: results cannot be exported'),
    );
  });

  test('Socket Mode is tried with its token, and a wrong one is reported', async ({ world }) => {
    const slack = await startSlack({ mode: 'socket' });
    const changes = { SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: slack.botToken };
    const good = await examined(world, { ...changes, SLACK_APP_TOKEN: slack.appToken });
    const bad = await examined(world, { ...changes, SLACK_APP_TOKEN: 'xapp-1-wrong' });
    await slack.close();
    expect(of(good.findings, 'ok', 'SLACK_APP_TOKEN')).toHaveLength(1);
    expectFailure(bad, 'SLACK_APP_TOKEN', /invalid_auth/);
    expect(slack.sockets).toBe(0);
  });
});

describe('The ports', () => {
  test('one that another process has is reported', async ({ world }) => {
    const other = createServer((_request, response) => response.end('other')).listen(0);
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const found = await examined(world, { PORT: port });
    other.close();
    expectFailure(found, 'PORT', /in use by another process/);
  });

  test('one that the running bot has is all right', async ({ world }) => {
    const bot = await world.start();
    const { findings, code } = await doctor(world, { PORT: new URL(bot.address).port });
    expect(of(findings, 'ok', 'PORT')[0]?.what).toMatch(/the bot itself/);
    expect(code).toBe(0);
  });
});

describe('The embedded store', () => {
  test('that can not be written to is reported', async ({ world }) => {
    writeFileSync(join(world.folder, 'a-file'), '');
    const found = await doctor(world, { DATA_DIR: join(world.folder, 'a-file', 'below') });
    expectFailure(found, 'DATA_DIR', /cannot be written to|ENOTDIR/);
  });

  test('that other users can enter is a warning', async ({ world }) => {
    mkdirSync(join(world.folder, 'data'), { mode: 0o755 });
    const { findings, code } = await doctor(world);
    expect(of(findings, 'warning', 'DATA_DIR')[0]?.repair).toContain('chmod 700');
    expect(code).toBe(0);
  });

  test.for([
    ['no database', () => Buffer.alloc(4_096, 'x'), /is not a database/],
    ['of a later release', () => headerOf(99), /has state version 99, this release reads up to/],
  ] as const)('whose file is %s is reported', async ([, content, what], { world }) => {
    mkdirSync(join(world.folder, 'data'), { mode: 0o700 });
    writeFileSync(join(world.folder, 'data', 'snapshot-bot.sqlite'), content());
    expectFailure(await examined(world), 'DATA_DIR', what);
  });
});

function headerOf(version: number): Buffer {
  const header = Buffer.alloc(4_096);
  header.write('SQLite format 3\0', 'latin1');
  header.writeUInt32BE(version, 60);
  return header;
}

describe.runIf(has('redis-server'))('Redis', () => {
  test('that is as it should be is fine', async ({ world }) => {
    const redis = await world.redis();
    const { findings, code } = await examined(world, { REDIS_URL: redis.url });
    // How fast it answers is a matter of the machine, too.
    const speed = findings.filter(({ what }) => /^Redis answers in \d/.test(what));
    expect(speed).toHaveLength(1);
    expect(of(findings, 'ok', 'REDIS_URL').filter((each) => !speed.includes(each))).toHaveLength(4);
    expect(code).toBe(0);
  });

  test('that evicts, is not append-only, or is a replica is reported', async ({ world }) => {
    const redis = await world.redis();
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    await redis.command('CONFIG', 'SET', 'appendonly', 'no');
    await redis.command('REPLICAOF', '127.0.0.1', String(await freePort()));
    const found = await examined(world, { REDIS_URL: redis.url });
    expectFailure(found, 'REDIS_URL', /eviction policy is allkeys-lru/);
    expectFailure(found, 'REDIS_URL', /this is a replica/);
    expect(of(found.findings, 'warning', 'REDIS_URL').map(({ what }) => what)).toContain(
      'it is not append-only',
    );
  });

  test('that is away, or rejects the password, is reported without the password', async ({ world }) => {
    const redis = await world.redis({ password: 'right' });
    const wrong = await doctor(world, { REDIS_URL: redis.url.replace('right', 'sesame-wrong') });
    expectFailure(wrong, 'REDIS_URL', /rejects the password/);
    await redis.kill();
    const away = await examined(world, { REDIS_URL: redis.url });
    expectFailure(away, 'REDIS_URL', /cannot be reached \(ECONNREFUSED\)/);
    expect(wrong.output + away.output).not.toMatch(/sesame|:right@/);
  });
});

describe('The hosts of the service', () => {
  test('a name that does not exist, a port that is closed', async ({ world }) => {
    const closed = `https://127.0.0.1:${await freePort()}`;
    const found = await examined(world, {
      DIAGNOSTICS_BASE_URL: 'https://no-such-host.invalid',
      DIAGNOSTICS_LOGIN_URL: closed,
    });
    expectFailure(found, 'DIAGNOSTICS_BASE_URL', /no-such-host\.invalid could not be resolved/);
    expectFailure(found, 'DIAGNOSTICS_LOGIN_URL', /ECONNREFUSED/);
  });

  test('a certificate that is not trusted', async ({ world }) => {
    const found = await doctor(world, { NODE_EXTRA_CA_CERTS: '' });
    expectFailure(found, 'DIAGNOSTICS_BASE_URL', /certificate .* is not trusted/);
    expectFailure(found, 'login', /certificate/);
    expect(world.service.records.logins).toEqual([]);
  });

  test('behind a proxy they are reached through it, and a proxy that refuses is reported', async ({
    world,
  }) => {
    const proxy = await startConnectProxy();
    const through = { HTTPS_PROXY: proxy.url, NO_PROXY: '' };
    const good = await examined(world, through);
    expect(of(good.findings, 'ok', 'DIAGNOSTICS_BASE_URL')[0]?.what).toContain('through the proxy');
    expect(proxy.tunnels.length).toBeGreaterThan(2);
    proxy.refuseWith(407);
    const bad = await examined(world, through);
    await proxy.close();
    expectFailure(bad, 'DIAGNOSTICS_BASE_URL', /status 407 from the proxy/);
  });
});

describe('The service', () => {
  test('whose clock is far from this one is a warning', async ({ world }) => {
    const date = new Date(Date.now() + 600_000).toUTCString();
    world.service.nextLoginAnswers([{ status: 302, headers: { date, location: '/' }, body: '' }]);
    const { findings } = await examined(world);
    expect(of(findings, 'warning', 'clock')[0]?.what).toMatch(/^(?:5[5-9]\d|60[01]) s behind the service's$/);
  });

  test('that fails at the login is reported, after one try', async ({ world }) => {
    world.service.nextLoginAnswers([{ status: 500, body: '' }]);
    expectFailure(await examined(world), 'login', /status 500/);
    expect(world.service.records.logins).toHaveLength(1);
  });

  test('whose login answers like another server is not taken for one that rejects the account', async ({
    world,
  }) => {
    world.service.nextLoginAnswers([{ status: 404, body: '' }]);
    const { findings } = await examined(world);
    const [found] = of(findings, 'failure', 'login');
    expect(found?.what).toBe('the login servers gave no session (status 404)');
    expect(found?.repair).toMatch(/^check DIAGNOSTICS_AUTH_URL, DIAGNOSTICS_USER_ID/);
  });

  test('--snapshot asks once and shows the message; a session that is refused ends it without another login', async ({
    world,
  }) => {
    const { findings } = await doctor(world, {}, '--snapshot', '1012');
    const shown = of(findings, 'ok', 'snapshot 1012')[0]?.what ?? '';
    expect(shown).toContain('Snapshot 1012');
    expect(shown).not.toMatch(/<[!@#]|<https/);
    expect(world.service.records.requests).toHaveLength(1);
    world.service.nextAnswers([{ status: 401 }]);
    expectFailure(await doctor(world, {}, '--snapshot', '1012'), 'snapshot 1012', /session/);
    expect(world.service.records.logins).toHaveLength(2);
    const absent = await doctor(world, {}, '--snapshot', '99999');
    expect(of(absent.findings, 'failure')[0]?.repair).toContain('DIAGNOSTICS_BASE_URL');
    expectFailure(absent, 'snapshot 99999', /not found/);
  });
});
