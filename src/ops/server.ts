import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { bounded, oneRequestAtATime } from '../core/bounded-server.ts';
import { atMostEvery } from '../core/scheduling.ts';
import type { Readiness } from './health.ts';
import type { Metrics } from './metrics.ts';
import { VERSION } from './version.ts';

/** A route beside Slack's own. */
export type Route = {
  readonly method: 'GET' | 'HEAD';
  readonly path: string;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
};

const JSON_TYPE = 'application/json; charset=utf-8';
/** Anybody may ask, so the metrics are written for all at most so often, and readiness is looked at. Milliseconds. */
const METRICS_EVERY_MS = 1_000;
const READINESS_EVERY_MS = 100;

/**
 * `GET /healthz` (the process lives), `/readyz` (200 only when it can serve a command) and `/metrics`. `readiness` does
 * not throw.
 */
export function opsRoutes(
  readiness: () => Promise<Readiness>,
  metrics: Pick<Metrics, 'contentType' | 'text'>,
): Route[] {
  const readinessNow = atMostEvery(READINESS_EVERY_MS, readiness);
  // Bytes: all who wait for the same text share them.
  const metricsNow = atMostEvery(METRICS_EVERY_MS, async () => Buffer.from(await metrics.text()));
  const routes = [
    route('/healthz', async (response) => {
      const uptimeSeconds = Math.round(process.uptime());
      sendJson(response, 200, { status: 'ok', version: VERSION, uptimeSeconds });
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
  const handler: Route['handler'] = (_request, response) => {
    answer(response).catch(() => sendJson(response, 500, { status: 'error' }));
  };
  return { path, method: 'GET', handler };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, status, JSON_TYPE, `${JSON.stringify(body)}\n`);
}

function send(response: ServerResponse, status: number, contentType: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(body);
}

/** A server for routes on a port of their own. */
export type OpsServer = ReturnType<typeof createOpsServer>;

/** Limits for slow clients: a request for metrics is a line and a few headers. */
const LIMITS = {
  maxHeaderSize: 8_192,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};
const BOUNDS = { connections: 200, idleMs: 30_000 };

/** Serves the routes, and 404 for everything else; starts nothing. */
export function createOpsServer(port: number, routes: readonly Route[]) {
  let server: Server | undefined;
  const serve: RequestListener = (request, response) => {
    const path = request.url?.split('?', 1)[0];
    const found = routes.find((route) => route.path === path && route.method === request.method);
    if (found !== undefined) return found.handler(request, response);
    response.writeHead(404).end();
  };
  return {
    /** Throws when the port can't be listened to. */
    start: async () => {
      // Loaded here, because a static import also loads Node's own copy of undici: 10 MB that nothing else needs.
      const { createServer } = await import('node:http');
      server = bounded(createServer(LIMITS, oneRequestAtATime(serve)), BOUNDS);
      server.listen(port);
      await once(server, 'listening');
    },
    stop: async () => {
      if (server?.listening !== true) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    /** The port that it really listens on, also where the configuration said 0. */
    port: (): number => {
      const address = server?.address();
      return typeof address === 'object' ? (address?.port ?? port) : port;
    },
  };
}
