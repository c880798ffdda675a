import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The same listener for one request of a connection at a time: a connection that asks again before it has taken its
 * answer ends. Thousands of requests fit one packet of 64 KB, and nobody who means well sends them so.
 */
export function oneRequestAtATime(listener: RequestListener): RequestListener {
  const answering = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    if (answering.has(socket)) return socket.destroy();
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
    return listener(request, response);
  };
}
