import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * Bounds what strangers can make a server do, which answers through `oneRequestAtATime`: further connections are closed
 * at once, and those on which nothing moves for so many milliseconds end. Gives the same server.
 */
export function bounded(server: Server, bounds: { connections: number; idleMs: number }): Server {
  // Node answers an expectation that it does not know by itself: that is a request like others.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  readInPieces(server);
  server.maxConnections = bounds.connections;
  server.timeout = bounds.idleMs;
  return server;
}

/**
 * The same listener for one request of a connection at a time: a connection that asks again before it has taken its
 * answer ends. Thousands of requests fit one packet of 64 KB, and nobody who means well sends them so. Nor a body in
 * chunks, without its length: each byte can be a chunk, which takes 400 times as much memory.
 */
export function oneRequestAtATime(listener: RequestListener): RequestListener {
  const answering = new WeakSet<Socket>();
  return (request, response) => {
    const { socket, headers } = request;
    if (answering.has(socket)) return socket.destroy();
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
    if (headers['transfer-encoding'] === undefined) return listener(request, response);
    response.writeHead(411, { connection: 'close' }).end();
  };
}

/** The most that is read at once: most deliveries of Slack are smaller, and a hundred requests fit it. Bytes. */
const PIECE = 4 * 1_024;

/**
 * Reads what comes over all connections of a server in small pieces, one in each turn of the event loop. Node takes up to
 * 64 KB of each connection in one turn, and its parser goes on to their end: a thousand connections with two thousand
 * requests each would hold the loop for many seconds.
 */
function readInPieces(server: Server): void {
  // It takes any duplex stream (https://nodejs.org/api/http.html#event-connection); only its type says otherwise.
  const [accept]: readonly ((connection: never) => void)[] = server.listeners('connection');
  const waiting: (() => void)[] = [];
  const goOn = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(goOn);
  };
  const inTurn = (read: () => void) => {
    if (waiting.push(read) === 1) setImmediate(goOn);
  };
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) =>
    accept?.call(server, new PacedConnection(socket, inTurn) as never),
  );
}

/** A connection as a server of Node takes it, which is read in pieces. */
class PacedConnection extends Duplex {
  readonly #socket: Socket;
  readonly #inTurn: (read: () => void) => void;
  /** Whether a piece is wanted, and not yet asked for. */
  #isWanted = false;

  constructor(socket: Socket, inTurn: (read: () => void) => void) {
    super({ readableHighWaterMark: PIECE });
    this.#socket = socket;
    this.#inTurn = inTurn;
    socket.on('readable', () => this.#ask());
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    socket.on('timeout', () => this.emit('timeout'));
  }

  setTimeout(ms: number): this {
    this.#socket.setTimeout(ms);
    return this;
  }

  destroySoon(): void {
    this.end(() => this.destroy());
  }

  override _read(): void {
    this.#isWanted = true;
    this.#ask();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #ask(): void {
    if (!this.#isWanted || this.#socket.readableLength === 0) return;
    this.#isWanted = false;
    this.#inTurn(() => {
      const piece: unknown = this.#socket.read(Math.min(PIECE, this.#socket.readableLength));
      if (piece === null) this.#isWanted = true;
      else this.push(piece);
    });
  }
}
