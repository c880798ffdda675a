import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CookieDomainMismatch } from '../../../src/core/faults.ts';
import { cookieHeader, type LoginSuccess, login } from '../../../src/service/login.ts';
import { LONGEST_TRUST_MS, SharedState } from '../../../src/service/shared-state.ts';
import type { HttpRequest, HttpResponse } from '../../../src/service/transport.ts';

const NOW = Date.UTC(2026, 10, 20, 9);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SESSION = 'ssosession=a;Domain=acme.example;Path=/;Secure';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => void vi.useRealTimers());

type Answer = {
  status?: number;
  cookies?: string | string[];
  body?: string;
  headers?: HttpResponse['headers'];
};

/** One login that is answered so, and the request that it made. */
function loggingIn(
  { status = 200, cookies, body = '{}', headers = {} }: Answer,
  host = 'login.acme.example',
) {
  const asked: HttpRequest[] = [];
  const state = SharedState.alone(Date.now);
  const answer: HttpResponse = {
    status,
    headers: { ...headers, ...(cookies === undefined ? {} : { 'set-cookie': cookies }) },
    body: new TextEncoder().encode(body),
  };
  const transport = {
    send: async <T>(request: HttpRequest, read: (answer: HttpResponse) => T | Promise<T>) => {
      asked.push(request);
      return read(answer);
    },
  };
  const settings = {
    ...{ baseUrl: 'https://api.acme.example', loginUrl: 'https://login.acme.example', vendor: 'acme' },
    ...{ authUrl: `https://${host}`, userId: 'ana', userSecret: 'a "secret"', userAgent: 'bot/1' },
  };
  const stopping = new AbortController().signal;
  const parts = { transport: { ...transport, stopping }, settings, state, now: Date.now };
  return { asked, state, outcome: login(parts) };
}

async function success(answer: Answer, host?: string): Promise<LoginSuccess> {
  const outcome = await loggingIn(answer, host).outcome;
  if ('refusedWith' in outcome) throw new Error(`refused with ${outcome.refusedWith}`);
  return outcome;
}

function sent({ cookies }: LoginSuccess, address: string, later = 0): Promise<string> {
  return cookieHeader(cookies, new URL(address), NOW + later);
}

describe('A login', () => {
  test('is a POST of JSON, which waits while the login servers asked to slow down', async () => {
    const { asked, state, outcome } = loggingIn({ cookies: SESSION });
    await outcome;
    const [request] = asked;
    expect(request).toMatchObject({
      upstream: 'login servers',
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'bot/1' },
      body: '{"user_id":"ana","user_secret":"a \\"secret\\""}',
    });
    expect(request?.url.href).toBe('https://login.acme.example/auth/pub/sso/login/diagnostics-api');
    await request?.mayStart();
    await state.begin('login servers', 1_000);
    await expect(request?.mayStart()).rejects.toMatchObject({ code: 'rate-limited', retryAt: NOW + 1_000 });
  });

  test.each([
    [429, undefined, { code: 'rate-limited', retryAt: NOW + 5_000 }],
    [429, '7', { code: 'rate-limited', retryAt: NOW + 7_000 }],
    [500, undefined, { code: 'service-failed', upstream: 'login servers', status: 500, retryAt: undefined }],
    [599, '7', { code: 'service-failed', upstream: 'login servers', status: 599, retryAt: NOW + 7_000 }],
  ])('that is answered with %i, Retry-After: %s, may pass by itself', async (status, value, fault) => {
    const headers = value === undefined ? {} : { 'retry-after': value };
    const { state, outcome } = loggingIn({ status, headers, cookies: SESSION });
    await expect(outcome).rejects.toMatchObject(fault);
    expect((await state.read()).spans['login servers']?.until).toBe(fault.retryAt);
  });

  test.each<[status: number, cookies?: string | string[]]>([
    [200],
    [200, []],
    [200, 'other=a;Path=/'],
    [200, 'ssosession=;Path=/'],
    [200, `ssosession=a;Path=/;Expires=${new Date(NOW - DAY - 1_000).toUTCString()}`],
    [200, 'ssosession=a;Path=/;Max-Age=0'],
    [200, 'ssosession=a;Path=/;Max-Age=-1'],
    [200, 'SSOSESSION=a;Path=/'],
    [200, 'ssosession2=a;Path=/'],
    [201, SESSION],
    [302, SESSION],
    [401],
    [499, SESSION],
  ])('that is answered with %i and %j is refused', async (status, cookies) => {
    const { outcome } = loggingIn({ status, ...(cookies === undefined ? {} : { cookies }) });
    expect(await outcome).toEqual({ refusedWith: status });
  });

  test('that is refused with a Retry-After names that time', async () => {
    const { state, outcome } = loggingIn({ status: 403, headers: { 'retry-after': '1800' } });
    expect(await outcome).toEqual({ refusedWith: 403, retryAt: NOW + 1_800_000 });
    // The cool-down keeps it, and says why.
    expect((await state.read()).spans).toEqual({});
  });

  test.each([
    SESSION,
    `ssosession=a;Path=/;Expires=${new Date(NOW - DAY).toUTCString()}`,
    `ssosession=a;Path=/;Expires=${new Date(NOW).toUTCString()}`,
  ])('that sets %s has succeeded', async (cookies) => {
    expect((await success({ cookies })).trustedUntil).toBe(NOW + LONGEST_TRUST_MS);
  });

  test.each([
    ['acme.example', 'ssosession=a;Version="1";Domain="acme.example";Path="/";Secure'],
    ['.acme.example', 'ssosession=a;Version="1";Domain=".acme.example";Path="/";Max-Age="60";Secure'],
    ['acme.example, under an alias', SESSION, 'sso.intranet.example'],
    ['a host of its own, by an alias', 'ssosession=a;Domain=api.acme.example;Path=/', 'sso.intranet.example'],
  ])('may set a cookie for %s: it reaches the API', async (_, cookies, host = 'login.acme.example') => {
    expect(await sent(await success({ cookies }, host), 'https://api.acme.example/')).toBe('ssosession=a');
  });

  test.each([
    ['other.example', 'other.example', 'ssosession=a;Domain=other.example;Path=/'],
    ['no other host', 'login.acme.example', 'ssosession=a;Path=/'],
    ['what is no host', 'login.acme.example', 'ssosession=a;Domain=a b/c;Path=/'],
  ])('whose cookies are for %s has succeeded, and does not reach the API', async (_, domain, cookies) => {
    const shared = await success({ cookies });
    const address = new URL('https://api.acme.example/x');
    await expect(cookieHeader(shared.cookies, address, NOW)).rejects.toMatchObject({
      ...{ code: 'cookie-domain', host: 'api.acme.example', domain },
    });
  });

  test('may set a cookie for a host of one label, as networks of one company have them', async () => {
    const shared = await success({ cookies: 'ssosession=a;Domain=intranet;Path=/' }, 'intranet');
    expect(await sent(shared, 'https://intranet/')).toBe('ssosession=a');
  });
});

describe('A session is trusted', () => {
  test.each([
    ['{}', SESSION, LONGEST_TRUST_MS],
    [`{"expires":${NOW + HOUR}}`, SESSION, HOUR],
    [`{"expires":${(NOW + HOUR) / 1_000}}`, SESSION, HOUR],
    [`{"expires":${NOW + HOUR}}`, `${SESSION};Max-Age=60`, 60_000],
    [`{"expires":${NOW + 30_000}}`, `${SESSION};Max-Age=60`, 30_000],
    ['{}', `${SESSION};Expires=${new Date(NOW + HOUR).toUTCString()}`, HOUR],
    ['{"other":1}', SESSION, LONGEST_TRUST_MS],
    ['null', SESSION, LONGEST_TRUST_MS],
    ['7', SESSION, LONGEST_TRUST_MS],
    ['"expires"', SESSION, LONGEST_TRUST_MS],
    ['[]', SESSION, LONGEST_TRUST_MS],
    ['<html>', SESSION, LONGEST_TRUST_MS],
    ['', SESSION, LONGEST_TRUST_MS],
  ])('as its answer %j and its cookie %s say', async (body, cookies, ms) => {
    expect((await success({ cookies, body })).trustedUntil).toBe(NOW + ms);
  });
});

test('A body that is too long for an answer to a login says nothing of its session', async () => {
  const of = (length: number) => `{"expires":${NOW + HOUR}}`.padEnd(length);
  expect((await success({ cookies: SESSION, body: of(64 * 1024) })).trustedUntil).toBe(NOW + HOUR);
  const tooLong = await success({ cookies: SESSION, body: of(64 * 1024 + 1) });
  expect(tooLong.trustedUntil).toBe(NOW + LONGEST_TRUST_MS);
});

describe('The cookies of a session', () => {
  const API = 'https://api.acme.example/x';
  const with_ = (...others: string[]) => success({ cookies: [SESSION, ...others] });

  test('go together to the hosts of their domain', async () => {
    const session = await with_('userinfo="b";Domain="acme.example";Path=/', 'own=c;Path=/');
    expect(await sent(session, API)).toBe('ssosession=a; userinfo="b"');
    expect(await sent(session, 'https://login.acme.example/')).toBe('ssosession=a; userinfo="b"; own=c');
  });

  test('are not sent where the session cookie does not apply, whatever else applies', async () => {
    const session = await success({
      cookies: ['ssosession=a;Path=/', 'userinfo=b;Domain=acme.example;Path=/'],
    });
    for (const address of [API, 'https://acme.example.evil.example/', 'https://evilacme.example/'])
      await expect(sent(session, address)).rejects.toThrow(CookieDomainMismatch);
  });

  test('end one by one, but the session cookie lasts as long as the session', async () => {
    const session = await success({
      cookies: [`${SESSION};Max-Age=60`, 'userinfo=b;Domain=acme.example;Path=/;Max-Age=60'],
    });
    expect(await sent(session, API, 59_999)).toBe('ssosession=a; userinfo=b');
    expect(await sent(session, API, 60_000)).toBe('ssosession=a');
    expect(await sent(session, API, DAY)).toBe('ssosession=a');
  });

  test.each([
    [0, true],
    [-1_000, true],
    [-DAY, true],
    [-DAY - 1_000, false],
  ])(
    'count although they expired %i ms before they came, unless the server deletes them that way',
    async (ms, isSent) => {
      const end = new Date(NOW + ms).toUTCString();
      const session = await with_(`userinfo=b;Domain=acme.example;Path=/;Expires=${end}`);
      expect(await sent(session, API)).toBe(isSent ? 'ssosession=a; userinfo=b' : 'ssosession=a');
    },
  );
});
