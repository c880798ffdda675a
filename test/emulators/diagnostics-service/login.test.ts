import { afterEach, expect, test } from 'vitest';
import { LOGIN_PAGE_PATH } from './login.ts';
import { GOOD_LOGIN, startTestClient, type TestClient } from './test-client.ts';
import type { DiagnosticsServiceOptions } from './types.ts';

let client: TestClient;
const start = async (options: Partial<DiagnosticsServiceOptions> = {}): Promise<TestClient> => {
  client = await startTestClient(options);
  return client;
};
afterEach(() => client.close());

test('a good login is a 200 with four cookies and their attributes', async () => {
  const { login, service } = await start({ vendor: 'acme', cookieDomain: '.example.com' });
  const { status, headers, body } = await login();

  expect(status).toBe(200);
  expect(Object.keys(JSON.parse(body))).toEqual(['expires']);
  const cookies = [headers['set-cookie'] ?? []].flat();
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
    'ssosession',
    'userinfo',
    'sso_completed',
    'acmesid01',
  ]);
  for (const cookie of cookies) expect(cookie).toMatch(/;Version=1;Domain=\.example\.com;Path=\/;Secure$/);
  expect(cookies[0]).toMatch(/^ssosession=![^;]*\+[^;]*\/[^;]*=;/);
  expect(service.records.logins).toMatchObject([{ outcome: 'granted', status: 200 }]);
  expect(service.records.breaches).toEqual([]);
});

test.each([
  ['seconds', { expires: 1_003 }],
  ['milliseconds', { expires: 1_003_500 }],
  ['eleven-digits', { expires: 14_341_352_934 }],
  ['past', { expires: -2_600 }],
  ['absent', {}],
  ['text', { expires: 'Thu, 01 Jan 1970 00:16:43 GMT' }],
] as const)('the expiry can be stated as %s', async (expires, expected) => {
  const { login } = await start({ expires, now: () => 1_000_500, sessionMs: 3_000 });
  expect(JSON.parse((await login()).body)).toEqual(expected);
});

test('wrong credentials are sent to the login page without a session, and are no breach', async () => {
  const { login, send, service } = await start();
  const { status, headers } = await login({ body: JSON.stringify({ ...GOOD_LOGIN, user_secret: 'wrong' }) });

  expect(status).toBe(302);
  expect(headers.location).toBe(`${service.loginUrl}${LOGIN_PAGE_PATH}`);
  expect(headers['set-cookie']).toBeUndefined();
  expect(service.records).toMatchObject({ logins: [{ outcome: 'refused' }], breaches: [] });

  const page = await send(String(headers.location), {});
  expect(page.headers['content-type']).toMatch(/^text\/html/);
  expect(await page.body.text()).toContain('Sign in');
  expect(service.records.loginPageViews).toBe(1);
});

const json = (value: unknown) => ({ body: JSON.stringify(value) });
test.each([
  ['a slash too many', { path: '/auth/pub/sso/login/diagnostics-api/' }, 'the path is'],
  ['a query', { path: '/auth/pub/sso/login/diagnostics-api?user_id=x' }, 'the path is'],
  ['another method', { method: 'PUT' }, 'the method is PUT'],
  ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 'the content type is'],
  ['no user agent', { headers: { 'user-agent': '' } }, 'the User-Agent is missing'],
  ['the user agent of undici', { headers: { 'user-agent': 'undici' } }, 'the default of a library'],
  ['the user agent of node', { headers: { 'user-agent': 'node/26' } }, 'the default of a library'],
  ['no JSON', { body: 'user_id=x' }, 'the body is no JSON object'],
  ['an array', json([GOOD_LOGIN]), 'the body is no JSON object'],
  ['one field too many', json({ ...GOOD_LOGIN, remember: true }), 'the body has the fields'],
  ['one field too few', json({ user_id: 'x' }), 'the body has the fields'],
  ['a number', json({ user_id: 'x', user_secret: 1 }), 'user_secret is not a string'],
] as const)('a login with %s is refused and recorded as a breach', async (_, overrides, sentence) => {
  const { login, service } = await start();
  const { status, headers } = await login(overrides);

  expect(status).toBe(400);
  expect(headers['set-cookie']).toBeUndefined();
  expect(service.records.breaches).toEqual([expect.stringContaining(sentence)]);
  expect(service.records.logins).toMatchObject([{ outcome: 'breach' }]);
});

test('whoever follows a redirect to the login servers gets a page and a breach', async () => {
  const { ask, send, service } = await start();
  const { headers } = await ask('1', '');
  const page = await send(String(headers.location), {});

  expect(page.statusCode).toBe(200);
  expect(page.headers['content-type']).toMatch(/^text\/html/);
  await page.body.dump();
  expect(service.records.breaches.at(-1)).toContain('a redirect to the login servers was followed');
});

test('logins can be made to fail, by a switch or once by a script', async () => {
  const { login, service } = await start();
  service.switches.loginRefused = true;
  expect((await login()).status).toBe(302);
  service.switches.loginRefused = false;
  Object.assign(service.switches, { loginStatus: 429, retryAfterSeconds: 7 });
  expect(await login()).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
  service.switches.loginStatus = undefined;
  service.nextLoginAnswers([{ status: 200, body: '{}' }, 'reset']);
  expect((await login()).headers['set-cookie']).toBeUndefined();
  await expect(login()).rejects.toThrow(/ECONNRESET|closed/);
  expect((await login()).headers['set-cookie']).toHaveLength(4);

  const outcomes = service.records.logins.map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['refused', 'scripted', 'scripted', 'scripted', 'granted']);
});
