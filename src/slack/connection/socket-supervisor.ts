import { setTimeout as delay } from 'node:timers/promises';
import type { Logger, SocketModeReceiver } from '@slack/bolt';
import { inTime, LATE } from '../../core/time.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** How long to wait for Slack's first message; a connection without it is closed. */
const GREETED_WITHIN_MS = 15_000;

/** Settles after so many milliseconds; throws when the signal aborts. */
type Pause = (ms: number, value: undefined, options: { readonly signal: AbortSignal }) => Promise<unknown>;

/**
 * Keeps one Socket Mode connection open. When Slack closes it, it is opened again at once, then with growing pauses,
 * until that succeeds.
 */
export class SocketSupervisor {
  readonly #receiver: SocketModeReceiver;
  readonly #logger: Logger;
  readonly #pause: Pause;
  readonly #stopped = new AbortController();
  #isConnected = false;
  #isReconnecting = false;

  constructor(receiver: SocketModeReceiver, logger: Logger, pause: Pause = delay) {
    this.#receiver = receiver;
    this.#pause = pause;
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
    await this.#receiver.start();
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
      await this.#pause(pauseMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
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
