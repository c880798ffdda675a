import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { diagnosticsPath, startTestClient, type TestClient } from './test-client.ts';
import type { LoginRecord, RequestRecord } from './types.ts';

let client: TestClient;
let answered: (record: LoginRecord | RequestRecord) => void;
beforeEach(async () => {
  answered = () => undefined;
  client = await startTestClient({ onAnswered: (record) => answered(record) });
  client.service.shelve('1', { title: '', purpose: '', document: { diagnostics: [] } });
});
afterEach(() => client.close());

test('the next answers can be scripted, for any snapshot or for one', async () => {
  const cookie = await client.cookie();
  client.service.nextAnswers([{ status: 429, headers: { 'retry-after': '3' } }], '7');
  client.service.nextAnswers(['sign-in-page', 'ordinary', { status: 503, body: 'busy' }]);
  expect((await client.ask('1', cookie)).body).toContain('Sign in');
  expect((await client.ask('1', cookie)).status).toBe(200);
  expect(await client.ask('7', cookie)).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
  expect(await client.ask('1', cookie)).toMatchObject({ status: 503, body: 'busy' });
  client.service.switches.apiStatus = 500;
  expect((await client.ask('1', cookie)).status).toBe(500);
});

test('connections can be reset, by a script or a switch, and answers truncated', async () => {
  const cookie = await client.cookie();
  client.service.nextAnswers(['reset', 'truncate']);
  await expect(client.ask('1', cookie)).rejects.toThrow(/ECONNRESET|closed/);
  await expect(client.ask('1', cookie)).rejects.toThrow(/ECONNRESET|closed|terminated/);
  client.service.switches.resetConnections = true;
  await expect(client.ask('1', cookie)).rejects.toThrow(/ECONNRESET|closed/);
  await expect(client.login()).rejects.toThrow(/ECONNRESET|closed/);
});

test('an answer can fail to come at all', async () => {
  const cookie = await client.cookie();
  client.service.nextAnswers(['hang']);
  const abort = new AbortController();
  answered = ({ status }) => abort.abort(`status ${status}`);
  await expect(client.ask('1', cookie, { signal: abort.signal })).rejects.toBe('status hang');
});

test.each(['hang-in-body', 'trickle', 'huge'] as const)('a body can %s without an end', async (how) => {
  const cookie = await client.cookie();
  client.service.nextAnswers([how]);
  const { statusCode, body } = await client.send(`${client.service.baseUrl}${diagnosticsPath('1')}`, {
    headers: { accept: 'application/vnd.acme.diagnostics.api', cookie },
  });
  expect(statusCode).toBe(200);
  let chunks = 0;
  for await (const _ of body) {
    chunks += 1;
    if (chunks === (how === 'hang-in-body' ? 1 : 3)) break;
  }
  expect(chunks).toBeGreaterThan(0);
});

test('closing the service ends the requests that still wait', async () => {
  const cookie = await client.cookie();
  client.service.switches.latencyMs = 600_000;
  const waiting = expect(client.ask('1', cookie)).rejects.toThrow();
  await client.service.close();
  await waiting;
});

test('answers can be held until a test releases them, those to logins too', async () => {
  const cookie = await client.cookie();
  const { records } = client.service;
  const release = client.service.hold();
  const answers = Promise.all([client.ask('1', cookie), client.login()]);
  await vi.waitFor(() => expect([records.requests.length, records.logins.length]).toEqual([1, 2]));
  expect([records.requests[0]?.answeredAt, records.logins[1]?.answeredAt]).toEqual([undefined, undefined]);
  release();
  expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
});

test('plain HTTP is not answered', async () => {
  const url = client.service.baseUrl.replace('https:', 'http:');
  await expect(client.send(url, {})).rejects.toThrow();
  expect(client.service.records.requests).toEqual([]);
});
