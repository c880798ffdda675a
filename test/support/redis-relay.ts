import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** A relay in front of a real Redis, which can change or delay its answers. */
export async function startRedisRelay(
  url: string,
  {
    change = (answer) => answer,
    latencyMs = 0,
    onSent = () => {},
  }: {
    change?: (answer: string) => string;
    latencyMs?: number;
    /** Called with the commands that are sent to Redis, before they are passed on. */
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
    // In their order: an answer with a shorter delay waits for the one before.
    let passed = Promise.resolve();
    redis.on('data', (data) => {
      const delayed = delay(latency);
      passed = passed
        .then(() => delayed)
        .then(() => void client.write(change(data.toString('latin1')), 'latin1'));
    });
    if (isAway) for (const socket of [client, redis]) socket.pause();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${port}`,
    /** From now on delays each answer by this time; commands are passed on at once. */
    slow: (ms: number) => {
      latency = ms;
    },
    /** Stops passing anything on over the open connections; with `isAway`, also over new ones until `cut`. */
    hold: (settings: { readonly isAway?: boolean } = {}) => {
      isAway = settings.isAway === true;
      for (const socket of open) socket.pause();
    },
    /** Resets every connection, as after a restart of the machine. New connections work. */
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
