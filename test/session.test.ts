import { expect } from 'vitest';
import { trustedUntil } from '../src/service/expiry.ts';
import { ask, askTogether, offers, test as sequential, shown } from './harness/conversation.ts';
import { demoShelf } from './stand-ins/diagnostics-service/shelf.ts';

const test = sequential.concurrent;
const REFUSED_AGAIN = 'does not accept the session that its own login gave';

test.for(['seconds', 'milliseconds', 'eleven-digits', 'absent', 'past', 'text'] as const)(
  'A login whose expiry is stated as %s serves many commands, also after a restart',
  async (expires, { open }) => {
    const workplace = await open({ service: { expires } });
    expect((await ask(workplace, '1012')).text).toContain('1 hit');
    expect((await ask(workplace, '1002')).text).toContain('180 checks');
    await workplace.restart();
    expect((await ask(workplace, '1012 hit')).text).toContain('1 hit');
    expect(workplace.service.records.logins).toHaveLength(1);
  },
);

test('A session is trusted for four hours at most, and not longer than stated where that makes sense', () => {
  const now = Date.UTC(2026, 10, 20);
  const hours = (count: number) => now + count * 3_600_000;
  expect(trustedUntil(hours(1) / 1_000, now)).toBe(hours(1));
  expect(trustedUntil(hours(1), now)).toBe(hours(1));
  for (const other of [
    hours(40) / 1_000,
    hours(-1),
    14_341_352_934,
    undefined,
    null,
    'soon',
    {},
    -1,
    1e300,
  ]) {
    expect(trustedUntil(other, now)).toBe(hours(4));
  }
});

test('A session that is known to have ended is renewed without a request that would fail', async ({
  open,
}) => {
  const workplace = await open({
    timing: { intervalMs: 1_000 },
    service: { waitMs: 1_000, sessionMs: 500, expires: 'milliseconds' },
  });
  workplace.service.nextAnswers([{ status: 202 }]);
  expect((await ask(workplace, '1012')).text).toContain('1 hit');
  expect(workplace.service.records.logins).toHaveLength(2);
  expect(workplace.service.records.requests.map(({ session }) => session)).toEqual(['live', 'live']);
});

test('A request that is sent to the login servers logs in once and is repeated once', async ({ open }) => {
  const workplace = await open();
  const { service } = workplace;
  await ask(workplace, '1012');
  service.expireSessions();
  expect((await ask(workplace, '1002')).text).toContain('180 checks');
  expect(service.records.logins).toHaveLength(2);
  expect(service.records.requests.map(({ session }) => session)).toEqual(['live', 'dead', 'live']);
});

test.for([301, 302, 303, 307, 308])(
  'A %i to the login servers means that the session has ended',
  async (status, { open }) => {
    const workplace = await open();
    const { service } = workplace;
    service.nextAnswers([
      { status, headers: { location: `${service.loginUrl}/resource/login.jsp?from=api` } },
    ]);
    expect((await ask(workplace, '1012')).text).toContain('1 hit');
    expect(service.records.logins).toHaveLength(2);
    expect(service.records.requests).toHaveLength(2);
  },
);

test('A 401 means that the session has ended', async ({ open }) => {
  const workplace = await open();
  workplace.service.nextAnswers([{ status: 401 }]);
  expect((await ask(workplace, '1012')).text).toContain('1 hit');
  expect(workplace.service.records.logins).toHaveLength(2);
});

test('A session that is refused again is a fault and no loop, however many commands follow', async ({
  open,
}) => {
  const workplace = await open();
  const { service } = workplace;
  service.switches.apiStatus = 401;
  const message = await ask(workplace, '1012');
  expect(message.text).toContain(REFUSED_AGAIN);
  for (const name of ['DIAGNOSTICS_BASE_URL', 'DIAGNOSTICS_AUTH_URL', service.loginUrl]) {
    expect(message.text).toContain(name);
  }
  expect(offers(message)).toEqual(['ask-again']);
  const more = await askTogether(workplace, 50, (index) => String(7000 + index));
  for (const { text } of more) expect(text).toContain(REFUSED_AGAIN);
  expect(service.records.logins).toHaveLength(2);
  expect(service.records.requests).toHaveLength(2);
});

test('Fifty commands at once whose sessions are all refused cost a login or two more, and the next fifty none', async ({
  open,
}) => {
  const workplace = await open();
  const { service } = workplace;
  service.switches.apiStatus = 401;
  service.switches.latencyMs = 5;
  const messages = await askTogether(workplace, 50, (index) => String(7000 + index));
  for (const { text } of messages) expect(text).toContain(REFUSED_AGAIN);
  // Whoever is refused with the second session before the cool-down begins may get a third.
  const logins = service.records.logins.length;
  expect([2, 3]).toContain(logins);
  await askTogether(workplace, 50, (index) => String(8000 + index));
  expect(service.records.logins).toHaveLength(logins);
});

test('After the cool-down a service that accepts sessions again is asked again', async ({ open }) => {
  const workplace = await open({ timing: { coolDownMs: 1 } });
  workplace.service.switches.apiStatus = 401;
  await ask(workplace, '1012');
  workplace.service.switches.apiStatus = undefined;
  expect((await ask(workplace, '1012')).text).toContain('1 hit');
  expect(workplace.service.records.logins).toHaveLength(3);
});

test('A session that ends in the middle of a wait is renewed once, and the wait goes on', async ({
  open,
}) => {
  const workplace = await open();
  const { service } = workplace;
  const { 1012: small } = demoShelf();
  service.shelve('7001', { title: 'Slow', purpose: 'Takes its time.', processing: { forMs: 'forever' } });
  await workplace.slack.command({ text: '7001' });
  await shown(workplace, 'Snapshot 7001 is still being processed');
  service.expireSessions();
  if (small) service.shelve('7001', small);
  await shown(workplace, /Snapshot 7001.*1 hit/);
  expect(service.records.logins).toHaveLength(2);
  expect(workplace.slack.messages('C0SUPPORT')).toHaveLength(1);
});

test('A service that has lost its sessions gets a new login, not the old cookies again', async ({ open }) => {
  const workplace = await open();
  const { service } = workplace;
  await ask(workplace, '1012');
  service.expireSessions();
  await workplace.restart();
  await ask(workplace, '1012');
  await ask(workplace, '1002');
  expect(service.records.requests.map(({ session }) => session)).toEqual(['live', 'dead', 'live', 'live']);
});
