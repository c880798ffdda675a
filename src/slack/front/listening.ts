import type { IncomingMessage, ServerResponse } from 'node:http';
import { App, type HTTPReceiver, type Logger, type SocketModeReceiver, type webApi } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import { NotADelivery } from './delivery.ts';

/** The settings of the connection to Slack. */
export type SlackSettings = {
  readonly botToken: string;
  /** With a trailing slash. */
  readonly apiUrl: string;
  /** How deliveries reach the bot: Socket Mode with an app-level token, HTTP with a signing secret. */
  readonly transport:
    | { readonly kind: 'socket'; readonly appToken: string }
    | { readonly kind: 'http'; readonly signingSecret: string };
};

/** Bolt's app, and how it listens. */
export type Listening = {
  readonly app: App;
  /** Checks the bot's token, then listens. Throws when Slack refuses the token or the port is taken. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Whether Slack's deliveries reach the bot now. */
  isListening(): boolean;
  /** The port that it really listens on, also where the configuration said 0. */
  port(): number;
};

/** A route beside Slack's own. */
type PlainRoute = {
  readonly method: string;
  readonly path: string;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
};

export type SlackAppOptions = {
  readonly slack: SlackSettings;
  readonly port: number;
  /**
   * How long deliveries are still taken after a stop has begun, because the load balancer learns of it a little later.
   */
  readonly shutdownDelayMs: number;
  /** Routes beside Slack's own; over HTTP only, because in Socket Mode nothing listens here. */
  readonly routes: readonly PlainRoute[];
  readonly logger: Logger;
  /** The agent for every call to Slack, with its proxies and extra authorities. */
  readonly dispatcher: Dispatcher;
  /** Called with the HTTP status of each answer of Slack to the bot's calls, or what came instead of one of use. */
  readonly onAnswer: (status: number | 'refused' | 'none') => void;
};

/** Makes Bolt's app for a receiver. */
export function boltApp(
  receiver: HTTPReceiver | SocketModeReceiver,
  clientOptions: webApi.WebClientOptions,
  { slack, logger }: SlackAppOptions,
): App {
  return new App({
    receiver,
    token: slack.botToken,
    clientOptions,
    logger,
    convoStore: false,
    deferInitialization: true,
  });
}

/** Logs one line for a delivery that could not be processed, without its text. */
export function logError(error: unknown, logger: Logger): void {
  if (error instanceof NotADelivery) logger.warn(error.message);
  else logger.error(`a delivery could not be processed: ${error instanceof Error ? error.stack : 'unknown'}`);
}
