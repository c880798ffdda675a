import { afterEach, expect, test, vi } from 'vitest';
import { header, locationOf, retryAfter, retryAt } from '../../../src/service/answers.ts';
import type { HttpResponse } from '../../../src/service/transport.ts';

const NOW = Date.UTC(2026, 10, 20);
const HOUR = 3_600_000;

afterEach(() => void vi.unstubAllEnvs());

function answer(headers: HttpResponse['headers']): HttpResponse {
  return { status: 200, headers, body: new Uint8Array() };
}

test.each([
  ['6', 6_000],
  [' 6 ', 6_000],
  ['0.5', 500],
  ['0.25', 250],
  ['0', 0],
  ['3600', HOUR],
  ['3601', HOUR],
  ['86400', HOUR],
  ['86401', undefined],
  ['978307200', undefined],
  ['9'.repeat(40), undefined],
  ['Fri, 20 Nov 2026 00:00:30 GMT', 30_000],
  ['Fri 20 Nov 2026 00:00:30 GMT', 30_000],
  ['on Fri, 20 Nov 2026 00:00:30 GMT', undefined],
  ['Friday, 20-Nov-26 00:00:30 GMT', 30_000],
  ['Fri Nov 20 00:00:30 2026', 30_000],
  ['Fri Nov  6 00:00:30 2026', 0],
  ['Fri, 20 Nov 2026 01:00:30 +0100', 30_000],
  ['6, 8', 8_000],
  ['8,6', 8_000],
  ['6, soon', undefined],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['Tue, 20 Nov 2057 00:00:00 GMT', undefined],
  ['Fri, 99 Nov 2026 00:00:30 GMT', undefined],
  ['-5', undefined],
  ['2026-11-20T00:00:30Z', undefined],
  ['soon', undefined],
  ['6 apples', undefined],
  ['1e3', undefined],
  ['', undefined],
])('Retry-After: %s', (value, ms) => {
  const stated = retryAfter(answer({ 'retry-after': value }), NOW);
  expect(stated).toBe(ms === undefined ? undefined : NOW + ms);
  expect(retryAt(answer({ 'retry-after': value }), NOW)).toBe(NOW + (ms ?? 5_000));
});

test('A Retry-After that comes twice names the later time', () => {
  expect(retryAfter(answer({ 'retry-after': ['6', '8'] }), NOW)).toBe(NOW + 8_000);
  const date = 'Fri, 20 Nov 2026 00:00:30 GMT';
  expect(retryAfter(answer({ 'retry-after': [date, '8'] }), NOW)).toBe(NOW + 30_000);
  expect(retryAfter(answer({ 'retry-after': ['soon', '8'] }), NOW)).toBe(NOW + 8_000);
});

const IN_TEN_MINUTES = 'Fri, 20 Nov 2026 00:10:30 GMT';

test.each([
  ['Fri, 20 Nov 2026 00:10:00 GMT', IN_TEN_MINUTES, 30_000],
  ['Thu, 19 Nov 2026 23:50:00 GMT', 'Thu, 19 Nov 2026 23:50:30 GMT', 30_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', IN_TEN_MINUTES, 630_000],
  ['Tue, 20 Nov 2057 00:00:00 GMT', IN_TEN_MINUTES, 630_000],
  ['soon', IN_TEN_MINUTES, 630_000],
])('A date is counted from the clock of who names it, where that is a clock: %s', (date, named, ms) => {
  expect(retryAfter(answer({ date, 'retry-after': named }), NOW)).toBe(NOW + ms);
  expect(retryAfter(answer({ date, 'retry-after': '30' }), NOW)).toBe(NOW + 30_000);
});

test('A date without a zone is in GMT, wherever the bot runs', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(new Date(NOW).getHours()).toBe(19);
  expect(retryAfter(answer({ 'retry-after': 'Fri Nov 20 00:00:30 2026' }), NOW)).toBe(NOW + 30_000);
});

test('Of a header that comes twice the first counts', () => {
  expect(header(answer({ a: ['1', '2'], b: '3' }), 'a')).toBe('1');
  expect(header(answer({ a: ['1', '2'], b: '3' }), 'b')).toBe('3');
  expect(header(answer({}), 'a')).toBeUndefined();
});

test.each([
  ['https://login.example/a?b', 'https://login.example/a?b'],
  ['/b', 'https://api.example/b'],
  ['//other.example/', 'https://other.example/'],
  ['https://', undefined],
  [undefined, undefined],
])('The Location %s leads to %s', (location, url) => {
  const found = locationOf(answer({ location }), new URL('https://api.example/a'));
  expect(found?.href).toBe(url);
});
