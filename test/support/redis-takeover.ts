import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { startRedisRelay } from './redis-relay.ts';
import { RedisServers } from './redis-servers.ts';

/** The primary, the one that takes over from it, and a replica of that one. */
const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;
export const [PRIMARY, SUCCESSOR] = HOSTS;
const NEXT = HOSTS[2];

/** Redis servers behind one Sentinel that changes the primary only when it is told to, as fast as it is told. */
export type Takeover = {
  readonly url: string;
  readonly servers: RedisServers;
  /** `SUCCESSOR` takes writes from now on, and Sentinel says so. The former primary is told nothing. */
  takeOver(): Promise<void>;
  /** What the primary writes from now on does not reach the successor. */
  holdReplication(): void;
  close(): Promise<void>;
};

export async function startTakeover(): Promise<Takeover> {
  const servers = new RedisServers(await freePort());
  const { port, folder } = servers;
  await servers.start(PRIMARY, []);
  const link = await startRedisRelay(`redis://${PRIMARY}:${port}`, {});
  const linked = ['--replicaof', PRIMARY, new URL(link.url).port, '--replica-announce-ip', SUCCESSOR];
  await servers.start(SUCCESSOR, linked);
  await servers.start(NEXT, ['--replicaof', SUCCESSOR, `${port}`]);
  const sentinel = await freePort();
  const file = join(folder, 'sentinel.conf');
  writeFileSync(
    file,
    `sentinel monitor main ${PRIMARY} ${port} 1\nsentinel down-after-milliseconds main 600000\n`,
  );
  await servers.start(PRIMARY, [file, '--sentinel'], sentinel);
  const tell = (...words: string[]) => servers.send(`${PRIMARY}:${sentinel}`, 'SENTINEL', ...words);
  await eventually(async () => {
    for (const host of [SUCCESSOR, NEXT]) {
      const state = String(await servers.send(host, 'INFO', 'replication'));
      if (!state.includes('master_link_status:up')) throw new Error(`${host} is not linked`);
    }
  });
  return {
    url: `redis+sentinel://${PRIMARY}:${sentinel}/main?port=${port}`,
    servers,
    holdReplication: link.hold,
    close: async () => {
      await servers.close();
      await link.close();
    },
    takeOver: async () => {
      await servers.send(SUCCESSOR, 'REPLICAOF', 'NO', 'ONE');
      await tell('REMOVE', 'main');
      await tell('MONITOR', 'main', SUCCESSOR, String(port), '1');
    },
  };
}
