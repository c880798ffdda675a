import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import type { Certificates } from '../emulators/certificates.ts';
import { freePort } from './free-port.ts';
import { endProcess } from './node-process.ts';

/** A real Redis server for one test, with a free port and its own folder. */
export type TestRedis = Awaited<ReturnType<typeof startRedis>>;

export type RedisOptions = {
  readonly password?: string;
  /** Makes the server accept only TLS, with these certificates. */
  readonly certificates?: Certificates;
};

// biome-ignore lint/style/noProcessEnv: TEST_REDIS_SERVER chooses another server, such as a newer Redis or Valkey.
const SERVER = process.env.TEST_REDIS_SERVER ?? 'redis-server';
const READY = /Ready to accept connections/;

export async function startRedis(options: RedisOptions = {}) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-redis-'));
  const flags = [...flagsFor(port, folder), ...extraFlags(options, port, folder)];
  let running: ChildProcess | undefined;
  const start = async () => {
    running = await launch(flags);
  };
  const kill = async () => {
    const child = running;
    running = undefined;
    if (child !== undefined) await endProcess(child, 'SIGKILL');
  };
  await start();
  const scheme = options.certificates === undefined ? 'redis' : 'rediss';
  const user = options.password === undefined ? '' : `:${encodeURIComponent(options.password)}@`;
  const address = `${scheme}://${user}127.0.0.1:${port}`;
  return {
    url: address,
    /** -1 while the server is not running. */
    get pid() {
      return running?.pid ?? -1;
    },
    /** Kills the server, like a crash of its machine. The append-only file survives until the next start. */
    kill,
    start,
    /** Stops the server without closing connections, like a network that drops everything. */
    hang: () => running?.kill('SIGSTOP'),
    goOn: () => running?.kill('SIGCONT'),
    /** Sends a command over a new connection, and returns the answer. */
    command: async (name: string, ...words: string[]): Promise<unknown> => {
      const client = new Redis(address);
      const answer = await client.call(name, ...words);
      client.disconnect();
      return answer;
    },
    close: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function flagsFor(port: number, folder: string): string[] {
  const options = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    // One database for each concurrent test.
    databases: 64,
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
  };
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

function extraFlags({ password, certificates }: RedisOptions, port: number, folder: string): string[] {
  const login = password === undefined ? [] : ['--requirepass', password];
  if (certificates === undefined) return login;
  const files = {
    'cert-file': certificates.certPem,
    'key-file': certificates.keyPem,
    'ca-cert-file': certificates.caPem,
  };
  const named = Object.entries(files).flatMap(([name, pem]) => {
    const file = join(folder, `${name}.pem`);
    writeFileSync(file, pem);
    return [`--tls-${name}`, file];
  });
  // The last `--port` counts, so only the TLS port is open. The certificate is valid for the first address only.
  const listening = ['--tls-port', String(port), '--port', '0', '--bind', '127.0.0.1', '-127.0.0.2'];
  return [...login, ...named, '--tls-auth-clients', 'no', ...listening];
}

/** Starts a server with these arguments, and waits until it is ready. */
export async function launch(flags: readonly string[]): Promise<ChildProcess> {
  const child = spawn(SERVER, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  const failed = once(child, 'error').then(([error]) => {
    throw error;
  });
  await Promise.race([isReady(child), failed]);
  return child;
}

async function isReady(child: ChildProcess): Promise<void> {
  if (child.stdout === null) return;
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (!READY.test(line)) continue;
    child.stdout.resume();
    return;
  }
  throw new Error(`redis-server ended before it was ready:\n${said.slice(-5).join('\n')}`);
}
