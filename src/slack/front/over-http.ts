import type { ServerOptions } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type CustomRoute, HTTPReceiver, type Logger } from '@slack/bolt';
import { portUnusable } from '../../core/errors.ts';

export type HttpOptions = {
  readonly port: number;
  /** How long deliveries are still taken after a stop has begun: the load balancer learns of it a little later. */
  readonly shutdownDelayMs: number;
  /** Routes beside Slack's own. */
  readonly routes: readonly CustomRoute[];
  readonly logger: Logger;
};

/** Time limits of a request: Slack sends a delivery at once and whole. Milliseconds. */
const SERVER_OPTIONS: ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};
const MOST_CONNECTIONS = 1_000;
/** The largest body. Slack's largest delivery, a filled-in view, takes less than half of it. */
const LARGEST_BODY = 512 * 1_024;
/** Slack hangs up after three seconds. Until this time, a delayed bot can still acknowledge. Milliseconds. */
const UNACKNOWLEDGED_MS = 30_000;

/** Listens on a port, to which Slack sends signed requests. `refused` logs an error; true if it was no delivery of Slack. */
export function overHttp(
  { port, shutdownDelayMs, routes, logger }: HttpOptions,
  signingSecret: string,
  refused: (error: unknown) => boolean,
) {
  const receiver = new HTTPReceiver({
    signingSecret,
    customRoutes: [...routes],
    logger: sparingLog(logger),
    bodyLimit: LARGEST_BODY,
    processEventErrorHandler: async ({ error, response }) => {
      const status = refused(error) ? 400 : 500;
      if (!response.headersSent) response.writeHead(status).end();
      return false;
    },
    unhandledRequestTimeoutMillis: UNACKNOWLEDGED_MS,
    // Bolt goes on waiting for the acknowledgement of a delivery that was refused: that one has its answer.
    unhandledRequestHandler: ({ response }) => {
      if (response.headersSent) return;
      logger.error('a delivery of Slack was not acknowledged');
      response.writeHead(404).end();
    },
    // The address is not one that Bolt knows, or no address.
    dispatchErrorHandler: async ({ response }) => void response.writeHead(404).end(),
  });
  let listeningOn = 0;
  let isOpen = false;
  return {
    receiver,
    start: async () => {
      const server = await receiver.start(port, SERVER_OPTIONS).catch((error: unknown) => {
        throw portUnusable('PORT', port, error);
      });
      server.maxConnections = MOST_CONNECTIONS;
      const address = server.address();
      listeningOn = typeof address === 'object' && address !== null ? address.port : port;
      isOpen = true;
    },
    stop: async () => {
      if (!isOpen) return;
      isOpen = false;
      await delay(shutdownDelayMs);
      await receiver.stop();
    },
    isListening: () => isOpen,
    port: () => listeningOn,
  };
}

/** The most lines that strangers can write into the log in a minute. */
const MOST_LINES = 20;
const MINUTE_MS = 60_000;

/** The same log for what any sender can cause: 20 warnings and errors a minute. */
function sparingLog(logger: Logger): Logger {
  let since = Number.NEGATIVE_INFINITY;
  let lines = 0;
  const atMost =
    (write: Logger['warn']) =>
    (...line: unknown[]) => {
      const now = performance.now();
      if (now - since >= MINUTE_MS) [since, lines] = [now, 0];
      lines += 1;
      if (lines < MOST_LINES) write(...line);
      if (lines === MOST_LINES) write(...line, 'Further lines about requests are left out for a minute.');
    };
  return { ...logger, warn: atMost(logger.warn), error: atMost(logger.error) };
}
