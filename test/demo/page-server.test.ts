import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BareBot } from '../emulators/slack/testing/bare-bot.ts';
import { openPageOfBareBot, type PageFixture } from './page-fixture.ts';

let fixture: PageFixture<BareBot>;
beforeAll(async () => {
  fixture = await openPageOfBareBot();
});
afterAll(() => fixture.close());

interface Call {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends a request with a forged Host header, which the built-in `fetch` does not allow. */
function call(path: string, { method = 'GET', headers = {}, body = '' }: Call = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, fixture.address), { method, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

const ACTION = JSON.stringify({ kind: 'home', user: 'ana' });
const json = { 'content-type': 'application/json' };

test('the page is served with all its files, and may load nothing from other hosts', async () => {
  const response = await fetch(fixture.address);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await response.text()).not.toMatch(/https?:\/\//);
  expect(await call('/page.js')).toBe(200);
  expect(await call('/page.css')).toBe(200);
  expect(await call('/anything-else')).toBe(404);
});

test('a request with another Host is refused', async () => {
  expect(await call('/', { headers: { host: 'evil.example' } })).toBe(403);
  expect(await call('/', { headers: { host: `localhost:${new URL(fixture.address).port}` } })).toBe(200);
});

test('only the page itself can send an action', async () => {
  const origin = fixture.address;
  const send = (headers: Record<string, string>, body = ACTION) =>
    call('/action', { method: 'POST', headers, body });
  expect(await send({ ...json, origin })).toBe(200);
  expect(await send(json)).toBe(403);
  expect(await send({ ...json, origin: 'https://evil.example' })).toBe(403);
  expect(await send({ 'content-type': 'text/plain', origin })).toBe(403);
  expect(await send({ ...json, origin }, '{"kind":"rm"}')).toBe(400);
  expect(await send({ ...json, origin }, 'no json')).toBe(400);
});
