import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { Readiness } from '../../../src/ops/health.ts';
import type { Metrics } from '../../../src/ops/metrics.ts';
import { opsRoutes } from '../../../src/ops/routes.ts';

/** What a route answers. */
async function answerAt(
  path: string,
  readiness: Readiness,
  text: () => Promise<string> = async () => 'metrics',
) {
  const routes = opsRoutes({
    version: '1.2.3',
    readiness: async () => readiness,
    metrics: { contentType: 'text/plain; version=0.0.4', text } as unknown as Metrics,
  });
  const { promise, resolve } = Promise.withResolvers<{ status: number; headers: unknown; body: string }>();
  let head: { status: number; headers: unknown };
  const response = {
    writeHead: (status: number, headers: unknown) => {
      head = { status, headers };
    },
    end: (body: string) => resolve({ ...head, body }),
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

test('/metrics is text of Prometheus, and an error of its own where it can not be made', async () => {
  expect(await answerAt('/metrics', FINE)).toEqual({
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4', 'cache-control': 'no-store' },
    body: 'metrics',
  });
  const failed = await answerAt('/metrics', FINE, () => Promise.reject(new Error('a secret')));
  expect(failed).toEqual({ status: 500, headers: JSON_HEADERS, body: '{"status":"error"}\n' });
});
