import { once } from 'node:events';
import { createServer, type RequestListener, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Logger } from '@slack/bolt';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bounded, oneRequestAtATime } from '../../../../src/core/bounded-server.ts';
import { BOUNDS, SERVER_OPTIONS, sparingLog, withLimits } from '../../../../src/slack/front/over-http.ts';

const MOST = 1_000;

test('Of 1,001 connections the last one is closed at once, and the others stay open', async () => {
  const server = bounded(createServer({ ...SERVER_OPTIONS, headersTimeout: 0, requestTimeout: 0 }), BOUNDS);
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2 * MOST });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: MOST }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const last = connect(port, '127.0.0.1').resume();
  // Node closes it after it was accepted, in whichever way the system tells.
  await once(last, 'close').catch(() => {});
  expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('A connection on which nothing moves is closed after so many milliseconds', async () => {
  const unbounded = createServer({ headersTimeout: 0, requestTimeout: 0 });
  const server = bounded(unbounded, { connections: 1, idleMs: 50 });
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const idle = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  await once(idle, 'close');
});

test('A connection that is reset in the middle of a request ends alone', async () => {
  const server = bounded(createServer(), BOUNDS);
  onTestFinished(() => void server.close().closeAllConnections());
  const errors: unknown[] = [];
  server.on('clientError', (error) => errors.push(error));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const accepted = once(server, 'connection');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await accepted;
  socket.resetAndDestroy();
  await expect.poll(() => errors).toEqual([expect.objectContaining({ code: 'ECONNRESET' })]);
});

test('A body without its length is refused, and its connection ends', async () => {
  const server = bounded(createServer(oneRequestAtATime((_, response) => response.end())), BOUNDS);
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const body = new Blob(['{}']).stream();
  const refused = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, duplex: 'half' });
  expect([refused.status, refused.headers.get('connection')]).toEqual([411, 'close']);
});

test.each([
  ['whose client says nothing more', 'expect: odd', true],
  ['that the client wants to end', 'connection: close', false],
])(
  'A connection %s ends after its answer, which an expectation that nobody knows gets too',
  async (...row) => {
    const [, header, isOver] = row;
    const unending = createServer(
      { keepAliveTimeout: 0 },
      oneRequestAtATime((_, response) => response.end('taken')),
    );
    const server = bounded(unending, BOUNDS);
    onTestFinished(() => void server.close().closeAllConnections());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket[isOver ? 'end' : 'write'](`GET / HTTP/1.1\r\nhost: a\r\n${header}\r\n\r\n`);
    const [status] = (await Array.fromAsync(socket)).join('').split('\r\n');
    expect(status).toBe('HTTP/1.1 200 OK');
  },
);

/** A server of the limits alone, in front of a listener that notes what reaches it. */
async function limited() {
  const reached: string[] = [];
  const log: string[] = [];
  const logger = { warn: (line: string) => log.push(line) } as unknown as Logger;
  const listener: RequestListener = (request, response) => {
    reached.push(`${request.method} ${request.url}`);
    response.end('taken');
  };
  const server = createServer(withLimits(listener, logger));
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const post = async (body: string, type = 'application/json', path = '/slack/events') => {
    const headers = { 'content-type': type };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return answer;
  };
  return { reached, log, post, port };
}

const FORM = 'application/x-www-form-urlencoded';
const LARGEST = 512 * 1_024;

test('A body of 512 KB is taken, a larger one is refused with a line in the log, and its connection ends', async () => {
  const { post, reached, log } = await limited();
  const whole = `{${' '.repeat(LARGEST - 2)}}`;
  expect((await post(whole)).status).toBe(200);
  const refused = await post(`${whole} `);
  expect([refused.status, refused.headers.get('connection')]).toEqual([413, 'close']);
  expect(reached).toHaveLength(1);
  expect(log).toEqual([expect.stringContaining('413')]);
});

test('The memory of a request that is over is free again: many large ones one after the other are taken', async () => {
  const { post } = await limited();
  const large = `{${' '.repeat(LARGEST - 2)}}`;
  const statuses = new Set<number>();
  // Together they are more than the 32 MB that unfinished ones may hold.
  for (let times = 0; times < 70; times += 1) statuses.add((await post(large)).status);
  expect([...statuses]).toEqual([200]);
});

test('What unfinished requests hold is 32 MB at most, and what was held for one that is given up is free again', async () => {
  const { post, port, log } = await limited();
  const headers = { 'content-length': LARGEST };
  const unfinished = Array.from({ length: 65 }, () => {
    const each = request({ port, path: '/slack/events', method: 'POST', headers }).on('error', () => {});
    each.write(Buffer.alloc(LARGEST - 1, ' '));
    return each;
  });
  await expect.poll(() => log, { timeout: 10_000 }).toEqual([expect.stringContaining('503')]);
  for (const each of unfinished) each.destroy();
  const large = `{${' '.repeat(LARGEST - 2)}}`;
  const status = () =>
    post(large).then(
      (answer) => answer.status,
      () => 'cut off',
    );
  await expect.poll(status, { timeout: 10_000 }).toBe(200);
});

test.each([
  ['an object', '{"type":"event_callback"}', 'application/json', 200],
  ['an object after blanks', ' \n{}', 'application/json', 200],
  ['a list', '[]', 'application/json', 400],
  ['a text', '"text"', 'application/json', 400],
  ['nothing', '', 'application/json', 400],
  ['a command', 'command=%2Fsnapshot&text=1', FORM, 200],
  ['a click', 'payload=%7B%22type%22%3A%22block_actions%22%7D', FORM, 200],
  ['a click that is no object', 'payload=%5B%5D', FORM, 400],
  ['a click that is empty', 'payload=', FORM, 400],
  ['a click behind another field', 'a=1&payload=null', FORM, 400],
  ['a field whose name ends so', 'mypayload=null', FORM, 200],
])('A body that is %s gets its status', async (_what, body, type, status) => {
  const { post, reached } = await limited();
  expect((await post(body, type)).status).toBe(status);
  expect(reached).toHaveLength(status === 200 ? 1 : 0);
});

test('Other paths and methods are left to the routes', async () => {
  const { post, reached, port } = await limited();
  expect((await post('x', 'text/plain', '/readyz')).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${port}/slack/events`)).status).toBe(200);
  expect(reached).toEqual(['POST /readyz', 'GET /slack/events']);
});

test('A slow request ends: its headers have five seconds, all of it ten, and an answer that nobody takes a minute', () => {
  expect(bounded(createServer(), BOUNDS).timeout).toBe(60_000);
  expect(SERVER_OPTIONS).toEqual({
    ...{ headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 5_000 },
    connectionsCheckingInterval: 1_000,
  });
});

test('Strangers write 20 lines a minute into the log, and the last one says that there are more', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const note = (...line: unknown[]) => void lines.push(line.join(' '));
  const log = sparingLog({ warn: note, error: note } as unknown as Logger);
  const flood = () => {
    for (let times = 0; times < 50; times += 1) log[times % 2 === 0 ? 'warn' : 'error']('refused', times);
    return lines.splice(0);
  };
  const first = flood();
  expect(first).toHaveLength(20);
  expect([first[0], first[18], first[19]]).toEqual([
    'refused 0',
    'refused 18',
    'refused 19 Further lines about requests are left out for a minute.',
  ]);
  vi.advanceTimersByTime(59_999);
  expect(flood()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(flood()).toEqual(first);
});
