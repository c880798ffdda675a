import type { IncomingMessage, ServerResponse } from 'node:http';
import { atMostEvery } from '../core/single-flight.ts';
import type { Readiness } from './health.ts';
import type { Metrics } from './metrics.ts';

/** A route beside Slack's own. */
export type Route = {
  readonly method: 'GET' | 'HEAD';
  readonly path: string;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
};

type OpsOptions = {
  readonly version: string;
  /** Whether a command can be served now, and what is wrong. Does not throw. */
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
};

const JSON_TYPE = 'application/json; charset=utf-8';
/** Anybody may ask, so the metrics are written for all at most so often, and readiness is looked at. Milliseconds. */
const METRICS_EVERY_MS = 1_000;
const READINESS_EVERY_MS = 100;

/** `GET /healthz` (the process lives), `/readyz` (200 only when it can serve a command) and `/metrics`. */
export function opsRoutes({ version, readiness, metrics }: OpsOptions): Route[] {
  const readinessNow = atMostEvery(READINESS_EVERY_MS, readiness);
  // Bytes: all who wait for the same text share them.
  const metricsNow = atMostEvery(METRICS_EVERY_MS, async () => Buffer.from(await metrics.text()));
  const routes = [
    route('/healthz', async (response) => {
      const body = { status: 'ok', version, uptimeSeconds: Math.round(process.uptime()) };
      sendJson(response, 200, body);
    }),
    route('/readyz', async (response) => {
      const state = await readinessNow();
      sendJson(response, state.ready ? 200 : 503, state);
    }),
    route('/metrics', async (response) => send(response, 200, metrics.contentType, await metricsNow())),
  ];
  // Some monitors ask with HEAD; Node leaves out the body.
  return routes.flatMap((one) => [one, { ...one, method: 'HEAD' }]);
}

function route(path: string, answer: (response: ServerResponse) => Promise<void>): Route {
  return {
    path,
    method: 'GET',
    handler: (_request, response) => {
      answer(response).catch(() => sendJson(response, 500, { status: 'error' }));
    },
  };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, status, JSON_TYPE, `${JSON.stringify(body)}\n`);
}

function send(response: ServerResponse, status: number, contentType: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(body);
}
