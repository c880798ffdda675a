import type { IncomingMessage, ServerResponse } from 'node:http';
import { App, type HTTPReceiver, type Logger, type SocketModeReceiver, type webApi } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import { acknowledgeWhenDone } from './event-acknowledgement.ts';
import type { SlackSettings } from './slack-settings.ts';
import { type OnAcknowledged, timeAcknowledgements } from './timed-acknowledgement.ts';

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

/** Called with the HTTP status of each answer of Slack to the bot's calls; 'none' if there was no answer. */
type OnSlackAnswer = (status: number | 'none') => void;

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
  readonly userAgent: string;
  readonly onAnswer: OnSlackAnswer;
  readonly onAcknowledged: OnAcknowledged;
};

/** Makes Bolt's app for a receiver. Deliveries are acknowledged when their listeners are done. */
export function boltApp(
  receiver: HTTPReceiver | SocketModeReceiver,
  clientOptions: webApi.WebClientOptions,
  { slack, logger, onAcknowledged }: SlackAppOptions,
): App {
  const app = new App({
    receiver,
    token: slack.botToken,
    clientOptions,
    logger,
    convoStore: false,
    deferInitialization: true,
  });
  return timeAcknowledgements(acknowledgeWhenDone(app), onAcknowledged);
}
