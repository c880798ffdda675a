import { describe, expect } from 'vitest';
import { SessionRefused } from '../../../src/core/faults.ts';
import type { Question } from '../../../src/core/lookup.ts';
import type { SharedSession } from '../../../src/service/session.ts';
import { LONGEST_TRUST_MS } from '../../../src/service/shared-state.ts';
import type { Reply } from '../../emulators/diagnostics-service/types.ts';
import { test as sequential } from '../../support/service-world.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const test = sequential.concurrent;
const ONE: Question = { snapshotId: snapshotId('1012'), set: 'all' };

/** A login that sets these cookies, in place of those that the emulator would know. */
function setting(...cookies: string[]): Reply {
  return { status: 200, headers: { 'set-cookie': cookies }, body: '{}' };
}

const REFUSAL = { path: '/x', isCertain: true, isRepeated: false };

function url(host: string): URL {
  return new URL(`https://${host}/x`);
}

describe('What a login sets', () => {
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
    await session.refused(first, REFUSAL);
    expect(await session.health()).toEqual({ state: 'not-needed' });
    const second = await session.authenticate(url('localhost'));
    expect(second.generation).not.toBe(first.generation);
    await second.prove?.();
    await session.refused(first, REFUSAL);
    expect((await session.authenticate(url('localhost'))).generation).toBe(second.generation);
    expect(service.records.logins).toHaveLength(2);
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
      await session.refused(await session.authenticate(url('localhost')), REFUSAL);
      await session.authenticate(url('localhost'));
      service.nextAnswers(statuses.filter((status) => status !== 200).map((status) => ({ status })));
      if (statuses.length > 0) await client.diagnostics(ONE).catch(() => {});
      service.switches.apiStatus = 401;
      await expect(another().client.diagnostics(ONE)).rejects.toThrow(SessionRefused);
      await expect(client.diagnostics(ONE)).rejects.toThrow(SessionRefused);
      expect(service.records.logins).toHaveLength(logins);
    },
  );

  test('that ends after logins in vain is renewed once they are long ago', async ({ open }) => {
    const coolDownMs = 60_000;
    let ahead = 0;
    const { service, client } = await open({ coolDownMs, now: () => Date.now() + ahead });
    for (const id of ['7001', '7002', '7003']) {
      service.nextAnswers([{ status: 401 }, { status: 401 }], id);
      await expect(client.diagnostics({ ...ONE, snapshotId: snapshotId(id) })).rejects.toThrow(
        SessionRefused,
      );
      expect((await client.diagnostics(ONE)).kind).toBe('ready');
    }
    service.expireSessions();
    await expect(client.diagnostics(ONE)).rejects.toThrow(SessionRefused);
    expect(service.records.logins).toHaveLength(4);
    ahead += coolDownMs;
    expect((await client.diagnostics(ONE)).kind).toBe('ready');
    expect(service.records.logins).toHaveLength(5);
  });

  test('is remembered as refused for so many snapshots only, so that what all share stays small', async ({
    open,
  }) => {
    const { session, state } = await open();
    const headers = await session.authenticate(url('localhost'));
    for (let index = 0; index < 100; index += 1)
      await session.refused(headers, { path: `/${index}`, isCertain: false, isRepeated: true });
    const paths = Object.keys((await state.read()).refusals ?? {});
    expect([paths.length, paths.at(-1)]).toEqual([51, '/99']);
  });

  test.for([
    ['refused for ten snapshots', 'refused', 10, true],
    ['refused for nine snapshots', 'working', 9, true],
    ['answered with a page for ten snapshots', 'working', 10, false],
  ] as const)(
    'that replaces a refused one and is %s: the login counts as %s',
    async ([_, state, count, isCertain], { open }) => {
      const coolDownMs = 60_000;
      let ahead = 0;
      const { session } = await open({ coolDownMs, now: () => Date.now() + ahead });
      await session.refused(await session.authenticate(url('localhost')), REFUSAL);
      const anew = await session.authenticate(url('localhost'));
      for (let index = 0; index < count; index += 1)
        await session.refused(anew, { path: `/${index}`, isCertain, isRepeated: true });
      expect(await session.health()).toMatchObject({ state });
      // Nothing has proved it, nor the one that replaces it after the cool-down.
      ahead += coolDownMs;
      expect(await session.refused(anew, REFUSAL)).toBe(true);
      expect(await session.authenticate(url('localhost'))).toHaveProperty('prove');
      // What the old one is worth says nothing of the new one.
      await anew.prove?.();
      expect(await session.authenticate(url('localhost'))).toHaveProperty('prove');
    },
  );

  test('that replaces a refused one and gets a page is as good as any, which costs no login', async ({
    open,
  }) => {
    const { service, session, client, another } = await open();
    await session.refused(await session.authenticate(url('localhost')), REFUSAL);
    service.nextAnswers(['sign-in-page']);
    await expect(client.diagnostics(ONE)).rejects.toMatchObject({ code: 'not-a-document' });
    expect((await another().client.diagnostics(ONE)).kind).toBe('ready');
    expect(service.records.logins).toHaveLength(2);
  });
});

describe('A session that replaces a refused one and has worked', () => {
  const refusal = (path: string, isRepeated: boolean) => ({ path, isCertain: true, isRepeated });

  async function working(session: SharedSession) {
    await session.refused(await session.authenticate(url('localhost')), REFUSAL);
    const anew = await session.authenticate(url('localhost'));
    await anew.prove?.();
    return anew;
  }

  test('is good for others for a while from when it was first refused for a snapshot', async ({ open }) => {
    const [start, coolDownMs] = [Date.now(), 60_000];
    let ahead = 0;
    const { session } = await open({ coolDownMs, now: () => start + ahead });
    const anew = await working(session);
    await session.refused(anew, refusal('/one', true));
    ahead += coolDownMs - 1;
    expect(await session.refused(anew, refusal('/one', true))).toBe(false);
    expect(await session.refused(anew, refusal('/one', false))).toBe(false);
    ahead += 1;
    expect(await session.refused(anew, refusal('/one', false))).toBe(true);
  });

  test('and is refused for however many snapshots is one login in vain, and none that all are told of', async ({
    open,
  }) => {
    const { session } = await open();
    const anew = await working(session);
    for (let index = 0; index < 10; index += 1) await session.refused(anew, refusal(`/${index}`, true));
    expect(await session.health()).toMatchObject({ state: 'working' });
    expect(await session.refused(anew, refusal('/other', false))).toBe(true);
    // The next one is judged by what it is refused for itself.
    const next = await session.authenticate(url('localhost'));
    for (let index = 0; index < 9; index += 1) await session.refused(next, refusal(`/next-${index}`, true));
    expect(await session.health()).toMatchObject({ state: 'working' });
  });

  test('leaves no doubt of the one that follows when its time is over', async ({ open }) => {
    let ahead = 0;
    const { session, state } = await open({ now: () => Date.now() + ahead });
    await working(session);
    ahead += LONGEST_TRUST_MS / 2;
    // What is shared is kept for so long after its last change.
    await state.begin('login servers', 1);
    ahead += LONGEST_TRUST_MS / 2;
    expect(await session.authenticate(url('localhost'))).not.toHaveProperty('prove');
  });
});
