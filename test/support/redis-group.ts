import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificates } from '../emulators/certificates.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { startRedis } from './redis.ts';
import { RedisServers } from './redis-servers.ts';

/** Redis servers of which one takes writes at a time, each on a loopback address of its own. */
export type RedisGroup = {
  /** What REDIS_URL is set to. */
  readonly url: string;
  /** The address of the one that takes the bot's writes now. */
  primary(): Promise<string>;
  /** SIGKILL for the primary: another one has to take over. */
  killPrimary(): Promise<void>;
  /** The primary changes places with another one, and both live on. */
  handOver(): Promise<void>;
  close(): Promise<void>;
};

type Send = (host: string, ...words: string[]) => Promise<unknown>;

const NODE_TIMEOUT_MS = 1_000;

const NODES = ['127.0.0.1', '127.0.0.2'] as const;

/** Two Redis servers, and three Sentinels that watch them. */
export async function startSentinels(): Promise<RedisGroup> {
  const servers = new RedisServers(await freePort());
  const { port, folder } = servers;
  const [first, second] = NODES;
  await servers.start(first, ['--appendonly', 'yes']);
  await servers.start(second, ['--appendonly', 'yes', '--replicaof', first, `${port}`]);
  const sentinels = await Promise.all([1, 2, 3].map(() => freePort()));
  for (const sentinel of sentinels) {
    const file = join(folder, `sentinel-${sentinel}.conf`);
    const lines = [
      `monitor main ${first} ${port} 2`,
      `down-after-milliseconds main ${NODE_TIMEOUT_MS}`,
      `failover-timeout main ${NODE_TIMEOUT_MS}`,
    ];
    writeFileSync(file, lines.map((line) => `sentinel ${line}\n`).join(''));
    await servers.start(first, [file, '--sentinel'], sentinel);
  }
  const isLinked = async (host: string) => {
    const state = String(await servers.send(host, 'INFO', 'replication'));
    if (!state.includes('master_link_status:up')) throw new Error('not linked');
  };
  await eventually(() => isLinked(second));
  const ask = (...words: string[]) => servers.send(`${first}:${sentinels[0]}`, 'SENTINEL', ...words);
  const primary = async () => String([await ask('GET-MASTER-ADDR-BY-NAME', 'main')].flat()[0]);
  await eventually(async () => {
    const state = [await ask('MASTER', 'main')].flat().map(String);
    const field = (name: string) => state[state.indexOf(name) + 1];
    if (field('num-slaves') !== '1' || field('num-other-sentinels') !== '2') throw new Error('not complete');
  });
  return {
    url: `redis+sentinel://${sentinels.map((sentinel) => `${first}:${sentinel}`).join(',')}/main?port=${port}`,
    primary,
    killPrimary: async () => servers.kill(await primary()),
    handOver: async () => {
      const before = await primary();
      await ask('FAILOVER', 'main');
      await eventually(async () => {
        if ((await primary()) === before) throw new Error('not yet');
      });
      // Waits for what Sentinel does by itself within twenty seconds, because it then closes every connection.
      await eventually(async () => servers.send(before, 'REPLICAOF', await primary(), String(port)));
      await eventually(() => isLinked(before));
    },
    close: () => servers.close(),
  };
}

/** Three masters, and a replica of the one that has nearly all slots, the bot's among them. */
export async function startCluster(): Promise<RedisGroup> {
  const servers = new RedisServers(await freePort());
  const { port } = servers;
  const send: Send = (host, ...words) => servers.send(host, ...words);
  const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;
  const [first, second, third, replica] = hosts;
  // The default bus port is the port plus ten thousand, which another process may have.
  const busPort = String(await freePort());
  const timing = ['--cluster-node-timeout', String(NODE_TIMEOUT_MS)];
  const flags = ['--cluster-enabled', 'yes', '--cluster-port', busPort, ...timing];
  for (const host of hosts) await servers.start(host, [...flags, '--appendonly', 'yes']);
  await send(first, 'CLUSTER', 'ADDSLOTSRANGE', '0', '16381');
  await send(second, 'CLUSTER', 'ADDSLOTS', '16382');
  await send(third, 'CLUSTER', 'ADDSLOTS', '16383');
  for (const host of [second, third, replica])
    await send(first, 'CLUSTER', 'MEET', host, String(port), busPort);
  const firstId = String(await send(first, 'CLUSTER', 'MYID'));
  const isWell = async (host: string) => {
    const [state, nodes] = [await send(host, 'CLUSTER', 'INFO'), await send(host, 'CLUSTER', 'NODES')];
    if (!String(state).includes('cluster_state:ok')) throw new Error('not well');
    if (String(nodes).trim().split('\n').length !== hosts.length) throw new Error('not complete');
  };
  await eventually(() => Promise.all(hosts.map(isWell)));
  await send(replica, 'CLUSTER', 'REPLICATE', firstId);
  const isLinked = async (host: string) => {
    const state = String(await send(host, 'INFO', 'replication'));
    if (!state.includes('master_link_status:up')) throw new Error('not linked');
  };
  await eventually(() => isLinked(replica));
  /** The master that is asked stays a master all the time. */
  const primary = async () => {
    const ranges = [await send(second, 'CLUSTER', 'SLOTS')].flat() as [number, number, [string]][];
    return ranges.find(([begin]) => begin === 0)?.[2][0] ?? '';
  };
  return {
    url: `redis+cluster://${hosts.map((host) => `${host}:${port}`).join(',')}`,
    primary,
    killPrimary: async () => servers.kill(await primary()),
    handOver: async () => {
      await send(replica, 'CLUSTER', 'FAILOVER');
      await eventually(async () => {
        if ((await primary()) !== replica) throw new Error('not yet');
        await isLinked(first);
      });
    },
    close: () => servers.close(),
  };
}

/** One Redis and one Sentinel, both over TLS and with a password; `name` has Sentinel name another address. */
export async function startSecuredSentinel(
  certificates: Certificates,
  password: string,
): Promise<{ readonly url: string; name(host: string): Promise<void>; close(): Promise<void> }> {
  const redis = await startRedis({ certificates, password });
  const port = new URL(redis.url).port;
  const sentinel = await startRedis({
    certificates,
    password,
    sentinel: `sentinel monitor main 127.0.0.1 ${port} 1\nsentinel resolve-hostnames yes\n`,
  });
  return {
    url: `rediss+sentinel://:${encodeURIComponent(password)}@127.0.0.1:${new URL(sentinel.url).port}/main?port=${port}`,
    name: async (host) => {
      await sentinel.command('SENTINEL', 'REMOVE', 'main');
      await sentinel.command('SENTINEL', 'MONITOR', 'main', host, port, '1');
    },
    close: async () => {
      await Promise.all([redis.close(), sentinel.close()]);
    },
  };
}
