import { afterEach, beforeEach, expect, test } from 'vitest';
import { diagnosticsPath, startTestClient, type TestClient } from './test-client.ts';

const DOCUMENT = {
  diagnostics: [
    { name: 'D1', match: true },
    { name: 'H1', match: false },
  ],
  sha1: 'd41d8',
};

let clock: number;
let client: TestClient;
beforeEach(async () => {
  clock = 1_000_000;
  client = await startTestClient({
    now: () => clock,
    sessionMs: 60_000,
  });
  client.service.shelve('1', { title: '', purpose: '', document: DOCUMENT, counts: true });
});
afterEach(() => client.close());

test.each([
  ['a wrong path', { path: '/snapshot-analyzer/api/snapshots/1' }, 404, 'the path'],
  ['an id in hex', { path: diagnosticsPath('0x1') }, 404, 'the path'],
  ['an encoded id', { path: diagnosticsPath('%31') }, 404, 'the path'],
  ['another method', { method: 'DELETE' }, 405, 'the method is DELETE'],
  ['an empty set', { path: diagnosticsPath('1', '?set=') }, 400, 'the query "set="'],
  ['a set that does not exist', { path: diagnosticsPath('1', '?set=all') }, 400, 'the query'],
  ['two sets', { path: diagnosticsPath('1', '?set=hit&set=hit') }, 400, 'the query'],
  ['a parameter more', { path: diagnosticsPath('1', '?set=hit&page=2') }, 400, 'the query'],
  ['no media type', { headers: { accept: '' } }, 406, 'the Accept header is'],
  ['any media type', { headers: { accept: '*/*' } }, 406, 'the Accept header is'],
  ['a body', { method: 'GET', body: '{}' }, 400, 'a GET came with a body'],
] as const)('a request with %s is refused and recorded', async (_, overrides, status, sentence) => {
  const cookie = await client.cookie();
  expect((await client.ask('1', cookie, overrides)).status).toBe(status);
  expect(client.service.records.breaches).toEqual([expect.stringContaining(sentence)]);
});

const spoil = (change: (cookies: string[]) => string[]) => (cookie: string) =>
  change(cookie.split('; ')).join('; ');
test.each([
  ['one cookie too few', spoil((cookies) => cookies.slice(1)), 'ssosession is missing'],
  ['one cookie too many', spoil((cookies) => [...cookies, 'a=b']), '"a" was never issued'],
  ['a cookie twice', spoil((cookies) => [...cookies, ...cookies.slice(0, 1)]), 'more than once'],
  ['encoded values', (cookie: string) => cookie.replaceAll('+', '%2B'), 'was URL-encoded'],
  ['quoted values', (cookie: string) => cookie.replace(/userinfo=([^;]*)/, 'userinfo="$1"'), 'in quotes'],
  ['values cut at the last =', (cookie: string) => cookie.replaceAll('=;', ';'), 'was altered'],
  ['another sso_completed', (cookie: string) => cookie.replace('completed=1', 'completed=true'), 'altered'],
])('cookies with %s are refused and recorded', async (_, change, sentence) => {
  const cookie = change(await client.cookie());
  expect((await client.ask('1', cookie)).status).toBe(400);
  expect(client.service.records.breaches.join('\n')).toContain(sentence);
});

test('cookies of two sessions cannot be mixed', async () => {
  const [first = '', ...rest] = (await client.cookie()).split('; ');
  const [, ...others] = (await client.cookie()).split('; ');
  expect(rest).not.toEqual(others);
  expect((await client.ask('1', [first, ...others].join('; '))).status).toBe(400);
  expect(client.service.records.breaches).toEqual([expect.stringContaining('two sessions were mixed')]);
});

test('without a live session a request is sent to the login servers, which is no breach', async () => {
  const cookie = await client.cookie();
  client.service.expireSessions();
  const { status, headers } = await client.ask('1', cookie);
  expect(status).toBe(302);
  expect(String(headers.location).startsWith(`${client.service.authUrl}/`)).toBe(true);

  const second = await client.cookie();
  expect((await client.ask('1', second)).status).toBe(200);
  clock += 60_000;
  expect((await client.ask('1', second)).status).toBe(302);
  expect(client.service.records.breaches).toEqual([]);
  expect(client.service.records.requests.map(({ session }) => session)).toEqual(['dead', 'live', 'dead']);
});

test('asking for the same snapshot and set too soon after a 202 is a breach, but answered', async () => {
  client.service.shelve('2', { title: '', purpose: '', processing: { forMs: 'forever' } });
  const cookie = await client.cookie();
  await client.ask('2', cookie);
  clock += 9_999;
  await client.ask('2', cookie, { path: diagnosticsPath('2', '?set=hit') });
  expect(client.service.records.breaches).toEqual([]);
  expect(await client.ask('2', cookie)).toMatchObject({ status: 202, body: '' });
  expect(client.service.records.breaches).toEqual([
    expect.stringContaining('asked again 9999 ms after a 202'),
  ]);
});

test('asking before the time that Retry-After named is a breach, but not of what was on its way', async () => {
  const cookie = await client.cookie();
  client.service.nextAnswers([{ status: 503, headers: { 'retry-after': '60' } }]);
  await client.ask('1', cookie);
  await client.ask('1', cookie);
  expect(client.service.records.breaches).toEqual([]);
  clock += 59_000;
  await client.ask('1', cookie);
  expect(client.service.records.breaches).toEqual([
    expect.stringContaining('before the time that Retry-After'),
  ]);
});
