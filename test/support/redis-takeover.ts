import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { startRedisRelay } from './redis-relay.ts';
import { RedisServers } from './redis-servers.ts';

/** The primary, the one that takes over from it, and a replica of that one. */
const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;
export const [PRIMARY, SUCCESSOR] = HOSTS;
const NEXT = HOSTS[2];
const HAPROXY = 'haproxy';
const SHIPPED = join(import.meta.dirname, '..', '..', 'deploy', 'haproxy', 'redis.cfg');

/** Redis servers behind HAProxy with the shipped configuration; who is the primary is decided by the test. */
export type Takeover = Awaited<ReturnType<typeof startTakeover>>;

export async function startTakeover() {
  const servers = new RedisServers(await freePort());
  const { port } = servers;
  await servers.start(PRIMARY, []);
  const link = await startRedisRelay(`redis://${PRIMARY}:${port}`, {});
  const linked = ['--replicaof', PRIMARY, new URL(link.url).port, '--replica-announce-ip', SUCCESSOR];
  await servers.start(SUCCESSOR, linked);
  await servers.start(NEXT, ['--replicaof', SUCCESSOR, `${port}`]);
  await eventually(async () => {
    for (const host of [SUCCESSOR, NEXT]) {
      const state = String(await servers.send(host, 'INFO', 'replication'));
      if (!state.includes('master_link_status:up')) throw new Error(`${host} is not linked`);
    }
  });
  // As the shipped configuration asks for.
  for (const host of HOSTS) await servers.send(host, 'CONFIG', 'SET', 'min-replicas-to-write', '1');
  const proxy = await startProxy(servers);
  return {
    url: `redis://127.0.0.1:${proxy.port}`,
    servers,
    /** What the primary writes from now on does not reach the successor. */
    holdReplication: link.hold,
    close: async () => {
      proxy.child.kill('SIGKILL');
      await servers.close();
      await link.close();
    },
    /** `SUCCESSOR` takes writes from now on. The former primary is told nothing. */
    takeOver: async () => void (await servers.send(SUCCESSOR, 'REPLICAOF', 'NO', 'ONE')),
  };
}

/** HAProxy with the shipped configuration and the addresses of the test, once it leads to the primary. */
async function startProxy(servers: RedisServers): Promise<{ child: ChildProcess; port: number }> {
  const { folder, port } = servers;
  const own = await freePort();
  const shipped = readFileSync(SHIPPED, 'utf8');
  const file = join(folder, 'haproxy.cfg');
  const addressed = shipped
    .replace('127.0.0.1:6379', `127.0.0.1:${own}`)
    .replaceAll(/10\.0\.0\.(\d):6379/g, `127.0.0.$1:${port}`);
  writeFileSync(file, addressed);
  const child = spawn(HAPROXY, ['-db', '-q', '-f', file], { stdio: 'ignore' });
  await once(child, 'spawn');
  await eventually(() => servers.send(`127.0.0.1:${own}`, 'PING'));
  return { child, port: own };
}
