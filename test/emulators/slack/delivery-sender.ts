import { randomUUID } from 'node:crypto';
import { actAt, stopwatch } from '../standstill.ts';
import type { Journal } from './journal.ts';
import { isRecord, type Json, string } from './json.ts';
import type { Delivery, DeliveryKind } from './model.ts';
import { type Answer, postBody } from './post-body.ts';
import { type Signature, signed } from './signing.ts';
import type { Sockets } from './sockets.ts';

/** The pauses before an unacknowledged event is sent again. */
const RETRY_DELAYS_MS = [0, 60_000, 300_000];

/** How deliveries are sent. */
interface DeliverySettings {
  readonly mode: 'http' | 'socket';
  readonly signingSecret: string;
  readonly ackLimitMs: number;
}

/** Options of one delivery. */
export interface DeliveryOptions {
  readonly signature?: Signature | undefined;
  readonly attempt?: number;
  readonly envelopeId?: string;
  readonly retryReason?: string;
}

const ENVELOPE: Readonly<Record<DeliveryKind, string>> = {
  command: 'slash_commands',
  interaction: 'interactive',
  event: 'events_api',
};

/** Sends payloads to the bot, over HTTP or a socket, and waits for the acknowledgement. */
export class DeliverySender {
  readonly #journal: Journal;
  readonly #sockets: Sockets;
  readonly #settings: DeliverySettings;
  readonly #now: () => number;
  readonly #envelopes = new WeakMap<Delivery, string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #pids: (() => number)[] = [];
  #eventsUrls: readonly string[] = [];
  #sent = 0;

  constructor(settings: DeliverySettings, sockets: Sockets, journal: Journal, now: () => number) {
    this.#settings = settings;
    this.#sockets = sockets;
    this.#journal = journal;
    this.#now = now;
  }

  /** Sets the URLs of the bot. Several URLs get deliveries in turn, as behind a load balancer. */
  deliverTo(eventsUrls: readonly string[]): void {
    this.#eventsUrls = eventsUrls;
  }

  /** Registers a process of the bot. While the machine does not run it, the time limit of acknowledgements stands still. */
  runsIn(pid: () => number): number {
    return this.#pids.push(pid);
  }

  /** The process id of a caller, by the number in its URL (see `runsIn`); undefined if it is unknown. */
  caller(number?: string): number | undefined {
    return this.#pids.length === 0 ? process.pid : this.#pids[Number(number) - 1]?.();
  }

  /** The ids of the bot's processes besides this one. */
  running(): number[] {
    return this.#pids.map((pid) => pid());
  }

  /** Drops the events that are waiting to be sent again. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Sends one payload, and waits until it is acknowledged or the time limit is over. */
  async deliver(kind: DeliveryKind, payload: Json, options: DeliveryOptions = {}): Promise<Delivery> {
    const delivery: Delivery = {
      id: this.#journal.deliveries.length + 1,
      kind,
      payload,
      at: this.#now(),
      attempt: options.attempt ?? 0,
      status: 0,
      body: '',
      ms: 0,
      acknowledged: false,
    };
    this.#journal.deliveries.push(delivery);
    this.#journal.tell({ type: 'delivery', phase: 'sent', delivery });
    const envelopeId = options.envelopeId ?? randomUUID();
    this.#envelopes.set(delivery, envelopeId);
    const started = performance.now();
    const answer = await this.#send(delivery, { ...options, envelopeId });
    this.#settle(delivery, answer, performance.now() - started, options);
    return delivery;
  }

  /** Signs and sends any body or frame unchanged. Returns the status, or 0 over a socket. */
  async sendRaw(body: string, type = 'application/json'): Promise<number> {
    if (this.#settings.mode === 'socket') {
      await this.#sockets.sendRaw(body);
      return 0;
    }
    const headers = { 'content-type': type, ...signed(body, this.#settings.signingSecret) };
    return (await this.#postToAny(headers, body)).status;
  }

  /** Sends exactly the same payload once more. */
  redeliver(delivery: Delivery, retryReason = 'http_timeout'): Promise<Delivery> {
    const envelopeId = this.#envelopes.get(delivery) ?? randomUUID();
    const attempt = delivery.attempt + 1;
    return this.deliver(delivery.kind, delivery.payload, { attempt, envelopeId, retryReason });
  }

  #send(delivery: Delivery, options: DeliveryOptions): Promise<Answer> {
    if (this.#settings.mode === 'socket') return this.#sendBySocket(delivery, options);
    const { type, body } = encode(delivery);
    const retry: Record<string, string> =
      delivery.kind === 'event' && delivery.attempt > 0
        ? { 'x-slack-retry-num': String(delivery.attempt), 'x-slack-retry-reason': options.retryReason ?? '' }
        : {};
    const headers = {
      'content-type': type,
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      ...signed(body, this.#settings.signingSecret, options.signature),
      ...retry,
    };
    return this.#postToAny(headers, body);
  }

  async #postToAny(headers: Record<string, string>, body: string): Promise<Answer> {
    this.#sent += 1;
    const urls = this.#eventsUrls;
    for (const step of urls.keys()) {
      const url = urls[(this.#sent + step) % urls.length] ?? '';
      const answer = await postBody(url, headers, body, this.#settings.ackLimitMs, this.running());
      if (!answer.refusedConnection) return answer;
    }
    return { status: 0, body: '', error: 'unreachable' };
  }

  #sendBySocket(delivery: Delivery, options: DeliveryOptions): Promise<Answer> {
    const retry =
      delivery.kind === 'event'
        ? { retry_attempt: delivery.attempt, retry_reason: options.retryReason ?? '' }
        : {};
    const envelope = {
      type: ENVELOPE[delivery.kind],
      envelope_id: options.envelopeId,
      payload: delivery.payload,
      accepts_response_payload: delivery.kind !== 'event',
      ...retry,
    };
    return new Promise((resolve) => {
      const giveUp = () => resolve({ status: 0, body: '', error: 'timeout' });
      const cancel = actAt(this.#settings.ackLimitMs, stopwatch(this.running()), giveUp);
      const sent = this.#sockets.send(envelope, (payload) => {
        cancel();
        resolve({ status: 200, body: socketBody(payload) });
      });
      if (sent) return;
      cancel();
      resolve({ status: 0, body: '', error: 'no_socket' });
    });
  }

  #settle(delivery: Delivery, answer: Answer, ms: number, options: DeliveryOptions): void {
    delivery.status = answer.status;
    delivery.body = answer.body;
    delivery.ms = ms;
    delivery.acknowledged = answer.status >= 200 && answer.status < 300;
    const error = answer.error ?? (delivery.acknowledged ? undefined : 'refused');
    if (error) delivery.error = error;
    const honest = options.signature === undefined || options.signature === 'good';
    if (honest && (error === 'timeout' || error === 'refused')) {
      this.#journal.breach(
        `unacknowledged: ${delivery.kind}, ${error} (${answer.status}) after ${Math.round(ms)} ms`,
      );
    }
    this.#journal.tell({ type: 'delivery', phase: 'answered', delivery });
    if (error && honest && delivery.kind === 'event') this.#retry(delivery, error);
  }

  #retry(delivery: Delivery, error: string): void {
    const delay = RETRY_DELAYS_MS[delivery.attempt];
    if (delay === undefined) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.redeliver(delivery, error === 'timeout' ? 'http_timeout' : 'http_error');
    }, delay);
    this.#timers.add(timer);
  }
}

function encode(delivery: Delivery): { type: string; body: string } {
  const form = 'application/x-www-form-urlencoded';
  if (delivery.kind === 'event') return { type: 'application/json', body: JSON.stringify(delivery.payload) };
  if (delivery.kind === 'interaction') {
    return {
      type: form,
      body: new URLSearchParams({ payload: JSON.stringify(delivery.payload) }).toString(),
    };
  }
  const fields = Object.entries(delivery.payload).map(([key, value]) => [key, string(value)]);
  return { type: form, body: new URLSearchParams(fields).toString() };
}

function socketBody(payload: Json): string {
  return isRecord(payload) && Object.keys(payload).length > 0 ? JSON.stringify(payload) : '';
}
