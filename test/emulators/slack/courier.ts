import { randomUUID } from 'node:crypto';
import { actAt, stopwatch } from '../standstill.ts';
import type { Journal } from './journal.ts';
import { isRecord, type Json, string } from './json.ts';
import type { Delivery, DeliveryKind } from './model.ts';
import { type Answer, postBody } from './post-body.ts';
import { type Signature, signed } from './signing.ts';
import type { Sockets } from './sockets.ts';

/** How deliveries travel. */
export interface Road {
  readonly mode: 'http' | 'socket';
  readonly signingSecret: string;
  readonly ackLimitMs: number;
  /** The pauses before an event that was not taken is sent again. */
  readonly retryDelaysMs: readonly number[];
}

/** What may differ in one delivery. */
export interface Manner {
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

/** Brings payloads to the bot, over HTTP or a socket, and waits for the acknowledgement. */
export class Courier {
  readonly #journal: Journal;
  readonly #sockets: Sockets;
  readonly #road: Road;
  readonly #now: () => number;
  readonly #envelopes = new WeakMap<Delivery, string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #pids: (() => number)[] = [];
  #eventsUrls: readonly string[] = [];
  #turn = 0;

  constructor(road: Road, sockets: Sockets, journal: Journal, now: () => number) {
    this.#road = road;
    this.#sockets = sockets;
    this.#journal = journal;
    this.#now = now;
  }

  /** Says where the bot listens; several places take turns, as behind a load balancer. */
  deliverTo(eventsUrls: readonly string[]): void {
    this.#eventsUrls = eventsUrls;
  }

  /** The bot runs in this process: the time for an acknowledgement stands still while it is not let run. */
  runsIn(pid: () => number): void {
    this.#pids.push(pid);
  }

  /** Forgets the events that were to be sent again. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Sends one payload; settles when it is acknowledged or given up. */
  async deliver(kind: DeliveryKind, payload: Json, manner: Manner = {}): Promise<Delivery> {
    const delivery: Delivery = {
      id: this.#journal.deliveries.length + 1,
      kind,
      payload,
      at: this.#now(),
      attempt: manner.attempt ?? 0,
      status: 0,
      body: '',
      ms: 0,
      acknowledged: false,
    };
    this.#journal.deliveries.push(delivery);
    this.#journal.tell({ type: 'delivery', phase: 'sent', delivery });
    const envelopeId = manner.envelopeId ?? randomUUID();
    this.#envelopes.set(delivery, envelopeId);
    const started = performance.now();
    const answer = await this.#send(delivery, { ...manner, envelopeId });
    this.#settle(delivery, answer, performance.now() - started, manner);
    return delivery;
  }

  /** Sends a body or a frame as it stands, signed, whatever it is; gives the status, 0 over a socket. */
  async sendRaw(body: string, type = 'application/json'): Promise<number> {
    if (this.#road.mode === 'socket') {
      this.#sockets.sendRaw(body);
      return 0;
    }
    const headers = { 'content-type': type, ...signed(body, this.#road.signingSecret) };
    return (await this.#postToAny(headers, body)).status;
  }

  /** Sends exactly the same payload once more. */
  redeliver(delivery: Delivery, retryReason = 'http_timeout'): Promise<Delivery> {
    const envelopeId = this.#envelopes.get(delivery) ?? randomUUID();
    const attempt = delivery.attempt + 1;
    return this.deliver(delivery.kind, delivery.payload, { attempt, envelopeId, retryReason });
  }

  #send(delivery: Delivery, manner: Manner): Promise<Answer> {
    if (this.#road.mode === 'socket') return this.#sendBySocket(delivery, manner);
    const { type, body } = encode(delivery);
    const retry: Record<string, string> =
      delivery.kind === 'event' && delivery.attempt > 0
        ? { 'x-slack-retry-num': String(delivery.attempt), 'x-slack-retry-reason': manner.retryReason ?? '' }
        : {};
    const headers = {
      'content-type': type,
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      ...signed(body, this.#road.signingSecret, manner.signature),
      ...retry,
    };
    return this.#postToAny(headers, body);
  }

  async #postToAny(headers: Record<string, string>, body: string): Promise<Answer> {
    this.#turn += 1;
    const urls = this.#eventsUrls;
    for (const step of urls.keys()) {
      const url = urls[(this.#turn + step) % urls.length] ?? '';
      const answer = await postBody(url, headers, body, this.#road.ackLimitMs, this.#running());
      if (!answer.refusedConnection) return answer;
    }
    return { status: 0, body: '', error: 'unreachable' };
  }

  #running(): number[] {
    return this.#pids.map((pid) => pid());
  }

  #sendBySocket(delivery: Delivery, manner: Manner): Promise<Answer> {
    const retry =
      delivery.kind === 'event'
        ? { retry_attempt: delivery.attempt, retry_reason: manner.retryReason ?? '' }
        : {};
    const envelope = {
      type: ENVELOPE[delivery.kind],
      envelope_id: manner.envelopeId,
      payload: delivery.payload,
      accepts_response_payload: delivery.kind !== 'event',
      ...retry,
    };
    return new Promise((resolve) => {
      const giveUp = () => resolve({ status: 0, body: '', error: 'timeout' });
      const cancel = actAt(this.#road.ackLimitMs, stopwatch(this.#running()), giveUp);
      const sent = this.#sockets.send(envelope, (payload) => {
        cancel();
        resolve({ status: 200, body: socketBody(payload) });
      });
      if (sent) return;
      cancel();
      resolve({ status: 0, body: '', error: 'no_socket' });
    });
  }

  #settle(delivery: Delivery, answer: Answer, ms: number, manner: Manner): void {
    delivery.status = answer.status;
    delivery.body = answer.body;
    delivery.ms = ms;
    delivery.acknowledged = answer.status >= 200 && answer.status < 300;
    const error = answer.error ?? (delivery.acknowledged ? undefined : 'refused');
    if (error) delivery.error = error;
    const honest = manner.signature === undefined || manner.signature === 'good';
    if (honest && (error === 'timeout' || error === 'refused')) {
      this.#journal.breach(
        `unacknowledged: ${delivery.kind}, ${error} (${answer.status}) after ${Math.round(ms)} ms`,
      );
    }
    this.#journal.tell({ type: 'delivery', phase: 'answered', delivery });
    if (error && honest && delivery.kind === 'event' && !answer.noRetry) this.#retry(delivery, error);
  }

  #retry(delivery: Delivery, error: string): void {
    const delay = this.#road.retryDelaysMs[delivery.attempt];
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
