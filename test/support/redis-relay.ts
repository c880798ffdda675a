import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** Stands before a real Redis, and changes what it answers or how soon. */
export async function startRedisRelay(
  url: string,
  {
    change = (answer) => answer,
    latencyMs = 0,
    onSent = () => {},
  }: {
    change?: (answer: string) => string;
    latencyMs?: number;
    /** Called with what is sent to Redis, before that is passed on. */
    onSent?: (commands: string) => void;
  },
) {
  let latency = latencyMs;
  let isAway = false;
  const port = await freePort();
  const { hostname, port: redisPort } = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const redis = connect(Number(redisPort), hostname);
    for (const socket of [client, redis]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => [client, redis].map((each) => each.destroy()));
    }
    client.on('data', (data) => onSent(data.toString('latin1')));
    client.pipe(redis);
    redis.on('data', async (data) => {
      await delay(latency);
      client.write(change(data.toString('latin1')), 'latin1');
    });
    if (isAway) for (const socket of [client, redis]) socket.pause();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${port}`,
    /** From now on each answer comes so much later; what is sent is passed on at once. */
    slow: (ms: number) => {
      latency = ms;
    },
    /** Passes nothing on any more on the connections that are open; with `isAway` on new ones neither, until they are cut. */
    hold: (settings: { readonly isAway?: boolean } = {}) => {
      isAway = settings.isAway === true;
      for (const socket of open) socket.pause();
    },
    /** Resets every connection, as a machine that was restarted; new ones are taken. */
    cut: () => {
      isAway = false;
      for (const socket of open) socket.resetAndDestroy();
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
