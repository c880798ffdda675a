import { setTimeout as delay } from 'node:timers/promises';
import { HTTPReceiver, type webApi } from '@slack/bolt';
import { portUnusable } from '../../core/errors.ts';
import { logError, NotADelivery } from './deliveries.ts';
import { limitConnections, SERVER_OPTIONS, sparingLog, withLimits } from './http-limits.ts';
import { boltApp, type Listening, type SlackAppOptions } from './listening.ts';
import { withToken } from './start-errors.ts';

const PATH = '/slack/events';
/**
 * After this time a delivery that nobody has acknowledged is answered anyway. Slack hangs up after three seconds, so it
 * does not read that answer; until then, a bot that was delayed can still acknowledge. Milliseconds.
 */
const UNACKNOWLEDGED_MS = 30_000;

/** Listens on a port, to which Slack sends signed requests. */
export function overHttp(
  options: SlackAppOptions,
  signingSecret: string,
  clientOptions: webApi.WebClientOptions,
): Listening {
  const { port, shutdownDelayMs, routes, logger } = options;
  const requestLog = sparingLog(logger);
  const receiver = new HTTPReceiver({
    signingSecret,
    endpoints: PATH,
    customRoutes: routes.map((route) => ({ ...route })),
    logger: requestLog,
    processEventErrorHandler: async ({ error, response }) => {
      logError(error, logger);
      if (!response.headersSent) response.writeHead(error instanceof NotADelivery ? 400 : 500).end();
      return false;
    },
    unhandledRequestTimeoutMillis: UNACKNOWLEDGED_MS,
    // Bolt goes on waiting for the acknowledgement of a delivery that was refused: that one has its answer.
    unhandledRequestHandler: ({ response }) => {
      if (response.headersSent) return;
      logger.error('a delivery of Slack was not acknowledged');
      response.writeHead(404).end();
    },
  });
  receiver.requestListener = withLimits(receiver.requestListener, PATH, requestLog);
  const app = boltApp(receiver, clientOptions, options);
  let listeningOn = 0;
  let isOpen = false;
  return {
    app,
    start: async () => {
      await withToken('SLACK_BOT_TOKEN', () => app.init());
      const server = await receiver.start(port, SERVER_OPTIONS).catch((error: unknown) => {
        throw portUnusable('PORT', port, error);
      });
      const address = limitConnections(server).address();
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
