import { expect, test, vi } from 'vitest';
import { CookieDomainMismatch, LoginRefused, StorageFailed } from '../../../src/core/faults.ts';
import { SharedSession } from '../../../src/service/session.ts';
import { LONGEST_TRUST_MS, RETRY_POLICY, SharedState } from '../../../src/service/shared-state.ts';
import type { HttpRequest, HttpResponse } from '../../../src/service/transport.ts';
import { aStore } from '../../support/embedded.ts';

const API = new URL('https://api.acme.example/x');
const ELSEWHERE = new URL('https://elsewhere.example/x');
const GRANTED = { status: 200, cookies: ['ssosession=a;Domain=acme.example;Path=/;Secure'] };
const REFUSED = { status: 302, cookies: [] };
const BROKEN = { status: 503, cookies: [] };
const COOL_DOWN_MS = 5_000;

type Answer = { readonly status: number; readonly cookies: string[]; readonly retryAfter?: string };

/** A process whose logins are answered so, one after the other; the last answer is given for good. */
function fixture(...answers: Answer[]) {
  let now = Date.UTC(2026, 10, 20, 9);
  let logins = 0;
  const outcomes: string[] = [];
  const store = aStore(() => now);
  const transport = {
    stopping: new AbortController().signal,
    send: async <T>(request: HttpRequest, read: (answer: HttpResponse) => T | Promise<T>) => {
      await request.mayStart();
      const answer: Answer = answers[Math.min(logins, answers.length - 1)] ?? GRANTED;
      const { status, cookies, retryAfter } = answer;
      logins += 1;
      const headers = { 'set-cookie': cookies, 'retry-after': retryAfter };
      return read({ status, headers, body: new TextEncoder().encode('{}') });
    },
  };
  const settings = {
    ...{ baseUrl: 'https://api.acme.example', loginUrl: 'https://login.acme.example', vendor: 'acme' },
    ...{ authUrl: 'https://login.acme.example', userId: 'ana', userSecret: 's', userAgent: 'bot/1' },
  };
  const retry = { ...RETRY_POLICY, retries: 1, firstDelayMs: 1 };
  const process = (changes: Partial<typeof settings> = {}) =>
    new SharedSession(
      {
        settings: { ...settings, ...changes },
        state: new SharedState(store.namespace('service'), store.isShared, () => now),
        ...{ transport, store, coolDownMs: COOL_DOWN_MS, retry, now: () => now },
      },
      (outcome) => outcomes.push(outcome),
    );
  const later = (ms: number) => {
    now += ms;
    return now;
  };
  return { session: process(), process, store, outcomes, logins: () => logins, later };
}

test('Each login says how it ended', async () => {
  const { session, outcomes, later, logins } = fixture(BROKEN, BROKEN, REFUSED, GRANTED);
  await expect(session.authenticate(API)).rejects.toMatchObject({ code: 'service-failed', status: 503 });
  expect([outcomes, logins()]).toEqual([['failed'], 2]);
  await expect(session.authenticate(API)).rejects.toThrow(LoginRefused);
  later(COOL_DOWN_MS);
  await session.authenticate(API);
  expect(outcomes).toEqual(['failed', 'refused', 'succeeded']);
});

test.each([
  ['refused', REFUSED],
  ['granted', GRANTED],
])('A login that is %s ends once that is stored', async (_what, answer) => {
  const { session } = fixture(answer);
  const change = vi.spyOn(SharedState.prototype, 'change').mockRejectedValue(new StorageFailed());
  await expect(session.authenticate(API).finally(() => change.mockRestore())).rejects.toThrow(StorageFailed);
});

test('A session is used until its time is over, and not after that', async () => {
  const { session, later, logins } = fixture(GRANTED);
  const { generation } = await session.authenticate(API);
  later(LONGEST_TRUST_MS - 1);
  expect((await session.authenticate(API)).generation).toBe(generation);
  expect(await session.health()).toEqual({ state: 'working', until: later(0) + 1 });
  later(1);
  expect(await session.health()).toEqual({ state: 'not-needed' });
  expect((await session.authenticate(API)).generation).not.toBe(generation);
  expect(logins()).toBe(2);
});

test('After a refusal nobody logs in until the cool-down is over, and every request gets the reason', async () => {
  const { session, process, later, logins } = fixture(REFUSED, GRANTED);
  const until = later(0) + COOL_DOWN_MS;
  await expect(session.authenticate(API)).rejects.toMatchObject({ status: 302, coolDownUntil: until });
  later(COOL_DOWN_MS - 1);
  await expect(process().authenticate(API)).rejects.toMatchObject({ status: 302, coolDownUntil: until });
  expect(await process().health()).toEqual({ state: 'refused', until });
  expect(logins()).toBe(1);
  later(1);
  expect(await process().health()).toEqual({ state: 'not-needed' });
  await process().authenticate(API);
  expect(logins()).toBe(2);
});

test.each([
  ['3600', 3_600_000],
  ['1', COOL_DOWN_MS],
])('A refused login that says Retry-After: %s is repeated after %i ms', async (retryAfter, ms) => {
  const { session, process, later, logins } = fixture({ ...REFUSED, retryAfter }, GRANTED);
  const until = later(0) + ms;
  await expect(session.authenticate(API)).rejects.toMatchObject({ coolDownUntil: until });
  later(ms - 1);
  await expect(process().authenticate(API)).rejects.toMatchObject({ status: 302, coolDownUntil: until });
  expect(await session.health()).toEqual({ state: 'refused', until });
  later(1);
  await session.authenticate(API);
  expect(logins()).toBe(2);
});

test.each(['authUrl', 'userId', 'userSecret'] as const)(
  'With another %s the stored refusal does not count',
  async (setting) => {
    const { session, process, logins } = fixture(REFUSED, GRANTED);
    await expect(session.authenticate(API)).rejects.toThrow(LoginRefused);
    const other = process({ [setting]: 'https://other.acme.example' });
    expect(await other.health()).toEqual({ state: 'not-needed' });
    await other.authenticate(API);
    expect(await other.health()).toMatchObject({ state: 'working' });
    expect(await session.health()).toMatchObject({ state: 'refused' });
    expect(logins()).toBe(2);
  },
);

test('A session whose cookies do not reach a host costs one login, and serves the hosts that they reach', async () => {
  const { session, process, logins } = fixture(GRANTED);
  const fault = new CookieDomainMismatch('elsewhere.example', 'acme.example');
  for (const each of [session, process()]) await expect(each.authenticate(ELSEWHERE)).rejects.toEqual(fault);
  expect(await session.health()).toMatchObject({ state: 'working' });
  expect(await process({ baseUrl: ELSEWHERE.origin }).health()).toEqual({ state: 'mismatched', fault });
  expect((await session.authenticate(API)).cookie).toBe('ssosession=a');
  expect(logins()).toBe(1);
});

test('A cool-down that begins later than now is of a clock that has gone back, and holds nobody', async () => {
  const { session, process, later, logins } = fixture(REFUSED, GRANTED);
  await expect(session.authenticate(API)).rejects.toThrow(LoginRefused);
  later(-60_000);
  await expect(process().authenticate(API)).rejects.toThrow(LoginRefused);
  expect(logins()).toBe(1);
  later(-1);
  await process().authenticate(API);
  expect(logins()).toBe(2);
});

test('Nobody logs in before the time that the login servers named', async () => {
  const { session, process, later, logins } = fixture({ ...BROKEN, retryAfter: '60' }, GRANTED);
  await expect(session.authenticate(API)).rejects.toMatchObject({ code: 'service-failed' });
  later(59_999);
  await expect(process().authenticate(API)).rejects.toMatchObject({ code: 'rate-limited' });
  expect(logins()).toBe(1);
  later(1);
  await process().authenticate(API);
  expect(logins()).toBe(2);
});
