import { expect, test } from 'vitest';
import { SessionRefused, UnexpectedAnswer } from '../../../src/core/faults.ts';
import { MemoryLeases } from '../../../src/core/memory-leases.ts';
import { type SessionEnd, SessionEnds } from '../../../src/service/session-ends.ts';

const OTHERWISE = new UnexpectedAnswer('diagnostics service', 302, 'elsewhere.example');

function ends() {
  let now = 1_000_000;
  const leases = new MemoryLeases(() => now);
  const settings = {
    ...{
      baseUrl: 'https://api.example',
      authUrl: 'https://auth.example:8443/x',
      loginUrl: 'https://login.example',
    },
    ...{ vendor: 'acme', userId: 'u', userSecret: 's', userAgent: 'bot' },
  };
  const later = (ms: number) => {
    now += ms;
  };
  return {
    ends: new SessionEnds(settings, leases, 5_000),
    another: new SessionEnds(settings, leases, 5_000),
    later,
  };
}

test.each([
  ['https://auth.example:8443/anywhere', true],
  ['https://login.example/', true],
  ['https://auth.example/', false],
  ['https://api.example/', false],
  ['https://elsewhere.example/', false],
])('A redirect to %s can only mean the end of a session: %s', async (address, isCertain) => {
  const end = ends().ends.ofRedirect(new URL(address), OTHERWISE);
  expect(end).toMatchObject({ isCertain });
  if (isCertain) expect(end.otherwise).toBeInstanceOf(SessionRefused);
  else expect(end.otherwise).toBe(OTHERWISE);
});

test('An answer that a new login did not change is worth none for some time, for every replica', async () => {
  const { ends: one, another, later } = ends();
  const elsewhere = one.ofRedirect(new URL('https://elsewhere.example/a'), OTHERWISE);
  const again = another.ofRedirect(new URL('https://elsewhere.example/b'), OTHERWISE);
  const other = one.ofRedirect(new URL('https://other.example/'), OTHERWISE);
  const page: SessionEnd = { isCertain: false, sign: 'page', otherwise: OTHERWISE };
  expect(await one.isWorthLogin(elsewhere)).toBe(true);
  await one.wasNone(elsewhere);
  expect(await another.isWorthLogin(again)).toBe(false);
  expect(await one.isWorthLogin(other)).toBe(true);
  expect(await one.isWorthLogin(page)).toBe(true);
  await one.wasNone(page);
  expect(await another.isWorthLogin(page)).toBe(false);
  later(4_999);
  expect(await one.isWorthLogin(elsewhere)).toBe(false);
  later(1);
  expect(await one.isWorthLogin(elsewhere)).toBe(true);
});

test('A certain end is always worth a login', async () => {
  const { ends: one } = ends();
  const certain = one.ofRedirect(new URL('https://login.example/'), OTHERWISE);
  await one.wasNone(certain);
  expect(await one.isWorthLogin(certain)).toBe(true);
});
