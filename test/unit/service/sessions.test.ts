import { CookieJar } from 'tough-cookie';
import { describe, expect } from 'vitest';
import { LoginRefused, SessionRefused } from '../../../src/core/faults.ts';
import type { Question } from '../../../src/core/lookup.ts';
import { cookieHeader } from '../../../src/service/login.ts';
import type { Reply } from '../../emulators/diagnostics-service/types.ts';
import { test as sequential } from '../../support/service-world.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const test = sequential.concurrent;
const ONE: Question = { snapshotId: snapshotId('1012'), set: 'all' };
const HOUR = 3_600_000;

/** A login that sets these cookies, in place of those that the emulator would know. */
function setting(...cookies: string[]): Reply {
  return { status: 200, headers: { 'set-cookie': cookies }, body: '{}' };
}

function url(host: string): URL {
  return new URL(`https://${host}/x`);
}

describe('What a login sets', () => {
  const BASE = 'Domain=localhost;Path=/;Secure';

  test('is sent as it was set: cut at the first =, neither encoded nor quoted', async ({ open }) => {
    const { service, session } = await open();
    service.nextLoginAnswers([
      setting(
        `ssosession=!a+b/c==%20";Version=1;${BASE}`,
        `userinfo="x y";${BASE}`,
        `sso_completed=1;${BASE}`,
      ),
    ]);
    const { headers } = await session.authenticate(url('localhost'));
    expect(headers).toEqual({ cookie: 'ssosession=!a+b/c==%20"; userinfo="x y"; sso_completed=1' });
  });

  test('goes to the hosts of its domain and to no other', async () => {
    const jar = new CookieJar(undefined, { rejectPublicSuffixes: false });
    await jar.setCookie('ssosession=a;Domain=acme.example;Path=/;Secure', 'https://login.acme.example/');
    await jar.setCookie('own=b;Path=/;Secure', 'https://login.acme.example/');
    const cookies = await jar.serialize();
    const sentTo = (host: string) => cookieHeader(cookies, url(host), Date.now());
    expect(await sentTo('api.acme.example')).toBe('ssosession=a');
    expect(await sentTo('login.acme.example')).toBe('ssosession=a; own=b');
    for (const host of ['acme.example.evil.example', 'evilacme.example']) {
      await expect(sentTo(host)).rejects.toMatchObject({ host, domain: 'acme.example' });
    }
  });

  test.for([
    ['ssosession=a;Secure;Path=/auth', 'localhost/auth'],
    ['ssosession=a;Path=/;Domain=evil.example', 'evil.example'],
  ] as const)('%s reaches nobody else, which costs one login', async ([cookie, domain], { open }) => {
    const { service, session } = await open();
    service.nextLoginAnswers([setting(cookie)]);
    for (const again of [session, session])
      await expect(again.authenticate(url('localhost'))).rejects.toMatchObject({ domain });
    expect(service.records.logins).toHaveLength(1);
    expect(await session.health()).toMatchObject({ state: 'mismatched', fault: { domain } });
  });

  test.for([
    'ssosession=;Path=/',
    'ssosession=a;Path=/;Max-Age=0',
    'ssosession=a;Path=/;Max-Age=-1',
    'ssosession=deleted;Path=/;Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    'SSOSESSION=a;Path=/',
    'ssosession2=a;Path=/',
  ])('%s is no session', async (cookie, { open }) => {
    const { service, session } = await open();
    service.nextLoginAnswers([setting(cookie)]);
    await expect(session.authenticate(url('localhost'))).rejects.toThrow(LoginRefused);
  });

  test('is trusted no longer than the session cookie lives, whatever the body says', async ({ open }) => {
    const now = Date.now();
    const { service, session } = await open({ now: () => now });
    const body = JSON.stringify({ expires: now + 2 * HOUR });
    const login = setting(`ssosession=a;Max-Age=3600;${BASE}`, `userinfo=b;Max-Age=60;${BASE}`);
    service.nextLoginAnswers([{ ...login, body }]);
    await session.authenticate(url('localhost'));
    const health = await session.health();
    expect(health.state).toBe('working');
    const until = 'until' in health ? health.until - now : 0;
    expect(until).toBeGreaterThan(HOUR - 60_000);
    expect(until).toBeLessThan(HOUR + 60_000);
  });

  test('is sent only as long as each cookie lives; the session ends with its own', async ({ open }) => {
    let now = Date.now();
    const { service, session } = await open({ now: () => now });
    const old = new Date(now - 60_000).toUTCString();
    service.nextLoginAnswers([
      setting(
        `ssosession=a;Max-Age=3600;${BASE}`,
        `userinfo=b;Max-Age=60;${BASE}`,
        `other=c;Expires=${old};${BASE}`,
      ),
      setting(`ssosession=d;${BASE}`),
    ]);
    const sent = async () => (await session.authenticate(url('localhost'))).headers.cookie;
    expect(await sent()).toBe('ssosession=a; userinfo=b; other=c');
    now += 120_000;
    expect(await sent()).toBe('ssosession=a; other=c');
    expect(service.records.logins).toHaveLength(1);
    now += HOUR;
    expect(await sent()).toBe('ssosession=d');
    expect(service.records.logins).toHaveLength(2);
  });
});

describe('The session', () => {
  test('is one for any number of needs, processes and restarts', async ({ open }) => {
    const world = await open();
    const worlds = [world, world.another(), world.another()];
    const needs = worlds.flatMap(({ session }) =>
      Array.from({ length: 5 }, () => session.authenticate(url('localhost'))),
    );
    const given = await Promise.all(needs);
    expect(new Set(given.map(({ generation }) => generation)).size).toBe(1);
    await world.another().session.authenticate(url('localhost'));
    expect(world.service.records.logins).toHaveLength(1);
  });

  test('that was refused is replaced, and an old refusal does not touch the new one', async ({ open }) => {
    const { service, session } = await open();
    const first = await session.authenticate(url('localhost'));
    await session.refused(first);
    expect(await session.health()).toEqual({ state: 'not-needed' });
    const second = await session.authenticate(url('localhost'));
    expect(second.generation).not.toBe(first.generation);
    await session.refused(first);
    expect((await session.authenticate(url('localhost'))).generation).toBe(second.generation);
    expect(service.records.logins).toHaveLength(2);
  });

  test('that was refused again is not asked for until the cool-down has passed', async ({ open }) => {
    let now = Date.now();
    const { service, session, another } = await open({ now: () => now, coolDownMs: 5_000 });
    await session.refusedAgain(await session.authenticate(url('localhost')));
    expect(await session.health()).toEqual({ state: 'refused', until: now + 5_000 });
    now += 4_999;
    await expect(another().session.authenticate(url('localhost'))).rejects.toThrow(SessionRefused);
    expect(service.records.logins).toHaveLength(1);
    now += 1;
    expect(await session.health()).toEqual({ state: 'not-needed' });
    await session.authenticate(url('localhost'));
    expect(service.records.logins).toHaveLength(2);
  });

  test('of another account is no session, and its cool-down no cool-down', async ({ open }) => {
    const { service, session, another } = await open({ userSecret: 'wrong' });
    const refused = await session.authenticate(url('localhost')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LoginRefused);
    expect(refused).toMatchObject({ status: 302 });
    await expect(session.authenticate(url('localhost'))).rejects.toThrow(LoginRefused);
    const right = another({ userSecret: 'correct horse "battery" staple' });
    await right.session.authenticate(url('localhost'));
    expect(await right.session.health()).toMatchObject({ state: 'working' });
    expect(await session.health()).toMatchObject({ state: 'refused' });
    expect(service.records.logins).toHaveLength(2);
  });

  test('is renewed once for a request, and refused after that for everybody', async ({ open }) => {
    const { service, client, another } = await open();
    service.nextAnswers([{ status: 401 }]);
    expect((await client.diagnostics(ONE)).kind).toBe('ready');
    expect(service.records.logins).toHaveLength(2);
    service.nextAnswers([{ status: 401 }, { status: 401 }]);
    await expect(client.diagnostics(ONE)).rejects.toThrow(SessionRefused);
    await expect(another().client.diagnostics(ONE)).rejects.toThrow(SessionRefused);
    expect(service.records.logins).toHaveLength(3);
    expect(service.records.requests).toHaveLength(4);
  });

  test.for([
    ['nothing yet', [], 2],
    ['an analysis', [200], 3],
    ['that there is no such snapshot', [404], 3],
    ['only a failure', [503, 503, 503, 503], 2],
  ] as const)(
    'that replaces a refused one and has brought %s is replaced no more than that tells, whoever is refused with it',
    async ([_, statuses, logins], { open }) => {
      const { service, session, client, another } = await open();
      await session.refused(await session.authenticate(url('localhost')));
      await session.authenticate(url('localhost'));
      service.nextAnswers(statuses.filter((status) => status !== 200).map((status) => ({ status })));
      if (statuses.length > 0) await client.diagnostics(ONE).catch(() => {});
      service.switches.apiStatus = 401;
      await expect(another().client.diagnostics(ONE)).rejects.toThrow(SessionRefused);
      await expect(client.diagnostics(ONE)).rejects.toThrow(SessionRefused);
      expect(service.records.logins).toHaveLength(logins);
    },
  );

  test('that replaces a refused one and gets a page is as good as any, which costs no login', async ({
    open,
  }) => {
    const { service, session, client, another } = await open();
    await session.refused(await session.authenticate(url('localhost')));
    service.nextAnswers(['sign-in-page']);
    await expect(client.diagnostics(ONE)).rejects.toMatchObject({ code: 'not-a-document' });
    expect((await another().client.diagnostics(ONE)).kind).toBe('ready');
    expect(service.records.logins).toHaveLength(2);
  });
});
