import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { VERSION } from '../../src/config/config.ts';
import {
  createOpsServer,
  opsRoutes,
  type Readiness,
  type Route,
  readinessOf,
  recentEvents,
} from '../../src/ops/health.ts';

async function serving(routes: readonly Route[]) {
  const server = createOpsServer(0, routes);
  onTestFinished(() => server.stop());
  await server.start();
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${server.port()}${path}`, { method });
    const { status, headers } = answer;
    return {
      status,
      type: headers.get('content-type'),
      cached: headers.get('cache-control'),
      body: await answer.text(),
    };
  };
  return { server, ask };
}

/** Serves the operator's routes of a bot in this state. */
function serve(readiness: Readiness | (() => Promise<Readiness>), text = async () => 'metrics') {
  const look = typeof readiness === 'function' ? readiness : async () => readiness;
  return serving(opsRoutes(look, { contentType: 'text/plain; version=0.0.4; charset=utf-8', text }));
}

const FINE: Readiness = { ready: true, reasons: [] };
const BROKEN: Readiness = { ready: false, reasons: [{ part: 'store', problem: 'away' }] };
const AS_JSON = { type: 'application/json; charset=utf-8', cached: 'no-store' };

test('/healthz tells the version and for how many seconds the process has lived, whatever else is wrong', async () => {
  const { ask } = await serve(BROKEN);
  const { body, ...head } = await ask('/healthz');
  expect(head).toEqual({ status: 200, ...AS_JSON });
  const { uptimeSeconds, ...rest } = JSON.parse(body);
  expect(rest).toEqual({ status: 'ok', version: VERSION });
  expect(uptimeSeconds).toBe(Math.round(uptimeSeconds));
  expect(Math.abs(uptimeSeconds - process.uptime())).toBeLessThan(60);
});

test.each([
  [FINE, 200],
  [BROKEN, 503],
  // A problem that leaves the bot ready.
  [{ ...BROKEN, ready: true }, 200],
])('/readyz answers with the readiness %j and the status %d', async (state, status) => {
  const { ask } = await serve(state);
  expect(await ask('/readyz')).toEqual({ status, ...AS_JSON, body: `${JSON.stringify(state)}\n` });
});

test('Addresses answer GET and HEAD with any query; other paths and methods are 404, long headers 431', async () => {
  const { ask } = await serve(FINE);
  for (const path of ['/healthz', '/readyz', '/metrics', '/readyz?verbose=1'])
    expect(await ask(path, 'HEAD')).toMatchObject({ status: 200, body: '' });
  const strange = [ask('/readyz/'), ask('/'), ask('/readyz', 'POST'), ask(`/readyz?${'x'.repeat(16_384)}`)];
  expect((await Promise.all(strange)).map(({ status }) => status)).toEqual([404, 404, 404, 431]);
});

test('/metrics is text of Prometheus, and an error of its own where it can not be made', async () => {
  expect(await (await serve(FINE)).ask('/metrics')).toEqual({
    ...{ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', cached: 'no-store' },
    body: 'metrics',
  });
  const { ask } = await serve(FINE, () => Promise.reject(new Error('a secret')));
  expect(await ask('/metrics')).toEqual({ status: 500, ...AS_JSON, body: '{"status":"error"}\n' });
});

test('However many requests arrive, metrics are written and readiness is checked ten times a second', async () => {
  const readiness = vi.fn(async () => FINE);
  const text = vi.fn(async () => 'metrics');
  const { ask } = await serve(readiness, text);
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const looks = async (afterMs: number) => {
    vi.advanceTimersByTime(afterMs);
    await Promise.all(['/metrics', '/metrics', '/readyz', '/readyz'].map((path) => ask(path)));
    return [text.mock.calls.length, readiness.mock.calls.length];
  };
  expect([await looks(0), await looks(99), await looks(1)]).toEqual([
    [1, 1],
    [1, 1],
    [2, 2],
  ]);
});

test('At most two hundred connections are open: a further connection is closed at once', async () => {
  const { server } = await serve(FINE);
  const open = () => {
    const socket = connect(server.port(), '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  const held = Array.from({ length: 200 }, open);
  await Promise.all(held.map((socket) => once(socket, 'connect')));
  await once(open(), 'close');
  expect(held.filter(({ destroyed }) => destroyed)).toEqual([]);
});

test('A stop does not wait for open connections, and may come twice', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const { server, ask } = await serving([{ method: 'GET', path: '/slow', handler: () => resolve() }]);
  const answer = ask('/slow').catch(() => 'cut off');
  await asked;
  const began = performance.now();
  await server.stop();
  expect(await answer).toBe('cut off');
  // Without `stop`, idle connections would end after 30 seconds.
  expect(performance.now() - began).toBeLessThan(15_000);
});

test('A host that is silent or fails is reported with the time since when, and leaves the bot ready', async () => {
  const clock = { now: Date.UTC(2026, 10, 20, 9, 30) };
  const events = recentEvents(() => clock.now);
  const state = () => readinessOf(events.checks());
  expect(await state()).toEqual({ ready: true, reasons: [] });
  events.noteAnswer('diagnostics service', 'none');
  clock.now += 60_000;
  events.noteAnswer('diagnostics service', 'none');
  events.noteAnswer('login servers', 503);
  expect(await state()).toEqual({
    ready: true,
    reasons: [
      { part: 'diagnostics service', problem: 'no answer since 2026-11-20T09:30:00.000Z' },
      { part: 'login servers', problem: 'status 503 since 2026-11-20T09:31:00.000Z' },
    ],
  });
  events.noteAnswer('login servers', 302);
  events.noteAnswer('diagnostics service', 404);
  expect((await state()).reasons).toEqual([]);
});

test('A check that throws is a problem, and makes the bot unready if the part is essential', async () => {
  const fails = (what: unknown) => () => Promise.reject(what);
  const cause = new Error('no\nroom');
  // If all addresses of a host refuse the connection, Node's error has only this code.
  const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  const checks = {
    store: fails(new Error('Redis is away')),
    login: fails('odd'),
    audit: fails(new Error('full', { cause })),
    'state key': fails(new Error('away', { cause: refused })),
  };
  const reasons = [
    { part: 'store', problem: 'Redis is away' },
    { part: 'login', problem: 'it could not be checked' },
    { part: 'audit', problem: 'full (no room)' },
    { part: 'state key', problem: 'away (ECONNREFUSED)' },
  ];
  expect(await readinessOf(checks)).toEqual({ ready: false, reasons });
});

test('The latest ten faults are kept, the latest first', () => {
  let now = 0;
  const events = recentEvents(() => (now += 1));
  for (let fault = 1; fault <= 12; fault += 1) events.noteFault('bug', `r${fault}`);
  const kept = events.faults().map(({ at, reference }) => `${at} ${reference}`);
  expect(kept.slice(0, 2)).toEqual(['12 r12', '11 r11']);
  expect(kept).toHaveLength(10);
});
