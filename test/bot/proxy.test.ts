import { afterEach, beforeEach, expect } from 'vitest';
import { USER_ID, USER_SECRET } from '../emulators/diagnostics-service/account.ts';
import { LOGIN_PATH } from '../emulators/diagnostics-service/login.ts';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import { ask, askDuringFault, ended, shown, test } from '../support/conversation.ts';
import type { WorldOptions } from '../support/world.ts';

let proxy: ConnectProxy;
beforeEach(async () => {
  proxy = await startConnectProxy();
});
afterEach(() => proxy.close());

const API = 'api.diagnostics.test';
const LOGIN = 'login.diagnostics.test';
/** A second name of the login servers, which the Domain of their cookies does not match. */
const ALIAS = 'sso.intranet.test';

/** Gives the API and the login servers host names that resolve only behind the proxy. */
function twoHosts({ cookieDomain }: { readonly cookieDomain: string }): WorldOptions {
  return {
    hostnames: [API, LOGIN, ALIAS],
    service: { hostname: LOGIN, cookieDomain },
    variables: ({ baseUrl }) => ({
      DIAGNOSTICS_BASE_URL: baseUrl.replace(/[\w.]+(?=:\d)/, API),
      https_proxy: proxy.url,
    }),
  };
}

test('Through https_proxy the bot reaches the login servers and the API, and nothing else', async ({
  open,
}) => {
  const world = await open({ variables: () => ({ https_proxy: proxy.url }) });
  expect((await ask(world, '1012')).text).toContain('1 hit');
  const { authUrl, baseUrl } = world.service;
  expect([...new Set(proxy.tunnels)]).toEqual([new URL(authUrl).host, new URL(baseUrl).host]);
});

test('While the proxy refuses, people read that the login servers can’t be reached, and then the answer', async ({
  open,
}) => {
  proxy.refuseWith(403);
  const world = await open({ variables: () => ({ https_proxy: proxy.url }) });
  const { text } = await askDuringFault(world, '1012');
  expect(text).toMatch(/login servers \(localhost:\d+\) can’t be reached/);
  expect(world.service.records.logins).toEqual([]);
  proxy.open();
  expect((await shown(world, '1 hit')).history).toHaveLength(1);
});

test('The password of a proxy is not in the log', async ({ open }) => {
  proxy.refuseWith(407);
  const url = proxy.url.replace('//', '//someone:p4ssw0rd@');
  const world = await open({
    variables: () => ({ https_proxy: url, LOG_LEVEL: 'trace', WAIT_LIMIT_MINUTES: '0.01' }),
  });
  await world.slack.command({ text: '1012' });
  await ended(world, 1);
  expect(world.log.join('')).not.toContain('p4ssw0rd');
});

test('Cookies of the login servers reach the API by their Domain', async ({ open }) => {
  const world = await open(twoHosts({ cookieDomain: 'diagnostics.test' }));
  expect((await ask(world, '1012')).text).toContain('1 hit');
  expect(proxy.tunnels.map((host) => host.split(':')[0])).toEqual([LOGIN, API]);
  expect(world.service.records.requests.map(({ session }) => session)).toEqual(['live']);
});

test('When no cookie of a login is for the API, every answer names both addresses, after one login and no request', async ({
  open,
}) => {
  const world = await open(twoHosts({ cookieDomain: LOGIN }));
  for (const id of ['1012', '1002', '1001']) {
    expect((await ask(world, id)).text).toMatch(/The login succeeded, but .*BASE_URL.*AUTH_URL/s);
  }
  const readiness = await fetch(`${world.address()}/readyz`);
  expect(await readiness.json()).toMatchObject({ ready: true, reasons: [{ part: 'login' }] });
  expect(world.service.records.logins).toHaveLength(1);
  expect(world.service.records.requests).toEqual([]);
});

test('Cookies for other hosts and other paths are not sent to the API', async ({ open }) => {
  const world = await open(twoHosts({ cookieDomain: 'diagnostics.test' }));
  const { service } = world;
  // The test logs in itself, and lets the service answer the bot's login with these good cookies and some useless ones.
  const byHand = await fetch(service.authUrl.replace(LOGIN, 'localhost') + LOGIN_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'somebody/1.0' },
    body: JSON.stringify({ user_id: USER_ID, user_secret: USER_SECRET }),
  });
  const strange = [
    'lonely=1;Path=/;Secure',
    'foreign=1;Domain=elsewhere.test;Path=/;Secure',
    'narrow=1;Domain=diagnostics.test;Path=/auth;Secure',
    'sibling=1;Domain=other.diagnostics.test;Path=/;Secure',
    'odd',
  ];
  const headers = { 'set-cookie': [...byHand.headers.getSetCookie(), ...strange] };
  service.nextLoginAnswers([{ status: 200, headers, body: '{}' }]);
  expect((await ask(world, '1012')).text).toContain('1 hit');
  // The service would record a cookie that it never issued as a breach.
  expect(service.records.requests.map(({ session }) => session)).toEqual(['live']);
});
