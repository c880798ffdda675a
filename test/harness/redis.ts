import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Certificates } from '../stand-ins/certificates.ts';

/** A real Redis of the test's own: a free port of the loopback interface, a folder of its own. */
export type TestRedis = {
  readonly url: string;
  /** SIGKILL, as when the machine dies; what was appended to its file is there at the next start. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** It hangs, as behind a network that loses everything, until it is told to go on. */
  hang(): void;
  goOn(): void;
  close(): Promise<void>;
};

export type RedisOptions = {
  readonly password?: string;
  /** With these it speaks TLS, and nothing else. */
  readonly certificates?: Certificates;
};

const READY = /Ready to accept connections/;

/** A port that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export async function startRedis(options: RedisOptions = {}): Promise<TestRedis> {
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
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  await start();
  const scheme = options.certificates === undefined ? 'redis' : 'rediss';
  const user = options.password === undefined ? '' : `:${encodeURIComponent(options.password)}@`;
  return {
    url: `${scheme}://${user}127.0.0.1:${port}`,
    kill,
    start,
    hang: () => running?.kill('SIGSTOP'),
    goOn: () => running?.kill('SIGCONT'),
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
  // What comes last counts: nothing listens without TLS.
  return [...login, ...named, '--tls-auth-clients', 'no', '--tls-port', String(port), '--port', '0'];
}

async function launch(flags: readonly string[]): Promise<ChildProcess> {
  const child = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  const failed = once(child, 'error').then(([error]) => {
    throw error;
  });
  await Promise.race([isReady(child), failed]);
  return child;
}

async function isReady(child: ChildProcess): Promise<void> {
  if (child.stdout === null) return;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!READY.test(line)) continue;
    child.stdout.resume();
    return;
  }
  throw new Error('redis-server ended before it was ready');
}
