import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ENTRY = join(import.meta.dirname, 'replica-process.ts');
const LISTENING = /^listening on (\d+)$/;

/** One process of the bot, that can be killed. */
export class Replica {
  readonly log: string[] = [];
  readonly #environment: Readonly<Record<string, string>>;
  readonly #intervalMs: number;
  #child: ChildProcess | undefined;
  #port = 0;

  constructor(environment: Readonly<Record<string, string>>, intervalMs: number) {
    this.#environment = environment;
    this.#intervalMs = intervalMs;
  }

  get isUp(): boolean {
    return this.#child !== undefined;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts it, and settles when it listens. Throws with the end of its log when it ends instead. */
  async start(): Promise<void> {
    // A replica keeps its port: whoever delivers to it finds it again.
    const environment = { ...this.#environment, PORT: String(this.#port) };
    const child = spawn(process.execPath, [ENTRY, String(this.#intervalMs)], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.log.push(text));
    const lines = createInterface({ input: child.stdout });
    const listening = new Promise<number>((done) => {
      lines.on('line', (line) => {
        const port = LISTENING.exec(line)?.[1];
        if (port === undefined) this.log.push(line);
        else done(Number(port));
      });
    });
    const ended = once(child, 'exit').then(() => {
      if (this.#child === child) this.#child = undefined;
      throw new Error(`a replica ended while it started:\n${this.log.slice(-20).join('\n')}`);
    });
    ended.catch(() => {});
    this.#port = await Promise.race([listening, ended]);
    this.#child = child;
  }

  /** Ends it, at once or as a deploy does, and settles when it is gone. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
}
