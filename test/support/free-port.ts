import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

const ADDRESS = '127.0.0.1';
/** Below the range from which the kernel assigns ports, so that no other program is assigned such a port. */
const FIRST = 20_000;
const COUNT = 12_000;

/**
 * Returns a free TCP port of the loopback interface, and reserves it for the life of this process, so that a server can
 * listen there repeatedly. The UDP port of the same number is the reservation.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
}

async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  try {
    socket.bind({ port, address: ADDRESS, exclusive: true });
    await once(socket, 'listening');
    return true;
  } catch {
    return false;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, ADDRESS);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}
