import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { createServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import type { DiagnosticSet } from '../../src/core/diagnostics.ts';
import { Stopping } from '../../src/core/faults.ts';
import { LeaseLost } from '../../src/core/lease.ts';
import { HTTP_TIMEOUTS, type HttpRequest, Transport } from '../../src/service/transport.ts';
import { makeCertificates } from '../emulators/certificates.ts';
import { startDiagnosticsService } from '../emulators/diagnostics-service/service.ts';
import { documentWithHit } from '../emulators/diagnostics-service/shapes.ts';
import type { Reply, ScriptedAnswer } from '../emulators/diagnostics-service/types.ts';
import { eventually } from '../support/eventually.ts';
import { FAULT_KINDS, type FaultKind } from '../support/every-fault.ts';
import { test as sequential } from '../support/service-world.ts';
import { READY, SLOW } from '../support/shelved.ts';
import { snapshotId } from '../support/snapshot-id.ts';
import { trustedCertificates } from '../support/trusted-certificates.ts';

const test = sequential.concurrent;
const MB = 1024 * 1024;

const question = (id = '1012', set: DiagnosticSet = 'all') => ({ snapshotId: snapshotId(id), set });
const outcomeOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => error);

function get(address: string): HttpRequest {
  return {
    ...{ upstream: 'diagnostics service', method: 'GET', headers: {} },
    url: new URL(address),
  };
}

describe('A question', () => {
  test.for(['all', 'hit', 'miss'] as const)(
    'about %s is asked as the specification says, and answered with those',
    async (set, { open }) => {
      const { service, client } = await open();
      const answer = await client.diagnostics(question('1001', set));
      const query = set === 'all' ? '' : `?set=${set}`;
      expect(service.records.requests.map(({ url }) => url)).toEqual([
        `/snapshot-analyzer/api/snapshots/1001/diagnostics${query}`,
      ]);
      const matches = answer.kind === 'ready' ? answer.result.diagnostics.map(({ match }) => match) : [];
      expect(new Set(matches)).toEqual(new Set(set === 'all' ? ['hit', 'miss'] : [set]));
    },
  );

  test('needs a lease, which is confirmed before each request', async ({ open }) => {
    const { service, client } = await open();
    service.nextAnswers([{ status: 503 }, 'sign-in-page']);
    // The number of requests that the service had received at each confirmation.
    const had: number[] = [];
    const confirm = async () => void had.push(service.records.requests.length);
    expect((await client.diagnostics(question(), confirm)).kind).toBe('ready');
    expect(had).toEqual([0, 1, 2]);
  });

  test('is not repeated after its lease was lost', async ({ open }) => {
    const { service, client } = await open();
    service.nextAnswers(['reset']);
    let times = 0;
    const confirm = async () => {
      times += 1;
      if (times === 2) throw new LeaseLost('asking');
    };
    await expect(client.diagnostics(question(), confirm)).rejects.toThrow(LeaseLost);
    expect(service.records.requests).toHaveLength(1);
  });
});

/** The faults that follow from a status alone. */
const STATED = Object.values<FaultKind>(FAULT_KINDS).flatMap(({ example: { code }, status }) =>
  status === undefined ? [] : [[status, {}, { code }] as const],
);
const ELSEWHERE = { location: 'https://elsewhere.example/' };

describe('An answer', () => {
  test.for([
    ...STATED,
    [204, {}, { code: 'unexpected-answer', status: 204 }],
    [302, {}, { code: 'unexpected-answer', status: 302, redirectedTo: undefined }],
    [302, { location: 'https://' }, { code: 'unexpected-answer', redirectedTo: undefined }],
    [400, ELSEWHERE, { code: 'unexpected-answer', status: 400, redirectedTo: undefined }],
  ] as const)('with %i (%j) is final, and costs one request', async ([status, headers, fault], { open }) => {
    const { service, client } = await open();
    service.nextAnswers([{ status, headers }]);
    expect(await outcomeOf(client.diagnostics(question()))).toMatchObject(fault);
    expect(service.records.requests).toHaveLength(1);
    expect(service.records.logins).toHaveLength(1);
  });

  test('with a temporary fault is requested at most four times', async ({ open }) => {
    const { service, client } = await open();
    service.nextAnswers([{ status: 503 }, 'reset', { status: 500 }]);
    expect((await client.diagnostics(question())).kind).toBe('ready');
    service.switches.apiStatus = 503;
    expect(await outcomeOf(client.diagnostics(question()))).toMatchObject({
      code: 'service-failed',
      status: 503,
    });
    expect(service.records.requests).toHaveLength(8);
  });

  test.for([
    ['a 202', SLOW, { kind: 'processing' }],
    ['a 404', undefined, { code: 'snapshot-not-found' }],
  ] as const)('whose body breaks off is judged by its status: %s', async ([, shelved, told], { open }) => {
    const { service, client, answers } = await open();
    if (shelved !== undefined) service.shelve('7001', shelved);
    service.nextAnswers(['truncate']);
    expect(await outcomeOf(client.diagnostics(question('7001')))).toMatchObject(told);
    expect(service.records.requests).toHaveLength(1);
    expect(answers).toEqual([
      'login servers 200',
      `diagnostics service ${shelved === undefined ? 404 : 202}`,
    ]);
  });

  test.for<[body: string, type: string, told: object, logins: number]>([
    ['<diagnostic_output><diagnostics/></diagnostic_output>', 'text/html', { kind: 'ready' }, 1],
    ['', 'text/html', { reason: 'empty' }, 1],
    ['{}', 'text/html', { reason: 'json' }, 1],
    ['Busy', 'text/plain', { reason: 'not-xml' }, 1],
    ['<answer/>', 'application/xml', { reason: 'wrong-root' }, 1],
    ['<body>Sign in</body>', 'text/plain', { reason: 'html' }, 2],
  ])('that is %j as %s is %j', async ([body, type, told, logins], { open }) => {
    const { service, client } = await open();
    const answer: Reply = { status: 200, headers: { 'content-type': type }, body };
    service.nextAnswers([answer, answer]);
    expect(await outcomeOf(client.diagnostics(question()))).toMatchObject(told);
    expect(service.records.logins).toHaveLength(logins);
  });

  test.for([
    ['gzip that nobody asked for', (xml: string) => gzipSync(xml), { 'content-encoding': 'gzip' }],
    ['UTF-16 with a byte order mark', (xml: string) => Buffer.from(`\ufeff${xml}`, 'utf16le'), {}],
    ['the other UTF-16', (xml: string) => Buffer.from(`\ufeff${xml}`, 'utf16le').swap16(), {}],
    [
      'Latin 1 that its declaration names',
      (xml: string) => Buffer.from(xml.replace('UTF-8', 'ISO-8859-1'), 'latin1'),
      {},
    ],
    ['UTF-8 below 40 KB of headers', (xml: string) => Buffer.from(xml), { 'x-long': 'x'.repeat(40_000) }],
  ] as const)('in %s is read', async ([, encoded, headers], { open }) => {
    const { service, client } = await open();
    const body = encoded(documentWithHit('<output>Zürich</output>'));
    service.nextAnswers([{ status: 200, headers, body }]);
    const answer = await client.diagnostics(question());
    expect(answer).toMatchObject({ result: { diagnostics: [{ output: ['Zürich'] }] } });
  });

  test.for<[what: string, fault: object, body: () => Buffer]>([
    ['of 16 MB', { code: 'not-a-document' }, () => Buffer.alloc(16 * MB, ' ')],
    ['of a byte more', { code: 'too-large', limitBytes: 16 * MB }, () => Buffer.alloc(16 * MB + 1, ' ')],
    [
      'that unpacks to a byte more',
      { code: 'too-large', limitBytes: 16 * MB },
      () => gzipSync(Buffer.alloc(16 * MB + 1, ' ')),
    ],
  ])('%s is read, or refused for its size: %j', async ([, fault, body], { open }) => {
    const { service, client } = await open();
    service.nextAnswers([{ status: 200, body: body() }]);
    expect(await outcomeOf(client.diagnostics(question()))).toMatchObject(fault);
    expect(service.records.requests).toHaveLength(1);
  });

  test.for([
    ['30', 30_000],
    [undefined, undefined],
    ['soon', undefined],
    ['900000000', undefined],
    ['3600', 600_000],
  ] as const)('with 202 and Retry-After: %s says when to ask again', async ([value, pauseMs], { open }) => {
    const now = Date.now();
    const { service, client } = await open({ now: () => now });
    const headers = { 'content-type': 'text/plain', ...(value !== undefined && { 'retry-after': value }) };
    service.nextAnswers([{ status: 202, headers, body: Buffer.from('\ufeffZürich', 'utf16le') }]);
    expect(await client.diagnostics(question())).toEqual({
      kind: 'processing',
      reason: 'Zürich',
      ...(pauseMs !== undefined && { pauseMs }),
    });
  });
});

const MAY_END: [what: string, answer: ScriptedAnswer, otherwise: object][] = [
  ['401', { status: 401 }, { code: 'session-refused' }],
  ['a sign-in page', 'sign-in-page', { code: 'not-a-document', reason: 'html' }],
  ['a redirect elsewhere', { status: 300, headers: ELSEWHERE }, { redirectedTo: 'elsewhere.example' }],
  [
    'a redirect to itself',
    { status: 307, headers: { location: '/snapshot-analyzer/api/snapshots/1012/diagnostics' } },
    { code: 'unexpected-answer', status: 307 },
  ],
];

test.for(MAY_END)(
  'After an answer that may mean an expired session, the bot logs in once and asks again: %s',
  async ([, answer, fault], { open }) => {
    const { service, client, another } = await open();
    service.nextAnswers([answer]);
    expect((await client.diagnostics(question())).kind).toBe('ready');
    expect(service.records.logins).toHaveLength(2);
    // A second refusal within a minute is the final answer, on every replica, and other snapshots still use the
    // session.
    service.nextAnswers([answer], '1012');
    expect(await outcomeOf(another().client.diagnostics(question()))).toMatchObject(fault);
    expect((await client.diagnostics(question('1001'))).kind).toBe('ready');
    expect(service.records.logins).toHaveLength(2);
  },
);

const naming = (value: string, status = 429) => ({ status, headers: { 'retry-after': value } });

describe('A time that an upstream names', () => {
  test.for([429, 503])('with a %i is kept for every question and every replica', async (status, { open }) => {
    const world = await open();
    world.service.nextAnswers([naming('1', status)]);
    const heard = world.another({ retry: { maxRetryAfterMs: 0 } }).client.diagnostics(question());
    await expect(heard).rejects.toMatchObject({ retryAt: expect.any(Number) });
    const asked = [question(), question('1002', 'hit')].flatMap((each) =>
      [world, world.another()].map(({ client }) => client.diagnostics(each)),
    );
    for (const answer of await Promise.all(asked)) expect(answer.kind).toBe('ready');
    expect(world.service.records.requests).toHaveLength(5);
  });

  test.for([
    ['900', 900_000],
    ['90000', undefined],
    ['Fri, 20 Nov 2026 00:10:00 GMT', 600_000],
    ['Fri, 20 Nov 2026 04:00:00 GMT', 3_600_000],
    ['2026-11-20T00:00:30Z', undefined],
  ] as const)(
    'that is far ahead is reported at once, and nothing is sent before it: %s',
    async ([value, ms], { open }) => {
      const now = Date.UTC(2026, 10, 20);
      const { service, client, another } = await open({ now: () => now, retry: { maxRetryAfterMs: 0 } });
      service.nextAnswers([naming(value, 503)]);
      const retry = { maxRetryAfterMs: 0, retries: 0 };
      const fault = await outcomeOf(another({ retry }).client.diagnostics(question()));
      expect(fault).toMatchObject({
        code: 'service-failed',
        retryAt: ms === undefined ? undefined : now + ms,
      });
      const next = await outcomeOf(client.diagnostics(question('1002')));
      expect(next).toMatchObject(
        ms === undefined ? { kind: 'ready' } : { code: 'rate-limited', retryAt: now + ms },
      );
    },
  );

  test('also holds for requests that already wait for their turn', async ({ open }) => {
    const { service, client } = await open({ concurrency: 1, retry: { maxRetryAfterMs: 0 } });
    service.nextAnswers([naming('1')], '1012');
    const asked = ['1012', '1002', '1002'].map((id) => client.diagnostics(question(id)));
    for (const outcome of await Promise.allSettled(asked))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'rate-limited' } });
    expect(service.records.requests).toHaveLength(1);
  });

  test('for logins does not stop requests with a session', async ({ open }) => {
    const { service, client } = await open();
    service.nextLoginAnswers([naming('1', 503)]);
    expect((await client.diagnostics(question())).kind).toBe('ready');
    const [first, second] = service.records.logins;
    expect((second?.arrivedAt ?? 0) - (first?.answeredAt ?? 0)).toBeGreaterThanOrEqual(999);
  });
});

/** A TLS host that answers every request with these bytes. */
async function rawHost(bytes: string, onTestFinished: (end: () => void) => void): Promise<string> {
  const { keyPem, certPem } = await trustedCertificates();
  const host = createServer({ key: keyPem, cert: certPem }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes, 'latin1'));
  });
  onTestFinished(() => void host.close());
  await once(host.listen(0), 'listening');
  return `https://localhost:${(host.address() as AddressInfo).port}`;
}

test.for([
  [
    'a 100 Continue that nobody asked for',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n',
  ],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\n{}'],
  ['no HTTP', 'SSH-2.0-x\r\n'],
  ['headers without end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`],
  ['damaged gzip', `HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n\u001f\u008b${'x'.repeat(9)}`],
])('A malformed answer is a lasting fault: %s', async ([, bytes = ''], { open, onTestFinished }) => {
  const { transport } = await open();
  const address = await rawHost(bytes, onTestFinished);
  const fault = await outcomeOf(transport.send(get(`${address}/x`), () => 'read'));
  expect(fault).toMatchObject({ code: 'unreachable', reason: 'undecodable', isTransient: false });
});

describe('A request', () => {
  test('waits behind earlier requests, and a login goes first', async ({ open }) => {
    const { service, client, transport } = await open({ concurrency: 2 });
    const releaseLogin = service.hold();
    const ids = Array.from({ length: 7 }, (_, index) => `70${index}`);
    for (const id of ids) service.shelve(id, READY);
    const asked = ids.map((id) => client.diagnostics(question(id)));
    await eventually(() => expect(service.records.logins).toHaveLength(1));
    const release = service.hold();
    releaseLogin();
    await eventually(() => expect(service.records.requests).toHaveLength(2));
    expect(transport.waiting).toBe(5);
    const order: string[] = [];
    const send = (upstream: HttpRequest['upstream']) =>
      transport.send({ ...get(`${service.loginUrl}/x`), upstream }, () => void order.push(upstream));
    const others = [send('diagnostics service'), send('login servers')];
    release();
    await Promise.all([...asked, ...others]);
    expect(order).toEqual(['login servers', 'diagnostics service']);
    expect(service.records.requests.map(({ id }) => id)).toEqual(ids);
    expect(service.connections()).toBeLessThanOrEqual(2);
  });

  test('with an unreadable answer frees its slot', async ({ open }) => {
    const { transport, service } = await open({ concurrency: 1 });
    const failing = transport.send(get(`${service.loginUrl}/x`), () => Promise.reject(new Error('misread')));
    await expect(failing).rejects.toThrow('misread');
    expect(await transport.send(get(`${service.loginUrl}/x`), ({ status }) => status)).toBe(200);
  });

  test.for([
    ['https://localhost:1', 'connection', true],
    ['https://nowhere.invalid', 'name', true],
  ] as const)('to %s is unreachable: %s', async ([address, reason, isTransient], { open }) => {
    const { transport } = await open();
    const fault = await outcomeOf(transport.send(get(`${address}/x`), () => undefined));
    expect(fault).toMatchObject({ reason, isTransient });
  });

  test('to a host with an untrusted certificate is unreachable, and is not retried', async ({ open }) => {
    const { transport } = await open();
    const stranger = await startDiagnosticsService({ certificates: await makeCertificates() });
    const fault = await outcomeOf(transport.send(get(`${stranger.baseUrl}/x`), () => undefined));
    expect(fault).toMatchObject({ reason: 'certificate', isTransient: false });
    expect(stranger.records.requests).toEqual([]);
    await stranger.close();
  });

  test('that is queued ends when the bot stops, and a request that was sent still gets its answer', async ({
    open,
  }) => {
    const { transport, service, client } = await open({ concurrency: 1 });
    await client.diagnostics(question());
    const release = service.hold();
    const sent = client.diagnostics(question('1001'));
    const waiting = outcomeOf(client.diagnostics(question('1002')));
    await eventually(() => expect(service.records.requests).toHaveLength(2));
    transport.stop();
    release();
    expect((await sent).kind).toBe('ready');
    expect(await waiting).toBeInstanceOf(Stopping);
    await expect(transport.send(get(`${service.loginUrl}/x`), () => {})).rejects.toThrow(Stopping);
    expect(service.records.requests).toHaveLength(2);
  });

  test('is not retried after the bot stops', async ({ open }) => {
    const { transport, service, client } = await open({
      retry: { firstDelayMs: 600_000, longestDelayMs: 600_000 },
    });
    service.nextAnswers([{ status: 503 }]);
    const asked = client.diagnostics(question());
    await eventually(() => expect(service.records.requests[0]?.answeredAt).toBeDefined());
    transport.stop();
    await expect(asked).rejects.toThrow(Stopping);
  });
});

test('A proxy serves only the addresses that it is configured for', async ({ onTestFinished }) => {
  const asked: string[] = [];
  const proxy = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => {
      asked.push(String(head).split(' ')[1] ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    });
  });
  onTestFinished(() => void proxy.close());
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  for (const [proxies, expected] of [
    [{ httpsProxy: url }, ['api.invalid:443']],
    // A single configured proxy serves every request.
    [{ httpProxy: url }, ['api.invalid:443']],
    [{ httpsProxy: url, noProxy: 'api.invalid' }, []],
    [{ httpsProxy: url, noProxy: 'other.invalid' }, ['api.invalid:443']],
  ] as const) {
    asked.length = 0;
    const transport = new Transport({ proxies, timeouts: HTTP_TIMEOUTS, concurrency: 1, onAnswer: () => {} });
    await outcomeOf(transport.send(get('https://api.invalid/x'), () => undefined));
    expect(asked).toEqual(expected);
    await transport.close();
  }
});
