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
