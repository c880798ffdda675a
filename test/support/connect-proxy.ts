import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A real HTTPS proxy on the loopback interface. */
export type ConnectProxy = Awaited<ReturnType<typeof startConnectProxy>>;

/** Starts a proxy that connects to the loopback interface, whatever the host name. */
export async function startConnectProxy() {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  let refusal: number | undefined;
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (request, client: Socket) => {
    const target = request.url ?? '';
    tunnels.push(target);
    client.on('error', () => client.destroy());
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
      return;
    }
    const upstream = connect(Number(target.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on('error', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    /** The `host:port` of every requested tunnel. */
    tunnels,
    /** From now on answers with this status instead of opening a tunnel. */
    refuseWith: (status: number) => {
      refusal = status;
    },
    /** Opens tunnels again. */
    open: () => {
      refusal = undefined;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
