import { setTimeout as delay } from 'node:timers/promises';
import { type App, type Logger, SocketModeReceiver, type webApi } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import { inTime, LATE } from '../../core/time.ts';
import { withToken } from './slack-client.ts';

/** The number of connections: Slack closes each from time to time, and the other one takes over. It allows ten. */
const SOCKETS = 2;

/**
 * Opens WebSocket connections to Slack (Socket Mode): nothing listens on a port. `refused` logs an error; whether it was no
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
      // Acknowledged where it is none: Slack would send the same again.
      processEventErrorHandler: async ({ error }) => refused(error),
      // The client's own reconnection gives up at an HTTP error, with an unhandled rejection: the supervisor reconnects
      // instead.
      autoReconnectEnabled: false,
    });
  const receiver = newReceiver();
  const others = Array.from({ length: SOCKETS - 1 }, newReceiver);
  const supervisors = [receiver, ...others].map((each) => new SocketSupervisor(each, logger));
  return {
    receiver,
    start: (app: App) =>
      withToken('SLACK_APP_TOKEN', async () => {
        for (const other of others) other.init(app);
        for (const supervisor of supervisors) await supervisor.start();
      }),
    stop: async () => {
      await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
    },
    /** Whether Slack's deliveries reach the bot now. */
    isListening: () => supervisors.some(({ isConnected }) => isConnected),
  };
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** How long to wait for Slack's first message; a connection without it is closed. */
const GREETED_WITHIN_MS = 15_000;

/**
 * Keeps one Socket Mode connection open. When Slack closes it, it is opened again at once, then with growing pauses,
 * until that succeeds.
 */
class SocketSupervisor {
  readonly #receiver: SocketModeReceiver;
  readonly #logger: Logger;
  readonly #stopped = new AbortController();
  #isConnected = false;
  #isReconnecting = false;

  constructor(receiver: SocketModeReceiver, logger: Logger) {
    this.#receiver = receiver;
    this.#logger = logger;
    const { client } = receiver;
    client.on('connected', () => {
      this.#isConnected = true;
    });
    for (const state of ['close', 'disconnecting', 'disconnected']) {
      client.on(state, () => {
        this.#isConnected = false;
      });
    }
    client.on('disconnected', () => void this.#reconnect());
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Throws if Slack refuses the first connection: most likely the token is wrong. */
  async start(): Promise<void> {
    // A failure of the first connection is the caller's, not the supervisor's.
    this.#isReconnecting = true;
    await this.#receiver.start().catch((refusal: unknown) => {
      // Slack's client gives no reason where the connection ended before Slack's first message: that refuses nothing.
      if (refusal !== undefined) throw refusal;
    });
    this.#isReconnecting = false;
    if (!this.#isConnected) void this.#reconnect();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#receiver.stop();
  }

  async #reconnect(): Promise<void> {
    if (this.#isReconnecting || this.#stopped.signal.aborted) return;
    this.#isReconnecting = true;
    for (let pauseMs = 0; !this.#isConnected && !this.#stopped.signal.aborted; pauseMs = longer(pauseMs)) {
      await delay(pauseMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
      if (!this.#stopped.signal.aborted) await this.#connect();
    }
    this.#isReconnecting = false;
  }

  async #connect(): Promise<void> {
    const { client } = this.#receiver;
    try {
      const outcome = await inTime(GREETED_WITHIN_MS, client.start());
      if (outcome === LATE) await client.disconnect();
    } catch (error) {
      this.#logger.warn('retrying a Socket Mode connection that could not be opened', error);
    }
  }
}

function longer(pauseMs: number): number {
  return Math.min(Math.max(pauseMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
}
