import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Readiness } from '../../../src/ops/health.ts';
import type { Metrics } from '../../../src/ops/metrics.ts';
import { opsRoutes, type Route } from '../../../src/ops/routes.ts';
import { createOpsServer } from '../../../src/ops/server.ts';

/** What a route answers. */
function answerAt(path: string, readiness: Readiness, text = async () => 'metrics') {
  return asking(async () => readiness, text)(path);
}

/** Asks the same routes as often as one likes. */
function asking(readiness: () => Promise<Readiness>, text: () => Promise<string>) {
  const routes = opsRoutes({
    version: '1.2.3',
    readiness,
    metrics: { contentType: 'text/plain; version=0.0.4', text } as unknown as Metrics,
  });
  return (path: string) => answerOf(path, routes);
}

async function answerOf(path: string, routes: readonly Route[]) {
  const { promise, resolve } = Promise.withResolvers<{ status: number; headers: unknown; body: string }>();
  let head: { status: number; headers: unknown };
  const response = {
    writeHead: (status: number, headers: unknown) => {
      head = { status, headers };
    },
    end: (body: string | Buffer) => resolve({ ...head, body: String(body) }),
  } as unknown as ServerResponse;
  routes.find((route) => route.path === path)?.handler(undefined as never, response);
  return promise;
}

const FINE: Readiness = { ready: true, reasons: [] };
const BROKEN: Readiness = { ready: false, reasons: [{ part: 'store', problem: 'away' }] };
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

test('/healthz tells the version and for how many seconds the process has lived, whatever else is wrong', async () => {
  const { status, headers, body } = await answerAt('/healthz', BROKEN);
  expect([status, headers]).toEqual([200, JSON_HEADERS]);
  const { uptimeSeconds, ...rest } = JSON.parse(body);
  expect(rest).toEqual({ status: 'ok', version: '1.2.3' });
  expect(uptimeSeconds).toBe(Math.round(uptimeSeconds));
  expect(Math.abs(uptimeSeconds - process.uptime())).toBeLessThan(60);
});

test('/readyz is 200 only where a command can be served, else 503 with the reasons', async () => {
  expect(await answerAt('/readyz', FINE)).toEqual({
    ...{ status: 200, headers: JSON_HEADERS, body: '{"ready":true,"reasons":[]}\n' },
  });
  const { status, body } = await answerAt('/readyz', BROKEN);
  expect([status, JSON.parse(body)]).toEqual([503, BROKEN]);
  // Trouble that stops nobody.
  expect((await answerAt('/readyz', { ...BROKEN, ready: true })).status).toBe(200);
});

test('Every address answers HEAD as well, with which some monitors ask', async () => {
  const routes = opsRoutes({ version: '1', readiness: async () => FINE, metrics: {} as Metrics });
  const server = createOpsServer(0, routes);
  onTestFinished(() => server.stop());
  await server.start();
  const ask = (path: string) => fetch(`http://127.0.0.1:${server.port()}${path}`, { method: 'HEAD' });
  const [healthz, readyz] = [await ask('/healthz'), await ask('/readyz')];
  expect([healthz.status, readyz.status]).toEqual([200, 200]);
  expect([readyz.headers.get('content-type'), await readyz.text()]).toEqual([
    JSON_HEADERS['content-type'],
    '',
  ]);
  expect(routes.filter(({ method }) => method === 'HEAD')).toHaveLength(3);
});

test('/metrics is text of Prometheus, and an error of its own where it can not be made', async () => {
  expect(await answerAt('/metrics', FINE)).toEqual({
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4', 'cache-control': 'no-store' },
    body: 'metrics',
  });
  const failed = await answerAt('/metrics', FINE, () => Promise.reject(new Error('a secret')));
  expect(failed).toEqual({ status: 500, headers: JSON_HEADERS, body: '{"status":"error"}\n' });
});

test('However many ask, the metrics are written once a second, and readiness is looked at ten times a second', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const readiness = vi.fn(async () => FINE);
  const text = vi.fn(async () => `text ${text.mock.calls.length}`);
  const at = asking(readiness, text);
  const bodies = async () => (await Promise.all([at('/metrics'), at('/metrics')])).map(({ body }) => body);
  expect(await bodies()).toEqual(['text 1', 'text 1']);
  vi.advanceTimersByTime(999);
  expect(await bodies()).toEqual(['text 1', 'text 1']);
  vi.advanceTimersByTime(1);
  expect(await bodies()).toEqual(['text 2', 'text 2']);
  await Promise.all([at('/readyz'), at('/readyz')]);
  vi.advanceTimersByTime(99);
  await at('/readyz');
  expect(readiness).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  await at('/readyz');
  expect(readiness).toHaveBeenCalledTimes(2);
});
