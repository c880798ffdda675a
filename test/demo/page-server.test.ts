import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSlack } from '../emulators/slack/slack.ts';
import { startService } from '../support/upstreams.ts';
import { readManifest } from './manifest.ts';
import { type ServedPage, servePageOf } from './page-server.ts';

let page: ServedPage;
let close: () => Promise<unknown>;
beforeAll(async () => {
  const [slack, service] = await Promise.all([startSlack(), startService()]);
  page = await servePageOf({ slack, service, manifest: readManifest() }, 0);
  close = () => Promise.all([page.close(), slack.close(), service.close()]);
});
afterAll(() => close());

/** The status of a request. `fetch` can't forge a Host header. */
function call(path: string, headers: Record<string, string> = {}, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const asked = request(new URL(path, page.address), { method, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

test('The page is served with all its files, and may load nothing from other hosts', async () => {
  const response = await fetch(page.address);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await response.text()).not.toMatch(/https?:\/\//);
  expect([await call('/page.js'), await call('/page.css'), await call('/else')]).toEqual([200, 200, 404]);
  expect(await call('/', { host: 'evil.example' })).toBe(403);
});

const ACTION = JSON.stringify({ kind: 'home', user: 'ana' });
const JSON_TYPE = { 'content-type': 'application/json' };

test.each([
  ['no origin', JSON_TYPE, ACTION, 403],
  ['another origin', { ...JSON_TYPE, origin: 'https://evil.example' }, ACTION, 403],
  ['a form', { 'content-type': 'text/plain', origin: 'own' }, ACTION, 403],
  ['an unknown action', { ...JSON_TYPE, origin: 'own' }, '{"kind":"rm"}', 400],
  ['the page itself', { ...JSON_TYPE, origin: 'own' }, ACTION, 200],
])('An action from %s: %4$i', async (_name, headers: Record<string, string>, body, status) => {
  const origin = headers.origin === 'own' ? { origin: page.address } : {};
  expect(await call('/action', { ...headers, ...origin }, body)).toBe(status);
});
