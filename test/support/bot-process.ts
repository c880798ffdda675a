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

/** `died`: the process ended although the test did not stop it. */
export type BotState = 'starting' | 'running' | 'stopped' | 'died';

/** The exit code of a process, and how long its end took. Time in which the machine was stalled does not count. */
type Ending = { readonly code: number | null; readonly ms: number };

/**
 * The program: the shipped sources (with or without npm), their bundle, or a bot with this polling interval in
 * milliseconds, which no setting of the shipped bot allows.
 */
type Entry = 'npm start' | 'shipped' | 'bundled' | number;

type Signal = 'SIGKILL' | 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** Differences from the usual way in which tests start a process. */
type Surroundings = Pick<NodeProcessOptions, 'cwd' | 'detached'> & {
  /** The length of a day, for a bot with its own polling interval. Milliseconds. */
  readonly dayMs?: number;
  /** Called with each line of output. */
  readonly onLine?: (line: string) => void;
  /** Called when the process ends although the test did not stop it. */
  readonly onDeath?: (death: BotDied) => void;
};

const LINES_OF_DEATH = 20;

/** The bot's process ended although the test did not stop it. */
export class BotDied extends Error {
  constructor({ log }: BotProcess) {
    const lines = log.slice(-LINES_OF_DEATH).map((line) => `  ${line}`);
    super(`The bot ended. Its last log lines:\n${lines.join('\n')}`);
  }
}

/** A bot in its own process. */
export class BotProcess {
  /** The lines of output so far. */
  readonly log: string[] = [];
  /** The end of each process (epoch milliseconds), and the signal that ended it. */
  readonly ends: { readonly signal: Signal; readonly at: number }[] = [];
  /** The environment variables of the next start. */
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

  /** Starts the bot, always on the same port, after the previous process has ended. Throws if the process ends first. */
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

  /** Starts a bot that must fail to start; returns its exit code. */
  async fail(isUnprivileged = false): Promise<number | null> {
    const child = await this.#launch(() => {}, isUnprivileged);
    const [code] = await once(child, 'close');
    return typeof code === 'number' ? code : null;
  }

  /** Sends a signal, and waits for the end of the process. */
  async end(signal: Signal): Promise<Ending> {
    const child = this.#child;
    if (child === undefined || !this.isUp) return { code: child?.exitCode ?? null, ms: 0 };
    this.#state = 'stopped';
    const elapsed = stopwatch();
    this.#ending = endProcess(child, signal);
    const code = await this.#ending;
    // Not the time of the signal: until its end the process can send requests whose answers it never gets.
    this.ends.push({ signal, at: Date.now() });
    return { code, ms: elapsed() };
  }

  /** Makes the clock of the process wrong by this many milliseconds, also after later starts. */
  stepClock(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    // The process may just be ending.
    if (this.#child?.connected) this.#child.send({ offsetMs }, () => {});
  }

  /** Closes the output of the process, as if the program that collects its log had ended. */
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
