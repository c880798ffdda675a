import { Agent } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkHosts, checkService } from '../../../src/doctor/service.ts';
import { checkSlack, SCOPES } from '../../../src/doctor/slack.ts';
import {
  DEFAULT_USER_ID,
  DEFAULT_USER_SECRET,
  DEFAULT_VENDOR,
} from '../../emulators/diagnostics-service/state.ts';
import type { SlackOptions } from '../../emulators/slack/setup.ts';
import { startSlack } from '../../emulators/slack/slack.ts';
import { freePort } from '../../support/free-port.ts';
import { configOf } from '../../support/other-settings.ts';
import { snapshotId } from '../../support/snapshot-id.ts';
import { startService } from '../../support/upstreams.ts';

describe('Slack', () => {
  type Faults = Parameters<Awaited<ReturnType<typeof startSlack>>['failNext']>;
  async function looking(
    options: SlackOptions = {},
    variables: Readonly<Record<string, string>> = {},
    ...faults: Faults | []
  ) {
    const [slack, agent] = [await startSlack(options), new Agent()];
    if (faults.length > 0) slack.failNext(...(faults as Faults));
    onTestFinished(async () => void (await Promise.all([slack.close(), agent.close()])));
    const tokens = {
      ...{ SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: slack.botToken },
      ...(options.mode === 'socket' && { SLACK_APP_TOKEN: slack.appToken }),
    };
    return checkSlack(configOf({ ...tokens, ...variables }), agent, 1_000);
  }
  const all = Object.keys({ ...SCOPES.bot, ...SCOPES.bot_optional });

  test('that grants every scope is fine; the signing secret only Slack itself can judge', async () => {
    expect(await looking({ scopes: all })).toEqual([
      { area: 'SLACK_BOT_TOKEN', level: 'ok', what: 'Slack knows the bot as @snapshot in Emulator' },
      { area: 'Slack scopes', level: 'ok', what: `all ${all.length} of manifest.yml are granted` },
      { area: 'SLACK_SIGNING_SECRET', level: 'ok', what: expect.stringContaining('over HTTP') },
    ]);
  });

  test('may withhold an optional scope; usergroups:read is needed where user groups are allowed', async () => {
    const withheld = ['chat:write', 'files:write', 'usergroups:read'];
    const scopes = all.filter((scope) => !withheld.includes(scope));
    const found = async (variables = {}) =>
      (await looking({ scopes }, variables))
        .filter(({ area }) => area === 'Slack scopes')
        .map(({ problem, what }) => `${problem} ${what.split(' ')[0]}`);
    const rest = ['scope-missing chat:write', 'scope-optional files:write'];
    expect(await found()).toEqual([...rest, 'scope-optional usergroups:read']);
    expect(await found({ ALLOWED_USERGROUPS: 'S0123456' })).toEqual([
      ...rest,
      'scope-missing usergroups:read',
    ]);
  });

  test.each([
    ['hang', 'timeout'],
    [{ status: 429, retryAfter: 1 }, 'HTTP 429'],
  ] as const)('that does not answer, or asks to slow down, is not waited for: %j', async (fault, why) => {
    const [token, secret] = await looking({}, {}, 'auth.test', fault);
    expect(token).toMatchObject({ problem: 'bot-token-refused', what: expect.stringContaining(why) });
    expect(secret).toMatchObject({ area: 'SLACK_SIGNING_SECRET' });
  });

  test('is asked for a connection where Socket Mode is used', async () => {
    const last = async (variables = {}) =>
      (await looking({ mode: 'socket', scopes: all }, variables)).map(
        ({ area, problem, level }) => `${area} ${problem ?? level}`,
      );
    const rest = ['SLACK_BOT_TOKEN ok', 'Slack scopes ok'];
    expect(await last()).toEqual([...rest, 'SLACK_APP_TOKEN ok']);
    expect(await last({ SLACK_APP_TOKEN: 'xapp-1-wrong' })).toEqual([
      ...rest,
      'SLACK_APP_TOKEN app-token-refused',
    ]);
  });
});

describe('The service', () => {
  async function looking(date?: number, snapshot?: string, status = 302) {
    const service = await startService({ waitMs: 0 });
    onTestFinished(() => service.close());
    if (date !== undefined) {
      const headers = { date: new Date(date).toUTCString(), location: '/' };
      service.nextLoginAnswers([{ status, headers, body: '' }]);
    }
    const config = configOf({
      ...{ DIAGNOSTICS_BASE_URL: service.baseUrl, DIAGNOSTICS_AUTH_URL: service.authUrl },
      ...{ DIAGNOSTICS_VENDOR: DEFAULT_VENDOR, DIAGNOSTICS_USER_ID: DEFAULT_USER_ID },
      DIAGNOSTICS_USER_SECRET: DEFAULT_USER_SECRET,
    });
    const id = snapshot === undefined ? undefined : snapshotId(snapshot);
    const look = () => checkService(config, Date.now, id);
    return { service, look };
  }
  const MINUTE_MS = 60_000;

  test.each([
    [-10, 'warning', /^\d+ s ahead of the service's$/],
    [-3, 'warning', /ahead/],
    [-2, 'ok', /^within 1\d\d s of the service's$/],
    [2, 'ok', /within/],
    [3, 'warning', /^\d+ s behind the service's$/],
  ])('whose clock is %d minutes off this one is judged by what Slack takes', async (minutes, level, what) => {
    const { look } = await looking(Date.now() + minutes * MINUTE_MS);
    const clock = (await look()).find(({ area }) => area === 'clock');
    expect(clock).toMatchObject({ level, what: expect.stringMatching(what) });
  });

  test.each([
    [302, 'the service rejects the account', /^check DIAGNOSTICS_USER_ID and /],
    [404, 'the login servers gave no session', /^check DIAGNOSTICS_AUTH_URL, DIAGNOSTICS_USER_ID and /],
  ])('that answers a login with %d is told with its clock, after one login', async (status, why, repair) => {
    const { service, look } = await looking(Date.now() + 10 * MINUTE_MS, undefined, status);
    const [login, clock] = await look();
    expect(login).toMatchObject({ problem: 'login-refused', what: `${why} (status ${status})` });
    expect([login?.repair, clock?.problem]).toEqual([expect.stringMatching(repair), 'clock-off']);
    expect([service.records.logins.length, service.records.requests.length]).toEqual([1, 0]);
  });

  test('whose time can’t be read says nothing of the clock', async () => {
    const { look } = await looking(Number.NaN);
    expect((await look()).map(({ area }) => area)).toEqual(['login']);
  });

  test('that still processes the snapshot is fine', async () => {
    const { service, look } = await looking(undefined, '1012');
    service.nextAnswers([{ status: 202 }]);
    expect((await look()).at(-1)).toEqual({
      ...{ area: 'snapshot 1012', level: 'ok', what: 'still being processed' },
    });
  });
});

test('Each host of the service is looked at once, under the setting that names it first', async () => {
  const [one, other] = [`https://127.0.0.1:${await freePort()}`, `https://127.0.0.1:${await freePort()}`];
  const areas = async (base: string, auth: string, page: string) => {
    const names = { DIAGNOSTICS_BASE_URL: base, DIAGNOSTICS_AUTH_URL: auth, DIAGNOSTICS_LOGIN_URL: page };
    const found = await checkHosts(configOf(names), 2_000, Date.now);
    return found.map(({ area }) => area);
  };
  expect(await areas(one, `${one}/login`, `${one}/page`)).toEqual(['DIAGNOSTICS_BASE_URL']);
  expect(await areas(one, other, `${other}/page`)).toEqual(['DIAGNOSTICS_BASE_URL', 'DIAGNOSTICS_AUTH_URL']);
  expect(await areas(one, one, other)).toEqual(['DIAGNOSTICS_BASE_URL', 'DIAGNOSTICS_LOGIN_URL']);
});
