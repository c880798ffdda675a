import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bench } from '../emulators/slack/testing/bare-bot.ts';
import { readManifest } from './manifest.ts';
import { openBench, type Playhouse } from './playhouse.ts';

let house: Playhouse<Bench>;
beforeAll(async () => {
  house = await openBench(readManifest());
});
afterAll(() => house.close());

interface Call {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** The built-in `fetch` lets nobody forge a Host. */
function call(path: string, { method = 'GET', headers = {}, body = '' }: Call = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, house.address), { method, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

const ACT = JSON.stringify({ act: 'expire', user: 'ana' });
const json = { 'content-type': 'application/json' };

test('the page comes whole, and may load nothing from elsewhere', async () => {
  const response = await fetch(house.address);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await response.text()).not.toMatch(/https?:\/\//);
  expect(await call('/page.js')).toBe(200);
  expect(await call('/page.css')).toBe(200);
  expect(await call('/anything-else')).toBe(404);
});

test('another name for this address is refused', async () => {
  expect(await call('/', { headers: { host: 'evil.example' } })).toBe(403);
  expect(await call('/', { headers: { host: `localhost:${new URL(house.address).port}` } })).toBe(200);
});

test('only the page itself can act', async () => {
  const origin = house.address;
  const act = (headers: Record<string, string>, body = ACT) =>
    call('/act', { method: 'POST', headers, body });
  expect(await act({ ...json, origin })).toBe(200);
  expect(await act(json)).toBe(403);
  expect(await act({ ...json, origin: 'https://evil.example' })).toBe(403);
  expect(await act({ 'content-type': 'text/plain', origin })).toBe(403);
  expect(await act({ ...json, origin }, '{"act":"rm"}')).toBe(400);
  expect(await act({ ...json, origin }, 'no json')).toBe(400);
});
