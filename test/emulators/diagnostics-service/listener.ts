import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificates } from '../certificates.ts';

/** Answers one request. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  reset: () => void,
) => Promise<void>;

/** A running HTTPS server on a free loopback port. */
export type Listener = Awaited<ReturnType<typeof startListener>>;

/** Starts an HTTPS server (TLS 1.2 or later). Plain HTTP gets no answer (specification 5.6). */
export async function startListener(certificates: Certificates, handle: Handler) {
  const server = createServer({
    cert: certificates.certPem,
    key: certificates.keyPem,
    minVersion: 'TLSv1.2',
  });
  const sockets = new Map<number, Socket>();
  let opened = 0;

  // Only raw connections can be reset; the TLS sockets on top of them can't.
  server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    opened += 1;
    if (remotePort === undefined) return;
    sockets.set(remotePort, socket);
    socket.on('close', () => sockets.delete(remotePort));
  });
  server.on('request', (request, response) => {
    const raw = sockets.get(request.socket.remotePort ?? 0);
    handle(request, response, () => raw?.resetAndDestroy()).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,
    /** How many connections have been opened. */
    opened: () => opened,
    /** Stops listening and destroys every open connection. */
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets.values()) socket.destroy();
      server.closeAllConnections();
      await closed;
    },
  };
}
