import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { countExpectations, oneRequestAtATime } from '../core/one-request.ts';
import type { Route } from './routes.ts';

/** A server for routes on a port of their own. */
export type OpsServer = {
  /** Throws when the port can't be listened to. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The port that it really listens on, also where the configuration said 0. */
  port(): number;
};

/** Limits for slow clients: a request for metrics is a line and a few headers. */
const LIMITS = {
  maxHeaderSize: 8_192,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};
const MOST_CONNECTIONS = 200;
/** A connection on which nothing moves ends: its client does not take the answer. Milliseconds. */
const IDLE_MS = 30_000;

/** Serves the routes, and 404 for everything else; starts nothing. */
export function createOpsServer(port: number, routes: readonly Route[]): OpsServer {
  let server: Server | undefined;
  const serve: RequestListener = (request, response) => {
    const path = request.url?.split('?', 1)[0];
    const found = routes.find((route) => route.path === path && route.method === request.method);
    if (found !== undefined) return found.handler(request, response);
    response.writeHead(404).end();
  };
  return {
    start: async () => {
      // Loaded here, because a static import also loads Node's own copy of undici: 10 MB that nothing else needs.
      const { createServer } = await import('node:http');
      server = createServer(LIMITS, oneRequestAtATime(serve));
      countExpectations(server);
      server.maxConnections = MOST_CONNECTIONS;
      server.timeout = IDLE_MS;
      server.listen(port);
      await once(server, 'listening');
    },
    stop: async () => {
      if (server?.listening !== true) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    port: () => {
      const address = server?.address();
      return typeof address === 'object' ? (address?.port ?? port) : port;
    },
  };
}
