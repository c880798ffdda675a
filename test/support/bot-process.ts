import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stopwatch } from '../emulators/standstill.ts';
import { COMPILE_CACHE } from './compile-cache.ts';
import { freePort } from './free-port.ts';

const SHIPPED = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
/** The same with a shorter interval, which the shipped one can't be given. */
const HURRIED = join(import.meta.dirname, '..', 'chaos', 'replica-process.ts');
const LISTENING = /^listening$|is listening/;

/** How a process ended, and how long that took, less what the machine stood still. */
export type Ending = { readonly code: number | null; readonly ms: number };

/** The bot in a process of its own. */
export class BotProcess {
  /** What it has written, line by line. */
  readonly log: string[] = [];
  readonly #environment: Readonly<Record<string, string>>;
  readonly #arguments: readonly string[];
  #child: ChildProcess | undefined;
  #port = 0;

  constructor(environment: Readonly<Record<string, string>>, entry: 'shipped' | number) {
    this.#environment = environment;
    this.#arguments = entry === 'shipped' ? [SHIPPED] : [HURRIED, String(entry)];
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get isUp(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Settles when it listens, each time on the same port. Throws with its log when it ends instead. */
  async start(): Promise<void> {
    this.#port ||= await freePort();
    const child = this.#launch();
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`ended with ${String(code)}:\n${this.log.join('\n')}`);
    });
    ended.catch(() => {});
    await Promise.race([this.#listening(child), ended]);
  }

  /** Starts what is expected not to start, and settles with the code that it ends with. */
  async fail(user?: number): Promise<number | null> {
    const child = this.#launch(user);
    void this.#listening(child);
    const [code] = await once(child, 'close');
    return typeof code === 'number' ? code : null;
  }

  /** Ends it, and settles when it is gone. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<Ending> {
    const child = this.#child;
    if (child === undefined || !this.isUp) return { code: child?.exitCode ?? null, ms: 0 };
    const elapsed = stopwatch();
    const exited = once(child, 'exit');
    child.kill(signal);
    const [code] = await exited;
    return { code: typeof code === 'number' ? code : null, ms: elapsed() };
  }

  #launch(user?: number): ChildProcess {
    const child = spawn(process.execPath, [...this.#arguments], {
      env: { ...COMPILE_CACHE, ...this.#environment, PORT: String(this.#port) },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user === undefined ? {} : { uid: user }),
    });
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.log.push(text));
    return child;
  }

  #listening(child: ChildProcess): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (child.stdout === null) return promise;
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.log.push(line);
      if (LISTENING.test(line)) resolve();
    });
    return promise;
  }
}
