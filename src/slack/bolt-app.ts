import { App, type CustomRoute, HTTPReceiver, type Logger, SocketModeReceiver, webApi } from '@slack/bolt';
import { type Dispatcher, fetch as undiciFetch } from 'undici';
import type { SlackSettings } from './slack-settings.ts';

/** Bolt, and what the bot has to know of how it listens. */
export type SlackApp = {
  readonly app: App;
  /** For messages: repeats nothing by itself, and throws a 429 at once. */
  readonly messages: webApi.WebClient;
  /** Checks the bot's token, then listens. Throws when Slack refuses the token or the port is taken. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Whether Slack's deliveries reach the bot now. */
  isListening(): boolean;
  /** The port that it really listens on, also where the configuration said 0. */
  port(): number;
};

/** Slack's client waits as long as it is let, and repeats for half an hour by itself; the queue has more patience. */
const CLIENT_TIMEOUT_MS = 10_000;
const CLIENT_RETRIES = { retries: 3, minTimeout: 500, maxTimeout: 5_000, factor: 2, randomize: true };

export type SlackAppOptions = {
  readonly slack: SlackSettings;
  readonly port: number;
  readonly routes: CustomRoute[];
  readonly logger: Logger;
  /** Carries every call to Slack, so that proxies and extra authorities count there too. */
  readonly dispatcher: Dispatcher;
};

/** Puts Bolt together for HTTP or for Socket Mode; starts nothing. */
export function createSlackApp(options: SlackAppOptions): SlackApp {
  const { botToken, entrance } = options.slack;
  const clientOptions = clientOptionsFor(options);
  const once = { ...clientOptions, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true };
  const listening =
    entrance.kind === 'socket'
      ? overSocket(options, entrance.appToken, clientOptions)
      : overHttp(options, entrance.signingSecret, clientOptions);
  return { ...listening, messages: new webApi.WebClient(botToken, once) };
}

function clientOptionsFor({ slack, logger, dispatcher }: SlackAppOptions): webApi.WebClientOptions {
  return {
    slackApiUrl: slack.apiUrl,
    timeout: CLIENT_TIMEOUT_MS,
    retryConfig: CLIENT_RETRIES,
    allowAbsoluteUrls: false,
    logger,
    // The client hands over what undici's own fetch takes; only the names of the types differ.
    fetch: (url, init) => undiciFetch(url, { ...init, dispatcher } as Parameters<typeof undiciFetch>[1]),
  };
}

function overHttp(
  { slack, port, routes, logger }: SlackAppOptions,
  signingSecret: string,
  clientOptions: webApi.WebClientOptions,
): Omit<SlackApp, 'messages'> {
  const receiver = new HTTPReceiver({
    signingSecret,
    endpoints: '/slack/events',
    customRoutes: routes,
    logger,
  });
  const app = boltApp(receiver, slack.botToken, clientOptions, logger);
  let listeningOn = 0;
  return {
    app,
    start: async () => {
      await app.init();
      const address = (await receiver.start(port)).address();
      listeningOn = typeof address === 'object' && address !== null ? address.port : port;
    },
    stop: async () => {
      const wasListening = listeningOn !== 0;
      listeningOn = 0;
      if (wasListening) await receiver.stop();
    },
    isListening: () => listeningOn !== 0,
    port: () => listeningOn,
  };
}

function overSocket(
  { slack, port, routes, logger, dispatcher }: SlackAppOptions,
  appToken: string,
  clientOptions: webApi.WebClientOptions,
): Omit<SlackApp, 'messages'> {
  const receiver = new SocketModeReceiver({
    appToken,
    dispatcher,
    customRoutes: routes,
    installerOptions: { port, clientOptions },
    logger,
  });
  const app = boltApp(receiver, slack.botToken, clientOptions, logger);
  let isConnected = false;
  receiver.client.on('connected', () => {
    isConnected = true;
  });
  for (const state of ['close', 'reconnecting', 'disconnecting', 'disconnected']) {
    receiver.client.on(state, () => {
      isConnected = false;
    });
  }
  return {
    app,
    start: async () => {
      await app.init();
      await receiver.start();
    },
    stop: () => receiver.stop(),
    isListening: () => isConnected,
    port: () => port,
  };
}

function boltApp(
  receiver: HTTPReceiver | SocketModeReceiver,
  token: string,
  clientOptions: webApi.WebClientOptions,
  logger: Logger,
): App {
  return new App({ receiver, token, clientOptions, logger, convoStore: false, deferInitialization: true });
}
