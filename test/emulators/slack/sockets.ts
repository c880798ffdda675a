import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Journal } from './journal.ts';
import { isRecord, type Json, parseJson, string } from './json.ts';
import { TEAM } from './seed.ts';

/** Why Slack ends a socket. */
export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled';

type Acknowledge = (payload: Json) => void;

const MOST_SOCKETS = 10;
const GRACE_MS = 300;

/** The Socket Mode connections of the bot. */
export class Sockets {
  readonly #journal: Journal;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #open: WebSocket[] = [];
  readonly #tickets = new Set<string>();
  readonly #waiting = new Map<string, Acknowledge>();
  readonly #known = new Set<string>();
  #turn = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** How many connections are open. */
  get count(): number {
    return this.#open.length;
  }

  /** Issues a ticket for one connection. */
  ticket(): string {
    const ticket = randomBytes(12).toString('hex');
    this.#tickets.add(ticket);
    return ticket;
  }

  /** Accepts an HTTP upgrade whose address has a ticket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ticket = new URL(request.url ?? '/', 'http://slack').searchParams.get('ticket') ?? '';
    if (!this.#tickets.delete(ticket) || this.#open.length >= MOST_SOCKETS) {
      this.#journal.breach('socket: a connection without a fresh ticket, or one too many');
      socket.end('HTTP/1.1 408 Request Timeout\r\n\r\n');
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (opened) => this.#welcome(opened));
  }

  /** Sends an envelope to the next connection in turn; returns false if there is none. */
  send(envelope: Json, acknowledged: Acknowledge): boolean {
    this.#turn += 1;
    const socket = this.#open[this.#turn % this.#open.length];
    if (!socket) return false;
    const id = string(envelope.envelope_id);
    this.#known.add(id);
    this.#waiting.set(id, acknowledged);
    socket.send(JSON.stringify(envelope));
    return true;
  }

  /**
   * Sends any text over one of the connections. If the connection ends before the text was read, uses the next one,
   * because a client that the machine did not run for seconds drops its connections.
   */
  async sendRaw(text: string): Promise<void> {
    for (let wasRead = false; !wasRead; ) {
      if (this.#open.length === 0) await once(this.#server, 'connection');
      this.#turn += 1;
      const socket = this.#open[this.#turn % this.#open.length];
      if (socket !== undefined) wasRead = await sendAndPing(socket, text);
    }
  }

  /** Asks connections to disconnect, as Slack does from time to time: `count` of them, oldest first. */
  disconnect(reason: DisconnectReason, count?: number): void {
    const message = JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'emulator' } });
    for (const socket of [...this.#open].slice(0, count)) {
      socket.send(message);
      // After a warning, Slack keeps the socket open for some seconds; otherwise it closes the socket at once.
      if (reason !== 'warning') socket.close(1000);
    }
  }

  /** Closes all connections; those that do not close in time are cut. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map(shutdownDelay));
    this.#server.close();
  }

  #welcome(socket: WebSocket): void {
    this.#open.push(socket);
    socket.on('message', (data) => this.#receive(String(data)));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      this.#open.splice(this.#open.indexOf(socket), 1);
      this.#journal.tell({ type: 'other' });
    });
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: this.count,
        connection_info: { app_id: TEAM.appId },
        debug_info: { host: 'emulator', build_number: 1, approximate_connection_time: 18_060 },
      }),
    );
    this.#server.emit('connection', socket);
    this.#journal.tell({ type: 'other' });
  }

  #receive(text: string): void {
    const message = parseJson(text);
    const id = isRecord(message) ? string(message.envelope_id) : '';
    if (!isRecord(message) || !this.#known.has(id)) {
      this.#journal.breach(`socket: acknowledged an unknown envelope: ${text}`);
      return;
    }
    const acknowledged = this.#waiting.get(id);
    this.#waiting.delete(id);
    acknowledged?.(isRecord(message.payload) ? message.payload : {});
  }
}

/** Whether the client read the text: it answers the ping after the text, unless the connection closes first. */
async function sendAndPing(socket: WebSocket, text: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const answered = () => resolve(true);
  const ended = () => resolve(false);
  socket.on('pong', answered).on('close', ended);
  socket.send(text);
  socket.ping();
  const wasRead = await promise;
  socket.off('pong', answered).off('close', ended);
  return wasRead;
}

function shutdownDelay(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), GRACE_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(1001);
  });
}
