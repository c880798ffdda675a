import type { ServerOptions } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type App, type CustomRoute, HTTPReceiver, type Logger, SocketModeReceiver } from '@slack/bolt';
import pRetry from 'p-retry';
import { portUnusable } from '../../core/faults.ts';
import { inTime, LATE } from '../../core/time.ts';
import { NotADelivery } from './delivery.ts';
import { type ClientOptions, withToken } from './slack-client.ts';

export type HttpOptions = {
  readonly port: number;
  /** How long the bot accepts deliveries during a stop, until the load balancer notices the stop. Milliseconds. */
  readonly shutdownDelayMs: number;
  /** Further routes, beside those for Slack. */
  readonly routes: readonly CustomRoute[];
  readonly logger: Logger;
};

/** The time limits of a request. They are short, because Slack sends each delivery in one piece. Milliseconds. */
const SERVER_OPTIONS: ServerOptions = {
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
};
const MOST_CONNECTIONS = 1_000;
/** The largest body in bytes. Slack's largest delivery, a submitted form, is less than half as large. */
const LARGEST_BODY = 512 * 1_024;
/** Slack stops waiting after three seconds; a slow bot may still acknowledge until this time. Milliseconds. */
const UNACKNOWLEDGED_MS = 30_000;

/** Receives deliveries over HTTP: Slack sends signed requests to a port. */
export function overHttp(signingSecret: string, { port, shutdownDelayMs, routes, logger }: HttpOptions) {
  const receiver = new HTTPReceiver({
    signingSecret,
    customRoutes: [...routes],
    logger,
    bodyLimit: LARGEST_BODY,
    processEventErrorHandler: async ({ error, response }) => {
      const status = isNoDelivery(error, logger) ? 400 : 500;
      if (!response.headersSent) response.writeHead(status).end();
      return false;
    },
    unhandledRequestTimeoutMillis: UNACKNOWLEDGED_MS,
    // Bolt calls this handler even if a refused delivery already has its response.
    unhandledRequestHandler: ({ response }) => {
      if (response.headersSent) return;
      logger.error('a delivery of Slack was not acknowledged');
      response.writeHead(404).end();
    },
    // Answers requests with an unknown or malformed path.
    dispatchErrorHandler: async ({ response }) => void response.writeHead(404).end(),
  });
  let listeningOn = port;
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

/** Logs why a delivery could not be processed, without its text. True if Slack can't have sent it. */
function isNoDelivery(error: unknown, logger: Logger): boolean {
  if (error instanceof NotADelivery) {
    logger.warn(error.message);
    return true;
  }
  logger.error(`a delivery could not be processed: ${error instanceof Error ? error.stack : 'unknown'}`);
  return false;
}

/** How many connections are open at once, because Slack closes each from time to time. Slack allows ten. */
const SOCKETS = 2;
/** The pauses before a connection is opened again. Milliseconds. */
const ATTEMPTS = { retries: Number.POSITIVE_INFINITY, minTimeout: 250, maxTimeout: 30_000, factor: 2 };
/** The retries of the request for a connection's URL; Slack's client would retry a hundred times by default. */
const FIRST_ATTEMPTS = { ...ATTEMPTS, retries: 3 };
/** How long to wait for Slack's first message before the connection is closed. Milliseconds. */
const GREETED_WITHIN_MS = 15_000;

/** Receives deliveries over WebSocket connections that the bot opens (Socket Mode), without a listening port. */
export function overSocket(appToken: string, { apiUrl, dispatcher, logger }: ClientOptions) {
  const clientOptions = { slackApiUrl: apiUrl, timeout: GREETED_WITHIN_MS, retryConfig: FIRST_ATTEMPTS };
  const newReceiver = () =>
    new SocketModeReceiver({
      ...{ appToken, dispatcher, logger, installerOptions: { clientOptions } },
      // True acknowledges the delivery; otherwise Slack would send it again.
      processEventErrorHandler: async ({ error }) => isNoDelivery(error, logger),
      // The client's own reconnection fails at an HTTP error with an unhandled rejection.
      autoReconnectEnabled: false,
    });
  const receiver = newReceiver();
  const others = Array.from({ length: SOCKETS - 1 }, newReceiver);
  const connections = [receiver, ...others].map((each) => connection(each, logger));
  return {
    receiver,
    start: (app: App) =>
      withToken('SLACK_APP_TOKEN', async () => {
        for (const other of others) other.init(app);
        for (const { start } of connections) await start();
      }),
    stop: async () => void (await Promise.all(connections.map(({ stop }) => stop()))),
    /** Whether Slack can reach the bot now. */
    isListening: () => connections.some(({ isOpen }) => isOpen()),
  };
}

/** Keeps one connection open: it reopens a closed connection at once, then with growing pauses. */
function connection(receiver: SocketModeReceiver, logger: Logger) {
  const { client } = receiver;
  const stopped = new AbortController();
  let isOpen = false;
  client.on('connected', () => {
    isOpen = true;
  });
  for (const state of ['close', 'disconnecting', 'disconnected']) {
    client.on(state, () => {
      isOpen = false;
    });
  }
  const open = async () => {
    try {
      if ((await inTime(GREETED_WITHIN_MS, client.start())) !== LATE) return;
      await client.disconnect();
    } catch (error) {
      logger.warn('retrying a Socket Mode connection that could not be opened', error);
    }
    throw new Error('Slack opened no connection');
  };
  const keepOpen = async () => {
    while (!stopped.signal.aborted) {
      if (isOpen) await new Promise((done) => client.once('disconnected', done));
      else await pRetry(open, { ...ATTEMPTS, signal: stopped.signal }).catch(() => {});
    }
  };
  return {
    isOpen: () => isOpen,
    /** Throws if Slack refuses the first connection, most likely because of a wrong token. */
    start: async () => {
      await receiver.start().catch((refusal: unknown) => {
        // `refusal` is undefined if the connection closed before Slack's first message; it is opened again.
        if (refusal !== undefined) throw refusal;
      });
      void keepOpen();
    },
    stop: async () => {
      stopped.abort();
      await receiver.stop();
    },
  };
}
