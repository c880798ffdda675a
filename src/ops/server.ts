import { once } from 'node:events';
import { createServer } from 'node:http';
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

/** Serves the routes, and 404 for everything else; starts nothing. */
export function createOpsServer(port: number, routes: readonly Route[]): OpsServer {
  const server = createServer(LIMITS, (request, response) => {
    const path = request.url?.split('?', 1)[0];
    const found = routes.find((route) => route.path === path && route.method === request.method);
    if (found !== undefined) return found.handler(request, response);
    response.writeHead(404).end();
  });
  server.maxConnections = MOST_CONNECTIONS;
  return {
    start: async () => {
      server.listen(port);
      await once(server, 'listening');
    },
    stop: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    port: () => {
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : port;
    },
  };
}
