import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@keyv/redis';
import type { Certificates } from '../emulators/certificates.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { launch, startRedis } from './redis.ts';

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

/** Servers on one port, as on machines of their own; `start` takes another port for those that are no Redis. */
class Servers {
  readonly folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-redis-'));
  readonly port: number;
  readonly #running = new Map<string, ChildProcess>();

  constructor(port: number) {
    this.port = port;
  }

  async start(host: string, flags: readonly string[], port = this.port): Promise<void> {
    const dir = join(this.folder, `${host}-${port}`);
    mkdirSync(dir, { recursive: true });
    const place = ['--port', `${port}`, '--bind', host, '--bind-source-addr', host, '--dir', dir];
    // Redis takes only 127.0.0.1 for this machine.
    const words = [...flags, ...place, '--protected-mode', 'no', '--save', ''];
    this.#running.set(port === this.port ? host : `${host}:${port}`, await launch(words));
  }

  async send(host: string, ...words: string[]): Promise<unknown> {
    const [name = host, port = this.port] = host.split(':');
    const client = createClient({ socket: { host: name, port: Number(port), reconnectStrategy: false } });
    client.on('error', () => {});
    await client.connect();
    return client.sendCommand(words).finally(() => client.destroy());
  }

  async kill(host: string): Promise<void> {
    const child = this.#running.get(host);
    if (child === undefined) return;
    this.#running.delete(host);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((host) => this.kill(host)));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const NODES = ['127.0.0.1', '127.0.0.2'] as const;

/** Two Redis servers, and three Sentinels that watch them. */
export async function startSentinels(): Promise<RedisGroup> {
  const servers = new Servers(await freePort());
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
      // Sentinel would do so within twenty seconds.
      await servers.send(before, 'REPLICAOF', await primary(), String(port));
      await eventually(() => isLinked(before));
    },
    close: () => servers.close(),
  };
}

/** Three masters, and a replica of the one that has nearly all slots, the bot's among them. */
export async function startCluster(): Promise<RedisGroup> {
  const servers = new Servers(await freePort());
  const { port } = servers;
  const send: Send = (host, ...words) => servers.send(host, ...words);
  const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;
  const [first, second, third, replica] = hosts;
  // By itself it is the port plus ten thousand, which may be another one's.
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
  /** Asked of one that stays a master all the time. */
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
