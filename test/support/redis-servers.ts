import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@keyv/redis';
import { endProcess } from './node-process.ts';
import { launch } from './redis.ts';

/** Servers on one port, as on machines of their own. */
export class RedisServers {
  readonly folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-redis-'));
  readonly port: number;
  readonly #running = new Map<string, ChildProcess>();

  constructor(port: number) {
    this.port = port;
  }

  async start(host: string, flags: readonly string[]): Promise<void> {
    const dir = join(this.folder, host);
    mkdirSync(dir, { recursive: true });
    const address = ['--port', `${this.port}`, '--bind', host, '--bind-source-addr', host, '--dir', dir];
    // Redis takes only 127.0.0.1 for this machine.
    const words = [...flags, ...address, '--protected-mode', 'no', '--save', ''];
    // By default a Redis waits five seconds for further replicas before it serves the first one.
    words.push('--repl-diskless-sync-delay', '0');
    this.#running.set(host, await launch(words));
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
    await endProcess(child, 'SIGKILL');
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((host) => this.kill(host)));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
