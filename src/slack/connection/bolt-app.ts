import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { App, HTTPReceiver, type Logger, SocketModeReceiver, webApi } from '@slack/bolt';
import { type Dispatcher, fetch as undiciFetch } from 'undici';
import { portUnusable } from '../../core/cannot-start.ts';
import { checkDelivery, checkFrames, logError, NotADelivery } from './deliveries.ts';
import { acknowledgeWhenDone } from './event-acknowledgement.ts';
import { limitConnections, SERVER_OPTIONS, withLimits } from './http-limits.ts';
import { type Identity, identityThrough } from './identity.ts';
import { type CheckHost, slackHosts } from './slack-hosts.ts';
import type { SlackSettings } from './slack-settings.ts';
import { SocketSupervisor } from './socket-supervisor.ts';
import { withToken } from './start-errors.ts';
import { type OnAcknowledged, timeAcknowledgements } from './timed-acknowledgement.ts';

/** Bolt, and what the bot has to know of how it listens. */
export type SlackApp = {
  readonly app: App;
  /** For messages: repeats nothing by itself, and throws a 429 at once. */
  readonly messages: webApi.WebClient;
  /** Where the bot may send what belongs to Slack alone. */
  readonly checkHost: CheckHost;
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
type Listening = Omit<SlackApp, 'messages' | 'identity' | 'checkHost'>;

const PATH = '/slack/events';
/** Slack's client waits as long as it is let, and repeats for half an hour by itself; the queue has more patience. */
const CLIENT_TIMEOUT_MS = 10_000;
const CLIENT_RETRIES = { retries: 3, minTimeout: 500, maxTimeout: 5_000, factor: 2, randomize: true };
/** Slack refreshes each connection from time to time; the other one takes what comes meanwhile. It allows ten. */
const SOCKETS = 2;

/** An address that is answered beside Slack's own. */
type PlainRoute = {
  readonly method: string;
  readonly path: string;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
};

/** Hears of answers of Slack to the bot's calls: their HTTP status, or that there was none. */
type OnSlackAnswer = (status: number | 'none') => void;

export type SlackAppOptions = {
  readonly slack: SlackSettings;
  readonly port: number;
  /** How long deliveries are still taken after a stop has begun: whoever sends them hears of it a little later. */
  readonly shutdownDelayMs: number;
  /** Answered beside Slack's own address, over HTTP only: in Socket Mode nothing listens here. */
  readonly routes: readonly PlainRoute[];
  readonly logger: Logger;
  /** Carries every call to Slack, so that proxies and extra authorities count there too. */
  readonly dispatcher: Dispatcher;
  readonly onAnswer: OnSlackAnswer;
  readonly onAcknowledged: OnAcknowledged;
};

/** Puts Bolt together for HTTP or for Socket Mode; starts nothing. */
export function createSlackApp(options: SlackAppOptions): SlackApp {
  const { botToken, transport } = options.slack;
  const clientOptions = clientOptionsFor(options);
  const once = { ...clientOptions, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true };
  const messages = new webApi.WebClient(botToken, once);
  const listening =
    transport.kind === 'socket'
      ? overSocket(options, transport.appToken, clientOptions)
      : overHttp(options, transport.signingSecret, clientOptions);
  const checkHost = slackHosts(options.slack.apiUrl);
  return { ...listening, messages, checkHost, identity: identityThrough(messages) };
}

function clientOptionsFor({ slack, logger, dispatcher, onAnswer }: SlackAppOptions): webApi.WebClientOptions {
  const checkHost = slackHosts(slack.apiUrl);
  return {
    slackApiUrl: slack.apiUrl,
    timeout: CLIENT_TIMEOUT_MS,
    retryConfig: CLIENT_RETRIES,
    allowAbsoluteUrls: false,
    logger,
    fetch: async (url, init) => {
      // Bolt sends what listeners respond to the address that the payload names.
      checkHost(String(url));
      try {
        // The client hands over what undici's own fetch takes; only the names of the types differ.
        const answer = await undiciFetch(url, { ...init, dispatcher } as Parameters<typeof undiciFetch>[1]);
        onAnswer(answer.status);
        return answer;
      } catch (error) {
        onAnswer('none');
        throw error;
      }
    },
  };
}

function overHttp(
  { slack, port, shutdownDelayMs, routes, logger, onAcknowledged }: SlackAppOptions,
  signingSecret: string,
  clientOptions: webApi.WebClientOptions,
): Listening {
  const receiver = new HTTPReceiver({
    signingSecret,
    endpoints: PATH,
    customRoutes: routes.map((route) => ({ ...route })),
    logger,
    processEventErrorHandler: async ({ error, response }) => {
      logError(error, logger);
      if (!response.headersSent) response.writeHead(error instanceof NotADelivery ? 400 : 500).end();
      return false;
    },
  });
  receiver.requestListener = withLimits(receiver.requestListener, PATH, logger);
  const app = timeAcknowledgements(boltApp(receiver, slack.botToken, clientOptions, logger), onAcknowledged);
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

function overSocket(
  { slack, port, logger, dispatcher, onAcknowledged }: SlackAppOptions,
  appToken: string,
  clientOptions: webApi.WebClientOptions,
): Listening {
  const newReceiver = () =>
    new SocketModeReceiver({
      appToken,
      dispatcher,
      installerOptions: { clientOptions },
      logger,
      processEventErrorHandler: async ({ error }) => {
        logError(error, logger);
        // Slack would send the same again.
        return error instanceof NotADelivery;
      },
      // It gives up at an HTTP error, with a rejection that nobody hears: the supervisor does it instead.
      autoReconnectEnabled: false,
    });
  const first = newReceiver();
  const others = Array.from({ length: SOCKETS - 1 }, newReceiver);
  for (const receiver of [first, ...others]) checkFrames(receiver, logger);
  const app = timeAcknowledgements(boltApp(first, slack.botToken, clientOptions, logger), onAcknowledged);
  for (const other of others) other.init(app);
  const supervisors = [first, ...others].map((receiver) => new SocketSupervisor(receiver, logger));
  return {
    app,
    start: async () => {
      await withToken('SLACK_BOT_TOKEN', () => app.init());
      await withToken('SLACK_APP_TOKEN', async () => {
        for (const supervisor of supervisors) await supervisor.start();
      });
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
  acknowledgeWhenDone(app);
  const process = app.processEvent.bind(app);
  app.processEvent = async (event) => {
    checkDelivery(event);
    await process(event);
  };
  return app;
}
