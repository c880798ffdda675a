import { expect } from 'vitest';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { Reply } from '../emulators/diagnostics-service/types.ts';
import { ask, test as sequential, shown } from '../support/conversation.ts';
import { SLOW } from '../support/shelved.ts';

const test = sequential.concurrent;

test.for(['seconds', 'milliseconds', 'eleven-digits', 'absent', 'past', 'text'] as const)(
  'A login whose expiry is stated as %s serves many commands, also after a restart',
  async (expires, { open }) => {
    const world = await open({ service: { expires } });
    expect((await ask(world, '1012')).text).toContain('1 hit');
    expect((await ask(world, '1002')).text).toContain('180 checks');
    await world.restart();
    expect((await ask(world, '1012 hit')).text).toContain('1 hit');
    expect(world.service.records.logins).toHaveLength(1);
  },
);

test('A session whose stated time is over is renewed before a request would fail', async ({ open }) => {
  const world = await open({
    timing: { intervalMs: 4_000 },
    service: { waitMs: 4_000, sessionMs: 3_000, expires: 'milliseconds' },
  });
  world.service.nextAnswers([{ status: 202 }]);
  expect((await ask(world, '1012')).text).toContain('1 hit');
  expect(world.service.records.logins).toHaveLength(2);
  expect(world.service.records.requests.map(({ session }) => session)).toEqual(['live', 'live']);
});

test('A request that is sent to the login servers logs in once and is repeated once', async ({ open }) => {
  const world = await open();
  const { service } = world;
  await ask(world, '1012');
  service.expireSessions();
  expect((await ask(world, '1002')).text).toContain('180 checks');
  expect(service.records.logins).toHaveLength(2);
  expect(service.records.requests.map(({ session }) => session)).toEqual(['live', 'dead', 'live']);
});

test.for([301, 302, 303, 307, 308])(
  'A %i to the login servers means that the session has ended',
  async (status, { open }) => {
    const world = await open();
    const { service } = world;
    service.nextAnswers([
      { status, headers: { location: `${service.loginUrl}/resource/login.jsp?from=api` } },
    ]);
    expect((await ask(world, '1012')).text).toContain('1 hit');
    expect(service.records.logins).toHaveLength(2);
    expect(service.records.requests).toHaveLength(2);
  },
);

test('A 401 means that the session has ended', async ({ open }) => {
  const world = await open();
  world.service.nextAnswers([{ status: 401 }]);
  expect((await ask(world, '1012')).text).toContain('1 hit');
  expect(world.service.records.logins).toHaveLength(2);
});

test('A session that ends in the middle of a wait is renewed once, and the wait goes on', async ({
  open,
}) => {
  const world = await open();
  const { service } = world;
  const { 1012: small } = demoShelf();
  service.shelve('7001', SLOW);
  await world.slack.command({ text: '7001' });
  await shown(world, 'Snapshot 7001 is still being processed');
  service.expireSessions();
  if (small) service.shelve('7001', small);
  await shown(world, /Snapshot 7001.*1 hit/);
  expect(service.records.logins).toHaveLength(2);
  expect(world.slack.messages('C0SUPPORT')).toHaveLength(1);
});

test('A service that has lost its sessions gets a new login, not the old cookies again', async ({ open }) => {
  const world = await open();
  const { service } = world;
  await ask(world, '1012');
  service.expireSessions();
  await world.restart();
  await ask(world, '1012');
  await ask(world, '1002');
  expect(service.records.requests.map(({ session }) => session)).toEqual(['live', 'dead', 'live', 'live']);
});

const SIGN_IN_PAGE = { 'content-type': 'text/html' };
const mayHaveEnded: [what: string, answer: Reply | 'sign-in-page', otherwise: string][] = [
  [
    'a redirect to any host',
    { status: 302, headers: { location: 'https://elsewhere.example/x?y' } },
    'a redirect to elsewhere.example',
  ],
  [
    'a redirect on the same host',
    { status: 307, headers: { location: '/other/path' } },
    'a redirect to localhost',
  ],
  ['a sign-in page', 'sign-in-page', 'a web page'],
  [
    'a page after a comment',
    { status: 200, headers: SIGN_IN_PAGE, body: '<!-- x --><html><p>Sign in</html>' },
    'a web page',
  ],
];

test.for(mayHaveEnded)(
  'A session that ends in %s is renewed once, and the request repeated once',
  async ([_, answer], { open }) => {
    const world = await open();
    world.service.nextAnswers([answer]);
    expect((await ask(world, '1012')).text).toContain('1 hit');
    expect(world.service.records.logins).toHaveLength(2);
    expect(world.service.records.requests).toHaveLength(2);
  },
);

test.for(mayHaveEnded)(
  'Where a new session also gets %s, that is the answer, and costs others neither their session nor a login',
  async ([_, answer, otherwise], { open }) => {
    const world = await open();
    const { service } = world;
    service.nextAnswers([answer, answer]);
    expect((await ask(world, '1012')).text).toContain(otherwise);
    service.nextAnswers([answer]);
    expect((await ask(world, '1012')).text).toContain(otherwise);
    expect(service.records.requests).toHaveLength(3);
    expect((await ask(world, '1002')).text).toContain('180 checks');
    expect(service.records.logins).toHaveLength(2);
  },
);

test('After some time such an answer causes a login again', async ({ open }) => {
  const world = await open({ timing: { coolDownMs: 1 } });
  world.service.nextAnswers(['sign-in-page', 'sign-in-page', 'sign-in-page']);
  expect((await ask(world, '1012')).text).toContain('a web page');
  expect((await ask(world, '1012')).text).toContain('1 hit');
  expect(world.service.records.logins).toHaveLength(3);
});

test('Cookies that expire by their own attributes end the session, and no command fails', async ({
  open,
}) => {
  const world = await open({
    timing: { intervalMs: 4_000 },
    service: { waitMs: 4_000, cookieAttributes: ';Max-Age=3' },
  });
  world.service.nextAnswers([{ status: 202 }]);
  expect((await ask(world, '1012')).text).toContain('1 hit');
  expect(world.service.records.logins).toHaveLength(2);
  expect(world.service.records.requests.map(({ session }) => session)).toEqual(['live', 'live']);
});

test('Cookies that have expired according to a clock that is behind are used all the same', async ({
  open,
}) => {
  const past = new Date(Date.now() - 3_600_000).toUTCString();
  const world = await open({ service: { cookieAttributes: `;Expires=${past}` } });
  expect((await ask(world, '1012')).text).toContain('1 hit');
  expect((await ask(world, '1002')).text).toContain('180 checks');
  expect(world.service.records.logins).toHaveLength(1);
});
