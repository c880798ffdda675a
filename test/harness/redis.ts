import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A real Redis of the test's own: a free port of the loopback interface, a folder of its own. */
export type TestRedis = {
  readonly url: string;
  /** SIGKILL, as when the machine dies; what was appended to its file is there at the next start. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
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

export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-redis-'));
  let running: ChildProcess | undefined;
  const start = async () => {
    running = await launch(port, folder);
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
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    close: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launch(port: number, folder: string): Promise<ChildProcess> {
  const options = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
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
