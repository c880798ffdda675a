import { describe, expect } from 'vitest';
import { test as sequential } from '../support/service-world.ts';
import { snapshotId } from '../support/snapshot-id.ts';

const test = sequential.concurrent;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 20, 9);
const API = new URL('https://localhost/x');
const ONE = { snapshotId: snapshotId('1012'), set: 'all' } as const;
const SESSION = 'ssosession=a;Domain=acme.example;Path=/;Secure';

/** A scripted answer to a login. */
function login(cookies: string | string[], { status = 200, body = '{}', headers = {} } = {}) {
  return { status, headers: { ...headers, 'set-cookie': cookies }, body };
}

/** A clock that only moves when the test moves it. */
function clock(start = NOW) {
  let at = start;
  return { now: () => at, advance: (ms: number) => (at += ms) };
}

const reaching = (host: string) => new URL(`https://${host}/x`);

describe('The cookies of a login', () => {
  test.for<[cookies: string | string[], host: string, sent: string | undefined]>([
    [SESSION, 'api.acme.example', 'ssosession=a'],
    [SESSION, 'acme.example', 'ssosession=a'],
    [SESSION, 'evilacme.example', undefined],
    [SESSION, 'acme.example.evil.example', undefined],
    ['ssosession=a;Path=/', 'api.acme.example', undefined],
    ['ssosession=a;Path=/', 'localhost', 'ssosession=a'],
    ['ssosession=a;Domain=acme.example', 'api.acme.example', undefined],
    ['ssosession=a;Domain=acme.example;Path=/auth', 'api.acme.example', undefined],
    ['ssosession=a;Version="1";Domain=".acme.example";Path="/"', 'api.acme.example', 'ssosession=a'],
    // A bare suffix as the Domain, which private networks use.
    ['ssosession=a;Domain=.corp;Path=/', 'api.corp', 'ssosession=a'],
    ['ssosession=a;Domain=test;Path=/', 'api.test', 'ssosession=a'],
    ['ssosession=a;Domain=home.arpa;Path=/', 'api.home.arpa', 'ssosession=a'],
    ['ssosession=a;Domain=intranet;Path=/', 'intranet', 'ssosession=a'],
    [
      [SESSION, 'userinfo="b+/=";Domain=acme.example;Path=/'],
      'api.acme.example',
      'ssosession=a; userinfo="b+/="',
    ],
    [[SESSION, 'own=c;Path=/', 'gone=;Domain=acme.example;Path=/'], 'api.acme.example', 'ssosession=a'],
    // A proxy folded two cookies into one header.
    [
      'userinfo=!b+/c=;Version=1;Domain=acme.example;Path=/, sid=d;Domain=acme.example;Path=/;Expires=Sun, 20 Dec 2026 09:00:00 GMT,' +
        'ssosession=!a=;Domain=acme.example;Path=/',
      'api.acme.example',
      'userinfo=!b+/c=; sid=d; ssosession=!a=',
    ],
  ])('%j reach %s as %s', async ([cookies, host, sent], { open }) => {
    const { service, session } = await open({ now: () => NOW });
    service.nextLoginAnswers([login(cookies)]);
    const authenticated = session.authenticate(reaching(host));
    if (sent === undefined)
      await expect(authenticated).rejects.toMatchObject({ code: 'cookie-domain', host });
    else expect(await authenticated).toMatchObject({ cookie: sent });
    expect(service.records.logins).toHaveLength(1);
  });

  test('that do not match the API’s host cost one login, and the fault names both hosts', async ({
    open,
  }) => {
    const { service, session, another } = await open();
    service.nextLoginAnswers([login('ssosession=a;Path=/;Domain=evil.example')]);
    const fault = { code: 'cookie-domain', host: 'localhost', domain: 'evil.example' };
    for (const each of [session, another().session])
      await expect(each.authenticate(API)).rejects.toMatchObject(fault);
    expect(await session.health()).toMatchObject({ state: 'mismatched', fault });
    expect(service.records.logins).toHaveLength(1);
  });
});

describe('A login', () => {
  test.for<[status: number, cookies: string | string[]]>([
    [200, []],
    [200, 'other=a;Path=/'],
    [200, 'ssosession=;Path=/'],
    [200, `ssosession=a;Path=/;Expires=${new Date(NOW - DAY - 1_000).toUTCString()}`],
    [200, 'ssosession=a;Path=/;Max-Age=0'],
    [200, 'SSOSESSION=a;Path=/'],
    [201, SESSION],
    [302, SESSION],
    [401, []],
    [406, []],
  ])('that is answered with %i and %j is refused', async ([status, cookies], { open }) => {
    const { service, session, outcomes } = await open({ now: () => NOW });
    service.nextLoginAnswers([login(cookies, { status })]);
    await expect(session.authenticate(API)).rejects.toMatchObject({ code: 'login-refused', status });
    expect(outcomes).toEqual(['refused']);
    expect(service.records.logins).toHaveLength(1);
  });

  test.for<[body: string, cookie: string, ms: number]>([
    ['{}', SESSION, 4 * HOUR],
    [`{"expires":${NOW + HOUR}}`, SESSION, HOUR],
    [`{"expires":${(NOW + HOUR) / 1_000}}`, SESSION, HOUR],
    ['{"expires":14325635000}', SESSION, 4 * HOUR],
    [`{"expires":${NOW - HOUR}}`, SESSION, 4 * HOUR],
    [`{"expires":${NOW + HOUR}}`, `${SESSION};Max-Age=60`, 60_000],
    [`{"expires":${NOW + 30_000}}`, `${SESSION};Max-Age=60`, 30_000],
    ['{}', `${SESSION};Expires=${new Date(NOW - HOUR).toUTCString()}`, 4 * HOUR],
    ['null', SESSION, 4 * HOUR],
    ['<html>', SESSION, 4 * HOUR],
  ])('that is answered with %j and the cookie %s is used for %i ms', async ([body, cookie, ms], { open }) => {
    const { now, advance } = clock();
    const { service, session } = await open({ now });
    service.nextLoginAnswers([login(cookie.replace('acme.example', 'localhost'), { body })]);
    await session.authenticate(API);
    expect(await session.health()).toEqual({ state: 'working', until: NOW + ms });
    advance(ms);
    expect(await session.health()).toEqual({ state: 'not-needed' });
    await session.authenticate(API);
    expect(service.records.logins).toHaveLength(2);
  });

  test('that fails is tried four times for everybody who waits, and the next login is tried at once', async ({
    open,
  }) => {
    const { service, client, session, outcomes } = await open();
    service.switches.loginStatus = 503;
    const asked = await Promise.allSettled([
      client.diagnostics(ONE),
      client.diagnostics(ONE),
      session.authenticate(API),
    ]);
    for (const each of asked)
      expect(each).toMatchObject({ reason: { code: 'service-failed', upstream: 'login servers' } });
    expect(service.records.logins).toHaveLength(4);
    expect(outcomes).toEqual(['failed']);
    service.switches.loginStatus = undefined;
    expect((await client.diagnostics(ONE)).kind).toBe('ready');
  });
});

describe('The session', () => {
  test('is shared by all requests, processes and restarts', async ({ open }) => {
    const world = await open();
    const worlds = [world, world.another(), world.another()];
    const given = await Promise.all(
      worlds.flatMap(({ session }) => Array.from({ length: 5 }, () => session.authenticate(API))),
    );
    expect(new Set(given.map(({ generation }) => generation)).size).toBe(1);
    await world.another().session.authenticate(API);
    expect(world.service.records.logins).toHaveLength(1);
  });

  test('that was refused is replaced at most once a minute, however many requests are refused', async ({
    open,
  }) => {
    const { now, advance } = clock(Date.now());
    const { service, session, client, another } = await open({ now, coolDownMs: 5 * 60_000 });
    const first = await session.authenticate(API);
    expect(await session.refused(first)).toBe(true);
    const second = await session.authenticate(API);
    expect(second.generation).not.toBe(first.generation);
    // A refusal of the old session leaves the new session in use.
    expect(await another().session.refused(first)).toBe(true);
    expect(await session.refused(second)).toBe(false);
    service.switches.apiStatus = 401;
    for (const { client: each } of [another(), another()])
      await expect(each.diagnostics(ONE)).rejects.toMatchObject({ code: 'session-refused' });
    expect(service.records.logins).toHaveLength(2);
    advance(60_000);
    service.switches.apiStatus = undefined;
    service.expireSessions();
    const asked = await Promise.all(Array.from({ length: 9 }, () => client.diagnostics(ONE)));
    expect(asked.map(({ kind }) => kind)).toEqual(Array(9).fill('ready'));
    expect(service.records.logins).toHaveLength(3);
  });

  test('of another account is not used', async ({ open }) => {
    const { session, another } = await open();
    await session.authenticate(API);
    const other = another({ userSecret: 'another' });
    expect(await other.session.health()).toEqual({ state: 'not-needed' });
    await expect(other.session.authenticate(API)).rejects.toMatchObject({ code: 'login-refused' });
  });
});

describe('After a refused login', () => {
  test.for([
    [undefined, 300_000],
    ['1', 300_000],
    ['1800', 1_800_000],
  ] as const)(
    'with Retry-After: %s nobody logs in for %i ms, and every request gets the refusal',
    async ([retryAfter, ms], { open }) => {
      const { now, advance } = clock();
      const { service, session, another } = await open({ now, coolDownMs: 300_000 });
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      service.nextLoginAnswers([login([], { status: 302, headers })]);
      const until = NOW + ms;
      const refusal = { code: 'login-refused', status: 302, retryAt: until };
      await expect(session.authenticate(API)).rejects.toMatchObject(refusal);
      advance(ms - 1);
      await expect(another().session.authenticate(API)).rejects.toMatchObject(refusal);
      expect(await another().session.health()).toEqual({ state: 'refused', until });
      expect(service.records.logins).toHaveLength(1);
      advance(1);
      expect(await session.health()).toEqual({ state: 'not-needed' });
      await session.authenticate(API);
      expect(service.records.logins).toHaveLength(2);
    },
  );

  test('another password is tried at once', async ({ open }) => {
    const { service, session, another } = await open({ userSecret: 'old' });
    await expect(session.authenticate(API)).rejects.toMatchObject({ code: 'login-refused' });
    const repaired = another({ userSecret: service.switches.userSecret });
    await repaired.session.authenticate(API);
    expect(service.records.logins).toHaveLength(2);
  });

  test('a clock that is set back by hours does not prolong the cool-down', async ({ open }) => {
    const { now, advance } = clock();
    const { service, session } = await open({ now, userSecret: 'old' });
    await expect(session.authenticate(API)).rejects.toMatchObject({ code: 'login-refused' });
    advance(-2 * HOUR);
    await expect(session.authenticate(API)).rejects.toMatchObject({ code: 'login-refused' });
    expect(service.records.logins).toHaveLength(2);
  });
});
