import { setTimeout as delay } from 'node:timers/promises';
import { App, type CustomRoute, HTTPReceiver, type Logger, SocketModeReceiver, webApi } from '@slack/bolt';
import { type Dispatcher, fetch as undiciFetch } from 'undici';
import { acknowledgeWhenDone } from './event-acknowledgement.ts';
import { type Identity, identityThrough } from './identity.ts';
import type { SlackSettings } from './slack-settings.ts';
import { SocketSupervisor } from './socket-supervisor.ts';

/** Bolt, and what the bot has to know of how it listens. */
export type SlackApp = {
  readonly app: App;
  /** For messages: repeats nothing by itself, and throws a 429 at once. */
  readonly messages: webApi.WebClient;
  /** Who the bot is. Throws when Slack does not say. */
  readonly identity: () => Promise<Identity>;
  /** Checks the bot's token, then listens. Throws when Slack refuses the token or the port is taken. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Whether Slack's deliveries reach the bot now. */
  isListening(): boolean;
  /** The port that it really listens on, also where the configuration said 0. */
  port(): number;
};
type Listening = Omit<SlackApp, 'messages' | 'identity'>;

/** Slack's client waits as long as it is let, and repeats for half an hour by itself; the queue has more patience. */
const CLIENT_TIMEOUT_MS = 10_000;
const CLIENT_RETRIES = { retries: 3, minTimeout: 500, maxTimeout: 5_000, factor: 2, randomize: true };
/** Slack refreshes each connection from time to time; the other one takes what comes meanwhile. It allows ten. */
const SOCKETS = 2;

export type SlackAppOptions = {
  readonly slack: SlackSettings;
  readonly port: number;
  /** How long deliveries are still taken after a stop has begun: whoever sends them hears of it a little later. */
  readonly farewellMs: number;
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
  const messages = new webApi.WebClient(botToken, once);
  const listening =
    entrance.kind === 'socket'
      ? overSocket(options, entrance.appToken, clientOptions)
      : overHttp(options, entrance.signingSecret, clientOptions);
  return { ...listening, messages, identity: identityThrough(messages) };
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
  { slack, port, farewellMs, routes, logger }: SlackAppOptions,
  signingSecret: string,
  clientOptions: webApi.WebClientOptions,
): Listening {
  const receiver = new HTTPReceiver({
    signingSecret,
    endpoints: '/slack/events',
    customRoutes: routes,
    logger,
  });
  const app = boltApp(receiver, slack.botToken, clientOptions, logger);
  let listeningOn = 0;
  let isOpen = false;
  return {
    app,
    start: async () => {
      await app.init();
      const address = (await receiver.start(port)).address();
      listeningOn = typeof address === 'object' && address !== null ? address.port : port;
      isOpen = true;
    },
    stop: async () => {
      if (!isOpen) return;
      isOpen = false;
      await delay(farewellMs);
      await receiver.stop();
    },
    isListening: () => isOpen,
    port: () => listeningOn,
  };
}

function overSocket(
  { slack, port, routes, logger, dispatcher }: SlackAppOptions,
  appToken: string,
  clientOptions: webApi.WebClientOptions,
): Listening {
  const receiverWith = (customRoutes: CustomRoute[]) =>
    new SocketModeReceiver({
      appToken,
      dispatcher,
      customRoutes,
      installerOptions: { port, clientOptions },
      logger,
      // It gives up at an HTTP error, with a rejection that nobody hears: the supervisor does it instead.
      autoReconnectEnabled: false,
    });
  const first = receiverWith(routes);
  const others = Array.from({ length: SOCKETS - 1 }, () => receiverWith([]));
  const app = boltApp(first, slack.botToken, clientOptions, logger);
  for (const other of others) other.init(app);
  const supervisors = [first, ...others].map((receiver) => new SocketSupervisor(receiver, logger));
  return {
    app,
    start: async () => {
      await app.init();
      for (const supervisor of supervisors) await supervisor.start();
    },
    stop: async () => {
      await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
    },
    isListening: () => supervisors.some(({ isConnected }) => isConnected),
    port: () => port,
  };
}

function boltApp(
  receiver: HTTPReceiver | SocketModeReceiver,
  token: string,
  clientOptions: webApi.WebClientOptions,
  logger: Logger,
): App {
  const app = new App({
    receiver,
    token,
    clientOptions,
    logger,
    convoStore: false,
    deferInitialization: true,
  });
  return acknowledgeWhenDone(app);
}
