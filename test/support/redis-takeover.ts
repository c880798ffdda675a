import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { endProcess } from './node-process.ts';
import { launch } from './redis.ts';

/** The addresses of the primary, of its replica, which takes over, and of a replica of that replica. */
const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;
export const [PRIMARY] = HOSTS;
const SUCCESSOR = HOSTS[1];
const NEXT = HOSTS[2];
const HAPROXY = 'haproxy';
const SHIPPED = join(import.meta.dirname, '..', '..', 'deploy', 'haproxy', 'redis.cfg');

/** Starts Redis servers on several addresses, like separate machines, behind HAProxy with the shipped configuration. */
export async function startTakeover() {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-redis-'));
  const port = await freePort();
  const running = new Map<string, ChildProcess>();
  const start = async (host: string, ...flags: string[]) => {
    const dir = join(folder, host);
    mkdirSync(dir);
    const address = ['--port', `${port}`, '--bind', host, '--bind-source-addr', host, '--dir', dir];
    // By default, Redis accepts only 127.0.0.1 as local, and waits five seconds for further replicas.
    const others = ['--protected-mode', 'no', '--save', '', '--repl-diskless-sync-delay', '0'];
    running.set(host, await launch([...flags, ...address, ...others]));
  };
  const kill = async (host: string) => {
    const child = running.get(host);
    running.delete(host);
    if (child !== undefined) await endProcess(child, 'SIGKILL');
  };
  await start(PRIMARY);
  await start(SUCCESSOR, '--replicaof', PRIMARY, `${port}`, '--replica-announce-ip', SUCCESSOR);
  await start(NEXT, '--replicaof', SUCCESSOR, `${port}`);
  // The primary may count a new replica up to a second before it sends writes to that replica.
  await eventually(() => send(PRIMARY, port, 'SET', 'snapshot-bot:replicated', 'yes'));
  await eventually(async () => {
    const read = await send(NEXT, port, 'GET', 'snapshot-bot:replicated');
    if (read !== 'yes') throw new Error('what is written is not replicated yet');
  });
  // The setting that the shipped configuration recommends.
  for (const host of HOSTS) await send(host, port, 'CONFIG', 'SET', 'min-replicas-to-write', '1');
  const proxy = await startProxy(folder, port);
  return {
    url: `redis://127.0.0.1:${proxy.port}`,
    servers: { kill },
    close: async () => {
      proxy.child.kill('SIGKILL');
      for (const host of HOSTS) await kill(host);
      rmSync(folder, { recursive: true, force: true });
    },
    /** Makes `SUCCESSOR` the primary. The former primary is not told. */
    takeOver: async () => void (await send(SUCCESSOR, port, 'REPLICAOF', 'NO', 'ONE')),
  };
}

async function send(host: string, port: number, name: string, ...words: string[]): Promise<unknown> {
  const client = new Redis({ host, port, retryStrategy: () => null });
  client.on('error', () => {});
  return client.call(name, ...words).finally(() => client.disconnect());
}

/** Starts HAProxy with the shipped configuration and the test's addresses; waits until it forwards to the primary. */
async function startProxy(folder: string, port: number): Promise<{ child: ChildProcess; port: number }> {
  const own = await freePort();
  const file = join(folder, 'haproxy.cfg');
  const addressed = readFileSync(SHIPPED, 'utf8')
    .replace('127.0.0.1:6379', `127.0.0.1:${own}`)
    .replaceAll(/10\.0\.0\.(\d):6379/g, `127.0.0.$1:${port}`);
  writeFileSync(file, addressed);
  const child = spawn(HAPROXY, ['-db', '-q', '-f', file], { stdio: 'ignore' });
  await once(child, 'spawn');
  await eventually(() => send('127.0.0.1', own, 'PING'));
  return { child, port: own };
}
