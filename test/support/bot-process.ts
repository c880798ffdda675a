import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { stopwatch } from '../emulators/standstill.ts';
import { bundled } from './bundled-bot.ts';
import { COMPILE_CACHE } from './compile-cache.ts';
import { freePort } from './free-port.ts';
import { pathTo, SEARCH_PATH } from './needs.ts';
import { endProcess, isOver, type NodeProcessOptions, startNode } from './node-process.ts';

const SHIPPED = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const LISTENING = /^listening$|is listening/;

/** `died`: it ended without being asked to. */
export type BotState = 'starting' | 'running' | 'stopped' | 'died';

/** How a process ended, and how long that took, less what the machine stood still. */
type Ending = { readonly code: number | null; readonly ms: number };

/**
 * The shipped sources, through npm or without it; the same as a bundle; or, as a number, a bot with this interval, which
 * the shipped one can't be given.
 */
type Entry = 'npm start' | 'shipped' | 'bundled' | number;

type Signal = 'SIGKILL' | 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** Where and how a process runs, if not as those of most tests do. */
type Surroundings = Pick<NodeProcessOptions, 'cwd' | 'detached'> & {
  /** The length of a day for a bot with an interval of its own. */
  readonly dayMs?: number;
  /** Called with each line that it writes. */
  readonly onLine?: (line: string) => void;
  /** Called when it ends without being asked to. */
  readonly onDeath?: (death: BotDied) => void;
};

const LINES_OF_DEATH = 20;

/** The bot's process ended without being asked to. */
export class BotDied extends Error {
  constructor({ log }: BotProcess) {
    const lines = log.slice(-LINES_OF_DEATH).map((line) => `  ${line}`);
    super(`The bot ended. Its last log lines:\n${lines.join('\n')}`);
  }
}

/** The bot in a process of its own. */
export class BotProcess {
  /** What it has written, line by line. */
  readonly log: string[] = [];
  /** When it was gone after which signal. Epoch milliseconds. */
  readonly ends: { readonly signal: Signal; readonly at: number }[] = [];
  /** Changes apply from its next start on. */
  readonly environment: Record<string, string>;
  readonly #entry: Entry;
  readonly #surroundings: Surroundings;
  #child: ChildProcess | undefined;
  #ending: Promise<number | null> | undefined;
  #state: BotState = 'stopped';
  #port: number;
  #offsetMs = 0;

  constructor(environment: Readonly<Record<string, string>>, entry: Entry, surroundings: Surroundings = {}) {
    this.environment = { ...environment };
    this.#entry = entry;
    this.#surroundings = surroundings;
    this.#port = Number(environment.PORT ?? 0);
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get state(): BotState {
    return this.#state;
  }

  get isUp(): boolean {
    return this.#child !== undefined && !isOver(this.#child);
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Settles when it listens, each time on the same port, once an earlier one is gone. Throws when it ends instead. */
  async start(): Promise<void> {
    await this.#ending;
    if (this.isUp) return;
    this.#port ||= await freePort();
    const { promise: listening, resolve } = Promise.withResolvers<void>();
    this.#state = 'starting';
    const child = await this.#launch(resolve);
    const ended = once(child, 'close').then(() => {
      const death = new BotDied(this);
      if (child === this.#child && this.#state !== 'stopped') {
        this.#state = 'died';
        this.#surroundings.onDeath?.(death);
      }
      throw death;
    });
    ended.catch(() => {});
    await Promise.race([listening, ended]);
    if (!isOver(child)) this.#state = 'running';
  }

  /** Starts what is expected not to start, and settles with the code that it ends with. */
  async fail(isUnprivileged = false): Promise<number | null> {
    const child = await this.#launch(() => {}, isUnprivileged);
    const [code] = await once(child, 'close');
    return typeof code === 'number' ? code : null;
  }

  /** Ends it, and settles when it is gone. */
  async end(signal: Signal): Promise<Ending> {
    const child = this.#child;
    if (child === undefined || !this.isUp) return { code: child?.exitCode ?? null, ms: 0 };
    this.#state = 'stopped';
    const elapsed = stopwatch();
    this.#ending = endProcess(child, signal);
    const code = await this.#ending;
    // Not when the signal is sent: until it is gone, a process can still send what it can't hear the answer to.
    this.ends.push({ signal, at: Date.now() });
    return { code, ms: elapsed() };
  }

  /** Steps the clock of the machine that it runs on, by which it also starts again: so many milliseconds off the real time. */
  stepClock(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    // It may be ending just now.
    if (this.#child?.connected) this.#child.send({ offsetMs }, () => {});
  }

  /** Nobody reads what it writes any more, as when the program that collects its log ends. */
  loseOutput(): void {
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
  }

  async #launch(onListening: () => void, isUnprivileged = false): Promise<ChildProcess> {
    const { cwd, detached, onLine } = this.#surroundings;
    const child = startNode(await this.#entryArgs(), {
      cwd,
      detached,
      env: { PATH: SEARCH_PATH, ...COMPILE_CACHE, ...this.environment, PORT: String(this.#port) },
      isUnprivileged,
      hasChannel: typeof this.#entry === 'number',
      onLine: (line) => {
        this.log.push(line);
        onLine?.(line);
        if (LISTENING.test(line)) onListening();
      },
    });
    this.#child = child;
    return child;
  }

  async #entryArgs(): Promise<string[]> {
    if (this.#entry === 'npm start') return [realpathSync(pathTo('npm') ?? 'npm'), 'start'];
    if (this.#entry === 'shipped') return [SHIPPED];
    if (this.#entry === 'bundled') return [await bundled('main')];
    return [
      await bundled('replica-process'),
      String(this.#entry),
      String(this.#surroundings.dayMs ?? 48_000),
      String(this.#offsetMs),
    ];
  }
}
