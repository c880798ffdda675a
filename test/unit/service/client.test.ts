import { describe, expect, vi } from 'vitest';
import type { DiagnosticSet } from '../../../src/core/diagnostics.ts';
import { NotADocument, SessionRefused, SnapshotNotFound, StorageFailed } from '../../../src/core/faults.ts';
import { LeaseLost } from '../../../src/core/lease.ts';
import type { DiagnosticsClient } from '../../../src/service/client.ts';
import { DEFAULT_VENDOR } from '../../emulators/diagnostics-service/state.ts';
import type { ScriptedAnswer } from '../../emulators/diagnostics-service/types.ts';
import { FAULT_KINDS, type FaultKind } from '../../support/every-fault.ts';
import { test as sequential } from '../../support/service-world.ts';
import { SLOW } from '../../support/shelved.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const test = sequential.concurrent;

function question(id = '1012', set: DiagnosticSet = 'all') {
  return { snapshotId: snapshotId(id), set };
}

describe('A question', () => {
  test.for(['all', 'hit', 'miss'] as const)(
    'about %s is asked as the specification says',
    async (set, { open }) => {
      const { service, client } = await open();
      const answer = await client.diagnostics(question('1001', set));
      const [request] = service.records.requests;
      const query = set === 'all' ? '' : `?set=${set}`;
      expect(request?.url).toBe(`/snapshot-analyzer/api/snapshots/1001/diagnostics${query}`);
      const hits = answer.kind === 'ready' ? answer.result.diagnostics.map(({ match }) => match) : [];
      expect(new Set(hits)).toEqual(new Set(set === 'all' ? ['hit', 'miss'] : [set]));
    },
  );
});

test('A request names its media type, its caller and its session, and asks for no compression', async ({
  open,
}) => {
  const { client, transport } = await open();
  const send = vi.spyOn(transport, 'send');
  await client.diagnostics(question());
  const [asked] = send.mock.calls.at(-1) ?? [];
  expect(asked).toMatchObject({ upstream: 'diagnostics service', method: 'GET' });
  expect(asked?.headers).toEqual({
    accept: `application/vnd.${DEFAULT_VENDOR}.diagnostics.api`,
    'accept-encoding': 'identity',
    'user-agent': 'snapshot-bot/test',
    cookie: expect.stringContaining('ssosession='),
  });
});

/** A request of each operation: a new one has to be added, and is then held to what all operations share. */
const OPERATIONS = {
  diagnostics: (client) => client.diagnostics(question()),
} satisfies Record<keyof DiagnosticsClient, (client: DiagnosticsClient) => Promise<unknown>>;

describe('Every operation', () => {
  const operations = Object.entries(OPERATIONS);

  test.for(operations)('takes a sign-in page for the end of a session: %s', async ([, ask], { open }) => {
    const { service, client } = await open();
    service.nextAnswers(['sign-in-page']);
    await ask(client);
    expect(service.records.logins).toHaveLength(2);
  });

  test.for(operations)('asks again after a 503, and not after a 404: %s', async ([, ask], { open }) => {
    const { service, client } = await open();
    service.nextAnswers([{ status: 503 }, { status: 404 }]);
    await expect(ask(client)).rejects.toThrow(SnapshotNotFound);
    expect(service.records.requests).toHaveLength(2);
  });
});

describe('A lease that permits a question', () => {
  test('is confirmed last before each of its requests, and verified when that is written', async ({
    open,
  }) => {
    const { service, client, state } = await open();
    service.nextAnswers([{ status: 503 }, 'sign-in-page']);
    const calls: string[] = [];
    const note = (what: string) => void calls.push(`${what} ${service.records.requests.length}`);
    const check = state.checkPause.bind(state);
    // A store that stands still takes its time from the lease that was confirmed before.
    vi.spyOn(state, 'checkPause').mockImplementation(async (upstream) => {
      await check(upstream);
      if (upstream === 'diagnostics service') note('not paused');
    });
    const lease = { confirm: async () => note('confirm'), verify: () => note('verify') };
    expect((await client.diagnostics(question(), lease)).kind).toBe('ready');
    const each = (sent: number) => ['not paused', 'confirm', 'verify'].map((what) => `${what} ${sent}`);
    expect(calls).toEqual([0, 1, 2].flatMap(each));
  });

  test.for(['confirm', 'verify'] as const)(
    'and is lost after a first request permits no second one: %s',
    async (step, { open }) => {
      const { service, client } = await open();
      service.nextAnswers(['reset']);
      let times = 0;
      const losing = () => {
        times += 1;
        if (times === 2) throw new LeaseLost('asking');
      };
      const lease = {
        confirm: async () => (step === 'confirm' ? losing() : undefined),
        verify: () => (step === 'verify' ? losing() : undefined),
      };
      await expect(client.diagnostics(question(), lease)).rejects.toThrow(LeaseLost);
      expect(service.records.requests).toHaveLength(1);
    },
  );
});

/** The faults that a status alone says. */
const STATED = Object.values<FaultKind>(FAULT_KINDS).flatMap(({ example: { code }, status }) =>
  status === undefined ? [] : [[status, {}, code, {}] as const],
);
const ELSEWHERE = { location: 'https://elsewhere.example/' };

describe('An answer', () => {
  test.for([
    ...STATED,
    [204, {}, 'unexpected-answer', { status: 204 }],
    [299, ELSEWHERE, 'unexpected-answer', { status: 299, redirectedTo: undefined }],
    [302, {}, 'unexpected-answer', { status: 302, redirectedTo: undefined }],
    [304, {}, 'unexpected-answer', { status: 304 }],
    [400, ELSEWHERE, 'unexpected-answer', { status: 400, redirectedTo: undefined }],
    [499, {}, 'unexpected-answer', { status: 499, upstream: 'diagnostics service' }],
  ] as const)(
    'with %i (%j) is final, and costs one request and one login',
    async ([status, headers, code, data], { open }) => {
      const { service, client } = await open();
      service.nextAnswers([{ status, headers }]);
      const fault = await client.diagnostics(question()).catch((error: unknown) => error);
      expect(fault).toMatchObject({ code, ...data });
      expect(service.records.requests).toHaveLength(1);
      expect(service.records.logins).toHaveLength(1);
    },
  );

  test.for([
    ['a 202', 'truncate', SLOW, { kind: 'processing' }],
    ['a 404', 'truncate', undefined, { code: 'snapshot-not-found' }],
  ] as const)(
    'of which the body breaks off is told by its status: %s is not asked for again',
    async ([, how, shelved, told], { open }) => {
      const { service, client, answers } = await open();
      if (shelved !== undefined) service.shelve('7001', shelved);
      service.nextAnswers([how]);
      const asked = client.diagnostics(question(shelved === undefined ? '7002' : '7001'));
      expect(await asked.catch((fault: unknown) => fault)).toMatchObject(told);
      expect(service.records.requests).toHaveLength(1);
      expect(answers).toEqual([
        'login servers 200',
        `diagnostics service ${shelved === undefined ? 404 : 202}`,
      ]);
    },
  );

  test('that is no document is not asked for again', async ({ open }) => {
    const { service, client } = await open();
    service.nextAnswers([{ status: 200, body: '{"a":1}' }]);
    await expect(client.diagnostics(question())).rejects.toThrow(NotADocument);
    expect(service.records.requests).toHaveLength(1);
  });

  test('that redirects back and forth to itself ends after one login', async ({ open }) => {
    const { service, client } = await open();
    const here = { status: 307, headers: { location: '/snapshot-analyzer/api/snapshots/1012/diagnostics' } };
    service.nextAnswers([here, here, here]);
    const fault = await client.diagnostics(question()).catch((error: unknown) => error);
    expect(fault).toMatchObject({ redirectedTo: new URL(service.baseUrl).host });
    expect(service.records.requests).toHaveLength(2);
  });
});

const ends: [what: string, answer: ScriptedAnswer, otherwise: object][] = [
  ['401', { status: 401 }, { code: 'session-refused', coolDownUntil: undefined }],
  ['a sign-in page', 'sign-in-page', { code: 'not-a-document', reason: 'html' }],
  ...['<b>Sign in</b>', 'Sign in', '<div><br></div>'].map((body): (typeof ends)[number] => [
    `text/html that begins as ${body}`,
    { status: 200, headers: { 'content-type': 'Text/HTML; charset=utf-8' }, body },
    { code: 'not-a-document', reason: 'html' },
  ]),
  [
    'a redirect elsewhere',
    { status: 300, headers: ELSEWHERE },
    { code: 'unexpected-answer', status: 300, redirectedTo: 'elsewhere.example' },
  ],
];

describe('An answer that may end a session', () => {
  test.for(ends)('%s: a new session answers', async ([, answer], { open }) => {
    const { service, client } = await open();
    service.nextAnswers([answer]);
    expect((await client.diagnostics(question())).kind).toBe('ready');
    expect(service.records.logins).toHaveLength(2);
  });

  test.for(ends)(
    '%s again: that is the answer, and costs no further login',
    async ([, answer, fault], { open }) => {
      const { service, client, another, session } = await open();
      service.nextAnswers([answer, answer]);
      await expect(client.diagnostics(question())).rejects.toMatchObject(fault);
      // The session may be good for others.
      expect(await session.health()).toMatchObject({ state: 'working' });
      service.nextAnswers([answer]);
      await expect(another().client.diagnostics(question())).rejects.toMatchObject(fault);
      expect(service.records.logins).toHaveLength(2);
      expect(service.records.requests).toHaveLength(3);
    },
  );

  test('with a 401 twice is the answer for each set of that snapshot', async ({ open }) => {
    const { service, client } = await open();
    service.nextAnswers([{ status: 401 }, { status: 401 }]);
    await expect(client.diagnostics(question())).rejects.toThrow(SessionRefused);
    expect((await client.diagnostics(question('1001'))).kind).toBe('ready');
    service.nextAnswers([{ status: 401 }]);
    await expect(client.diagnostics(question('1012', 'hit'))).rejects.toThrow(SessionRefused);
    expect(service.records.logins).toHaveLength(2);
  });

  test('with a page, for ten snapshots, keeps nobody from the others', async ({ open }) => {
    const { service, client, session } = await open();
    service.nextAnswers(Array.from({ length: 11 }, () => 'sign-in-page' as const));
    for (let id = 700; id < 710; id += 1)
      await expect(client.diagnostics(question(String(id)))).rejects.toMatchObject({ reason: 'html' });
    expect(await session.health()).toMatchObject({ state: 'working' });
  });

  test('is worth another login later, once the new session got another answer', async ({ open }) => {
    const { service, client } = await open();
    service.nextAnswers(['sign-in-page', { status: 404 }]);
    await expect(client.diagnostics(question())).rejects.toThrow(SnapshotNotFound);
    service.nextAnswers(['sign-in-page']);
    expect((await client.diagnostics(question())).kind).toBe('ready');
    expect(service.records.logins).toHaveLength(3);
  });
});

test('An answer counts even if it can not be stored that it proves the session', async ({ open }) => {
  const { client, session } = await open();
  const authenticate = session.authenticate.bind(session);
  const prove = () => Promise.reject(new StorageFailed());
  vi.spyOn(session, 'authenticate').mockImplementation(async (url) => ({
    ...(await authenticate(url)),
    prove,
  }));
  expect((await client.diagnostics(question())).kind).toBe('ready');
  await expect(client.diagnostics(question('7002'))).rejects.toThrow(SnapshotNotFound);
});
