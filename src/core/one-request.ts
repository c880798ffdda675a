import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

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

/** Node answers an expectation that it does not know by itself: that is a request like others. */
export function countExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
