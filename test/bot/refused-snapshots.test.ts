import { describe, expect } from 'vitest';
import type { ShelfEntry } from '../emulators/diagnostics-service/types.ts';
import { ask, askTogether, test as sequential, shown } from '../support/conversation.ts';
import { READY, SLOW } from '../support/shelved.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
// Fifty commands at once would delay the acknowledgements of tests that run in parallel, so this test runs alone.
const storm = sequential;
const REFUSED = 'rejected the bot’s session for snapshot 9802 right after the login';

/** What the service always answers for one snapshot, whatever the session. */
const ANSWERS: [what: string, answer: (world: World) => Partial<ShelfEntry>, told: string][] = [
  ['a 401', () => ({ status: 401 }), REFUSED],
  [
    'a redirect to the login page',
    ({ service }) => ({ movedTo: `${service.loginUrl}/resource/login.jsp` }),
    REFUSED,
  ],
  [
    'a redirect to the login servers',
    ({ service }) => ({ movedTo: `${service.authUrl}/auth/pub/sso/login?x` }),
    REFUSED,
  ],
  ['a redirect on its own host', () => ({ movedTo: '/moved' }), 'a redirect to localhost'],
  [
    'a redirect elsewhere',
    () => ({ movedTo: 'https://elsewhere.example/x' }),
    'a redirect to elsewhere.example',
  ],
  ['a web page', () => ({ raw: { body: '<html><p>Sign in</html>' } }), 'a web page'],
];

function shelve({ service }: World, id: string, answer: Partial<ShelfEntry>): void {
  service.shelve(id, { title: 'Odd', purpose: 'Written by a test.', ...answer });
}

function shelveReady({ service }: World, ...ids: string[]): void {
  for (const id of ids) service.shelve(id, READY);
}

describe.each([
  ['hosts of their own', false],
  ['one host', true],
])('Where the login servers and the API have %s', (_hosts, isOneHost) => {
  test.for(ANSWERS)(
    'one snapshot that is answered with %s fails alone',
    async ([_, answer, told], { open }) => {
      const world = await open({ service: { isOneHost } });
      const { service, slack } = world;
      service.shelve('9801', SLOW);
      shelve(world, '9802', answer(world));
      shelveReady(world, '9803', '9804');
      await slack.command({ text: '9801', user: 'ben' });
      await shown(world, 'Snapshot 9801 is still being processed');
      const failed = await ask(world, '9802');
      expect(failed.text).toContain(told);
      expect(failed.text).not.toContain('no earlier than');
      for (const id of ['9803', '9804']) expect((await ask(world, id)).text).toContain('1 hit');
      service.shelve('9801', READY);
      await shown(world, /Snapshot 9801.*1 hit/);
      // Each further question costs one request and no login.
      for (let times = 0; times < 3; times += 1) expect((await ask(world, '9802')).text).toBe(failed.text);
      expect((await ask(world, '9803')).text).toContain('1 hit');
      expect(service.records.requests.filter(({ id }) => id === '9802')).toHaveLength(5);
      expect(service.records.logins).toHaveLength(2);
    },
  );
});

test('Several snapshots that are refused at once cost one login, and fail alone beside the others', async ({
  world,
}) => {
  await ask(world, '1012');
  const ids = Array.from({ length: 7 }, (_, index) => String(9810 + index));
  for (const id of ids) shelve(world, id, { status: 401 });
  const { text } = await ask(world, `1012 ${ids.join(' ')}`);
  expect(text).toContain('the service refused the bot’s session');
  expect((await ask(world, '1002')).text).toContain('180 checks');
  expect(world.service.records.logins).toHaveLength(2);
});

test('However many snapshots are refused, a refused session is replaced once a minute', async ({ world }) => {
  for (let index = 0; index < 8; index += 1) {
    shelve(world, String(9810 + index), { status: 401 });
    expect((await ask(world, String(9810 + index))).text).toContain(
      `session for snapshot ${9810 + index} right after`,
    );
    expect((await ask(world, '1012')).text).toContain('1 hit');
  }
  expect(world.service.records.logins).toHaveLength(2);
});

test('A snapshot is read as soon as the service no longer refuses it', async ({ world }) => {
  shelve(world, '9802', { status: 401 });
  expect((await ask(world, '9802')).text).toContain(REFUSED);
  shelveReady(world, '9802');
  expect((await ask(world, '9802')).text).toContain('1 hit');
  // The bot logged in at first, and again after the refusal.
  expect(world.service.records.logins).toHaveLength(2);
});

storm('A service that refuses everything costs one login a minute, and all are told', async ({ world }) => {
  const { service } = world;
  service.switches.apiStatus = 401;
  const message = await ask(world, '1012');
  for (const name of ['DIAGNOSTICS_BASE_URL', 'DIAGNOSTICS_AUTH_URL', service.loginUrl])
    expect(message.text).toContain(name);
  const more = await askTogether(world, 50, (index) => String(7000 + index));
  for (const { text } of more) expect(text).toContain('rejected the bot’s session for snapshot');
  expect(service.records.logins).toHaveLength(2);
  // Each of the 51 commands made one request, and the first one a second request with the new session.
  expect(service.records.requests).toHaveLength(52);
  service.switches.apiStatus = undefined;
  service.expireSessions();
  world.clock.ahead += 60_000;
  await world.slack.command({ text: '1012' });
  await shown(world, /Snapshot 1012.*1 hit/);
  expect(service.records.logins).toHaveLength(3);
});
