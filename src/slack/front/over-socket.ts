import { type App, type Logger, SocketModeReceiver, type webApi } from '@slack/bolt';
import pRetry from 'p-retry';
import type { Dispatcher } from 'undici';
import { inTime, LATE } from '../../core/time.ts';
import { withToken } from './slack-client.ts';

/** The number of connections: Slack closes each from time to time, and the other one takes over. It allows ten. */
const SOCKETS = 2;
/** The pauses between attempts to open a connection. Milliseconds. */
const ATTEMPTS = { retries: Number.POSITIVE_INFINITY, minTimeout: 250, maxTimeout: 30_000, factor: 2 };
/** How long to wait for Slack's first message; a connection without it is closed. */
const GREETED_WITHIN_MS = 15_000;

/**
 * Opens WebSocket connections to Slack (Socket Mode): nothing listens on a port. `refused` logs an error; true if it was no
 * delivery of Slack.
 */
export function overSocket(
  appToken: string,
  clientOptions: webApi.WebClientOptions & { readonly logger: Logger },
  dispatcher: Dispatcher,
  refused: (error: unknown) => boolean,
) {
  const { logger } = clientOptions;
  const newReceiver = () =>
    new SocketModeReceiver({
      appToken,
      dispatcher,
      installerOptions: { clientOptions },
      logger,
      // True acknowledges it: Slack would otherwise send the same again.
      processEventErrorHandler: async ({ error }) => refused(error),
      // The client's own reconnection gives up at an HTTP error, with an unhandled rejection.
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
    /** Whether Slack's deliveries reach the bot now. */
    isListening: () => connections.some(({ isOpen }) => isOpen()),
  };
}

/** Keeps one connection open: when Slack closes it, it is opened again at once, then with growing pauses. */
function connection(receiver: SocketModeReceiver, logger: Logger) {
  const { client } = receiver;
  const stopped = new AbortController();
  let isOpen = false;
  let isOpening = false;
  const attempt = async () => {
    try {
      if (!isOpen && (await inTime(GREETED_WITHIN_MS, client.start())) === LATE) await client.disconnect();
    } catch (error) {
      logger.warn('retrying a Socket Mode connection that could not be opened', error);
    }
    if (!isOpen) throw new Error('Slack opened no connection');
  };
  const reopen = async () => {
    if (isOpening) return;
    isOpening = true;
    // Only a stop ends the attempts.
    await pRetry(attempt, { ...ATTEMPTS, signal: stopped.signal }).catch(() => {});
    isOpening = false;
  };
  client.on('connected', () => {
    isOpen = true;
  });
  for (const state of ['close', 'disconnecting', 'disconnected']) {
    client.on(state, () => {
      isOpen = false;
    });
  }
  client.on('disconnected', () => void reopen());
  return {
    isOpen: () => isOpen,
    /** Throws if Slack refuses the first connection: most likely the token is wrong. */
    start: async () => {
      isOpening = true;
      await receiver.start().catch((refusal: unknown) => {
        // Slack's client gives no reason where the connection ended before Slack's first message: that refuses nothing.
        if (refusal !== undefined) throw refusal;
      });
      isOpening = false;
      if (!isOpen) void reopen();
    },
    stop: async () => {
      stopped.abort();
      await receiver.stop();
    },
  };
}
