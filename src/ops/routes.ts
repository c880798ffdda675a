import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readiness } from './health.ts';
import type { Metrics } from './metrics.ts';

/** A route beside Slack's own. */
export type Route = {
  readonly method: 'GET';
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

/** `GET /healthz` (the process lives), `/readyz` (200 only when it can serve a command) and `/metrics`. */
export function opsRoutes({ version, readiness, metrics }: OpsOptions): Route[] {
  return [
    route('/healthz', async (response) => {
      const body = { status: 'ok', version, uptimeSeconds: Math.round(process.uptime()) };
      sendJson(response, 200, body);
    }),
    route('/readyz', async (response) => {
      const state = await readiness();
      sendJson(response, state.ready ? 200 : 503, state);
    }),
    route('/metrics', async (response) => send(response, 200, metrics.contentType, await metrics.text())),
  ];
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

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(body);
}
