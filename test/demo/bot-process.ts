import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endProcess, isOver, startNode } from '../support/node-process.ts';

/** The state of the bot's process. */
export type BotState = 'starting' | 'running' | 'stopped' | 'died';

/** The unchanged bot, in a process of its own. */
export interface BotProcess {
  readonly state: BotState;
  /** The id of the running process, or of the last one; 0 before the first start. */
  readonly pid: number;
  /** Its latest log lines, oldest first. */
  readonly lastLines: readonly string[];
  /** Starts it, once one that is ending is gone; settles when it is ready, throws `BotDied` when it is not going to be. */
  start(): Promise<void>;
  /** Changes variables of its environment, for the next start. */
  configure(changes: Readonly<Record<string, string>>): void;
  /** Asks it to stop, as an operator does. */
  stop(): Promise<void>;
  /** Ends it as a power cut does. */
  kill(): Promise<void>;
  /** Calls the listener with every change of `state`. */
  on(listener: (state: BotState) => void): () => void;
}

/** The bot's process ended without being asked to. */
export class BotDied extends Error {
  constructor(lastLines: readonly string[]) {
    super(`The bot ended. Its last log lines:\n${lastLines.map((line) => `  ${line}`).join('\n')}`);
  }
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const LINES_KEPT = 20;
const LOOK_AGAIN_MS = 40;
const STOP_MS = 10_000;

/** What the process is started with. */
interface BotProcessOptions {
  readonly variables: Readonly<Record<string, string>>;
  readonly port: number;
  /** A directory of its own: a `.env` file of the project must not reach the bot of the demo. */
  readonly directory: string;
  /** Called with every log line. */
  readonly onLine?: (line: string) => void;
}

/** A bot that is not started yet. */
export function botProcess(options: BotProcessOptions): BotProcess {
  const listeners = new Set<(state: BotState) => void>();
  const variables: Record<string, string> = { ...options.variables };
  const lines: string[] = [];
  let child: ChildProcess | undefined;
  let gone: Promise<unknown> = Promise.resolve();
  let state: BotState = 'stopped';
  const become = (next: BotState) => {
    state = next;
    for (const listener of listeners) listener(next);
  };
  const end = async (signal: NodeJS.Signals) => {
    const ending = child;
    if (ending === undefined || isOver(ending)) return;
    become('stopped');
    gone = endProcess(ending, signal);
    const late = setTimeout(() => ending.kill('SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(late);
  };
  return {
    get state() {
      return state;
    },
    get pid() {
      return child?.pid ?? 0;
    },
    lastLines: lines,
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    configure: (changes) => void Object.assign(variables, changes),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async start() {
      if (state === 'stopped') await gone;
      if (child !== undefined && !isOver(child)) return;
      become('starting');
      const started = launch({ ...options, variables }, lines);
      child = started;
      started.once('exit', () => {
        if (state !== 'stopped') become('died');
      });
      await ready(started, options.port, lines);
      become('running');
    },
  };
}

function launch(options: BotProcessOptions, lines: string[]): ChildProcess {
  return startNode([MAIN], {
    cwd: options.directory,
    env: { ...surroundings(), ...options.variables, PORT: String(options.port) },
    // Ctrl-C in the terminal is for the demo, which stops the bot itself.
    detached: process.platform !== 'win32',
    onLine: (line) => {
      if (line.trim() === '') return;
      options.onLine?.(line);
      lines.push(line);
      if (lines.length > LINES_KEPT) lines.shift();
    },
  });
}

/** The variables that every process needs. The user's others are left out, because they could configure the bot. */
function surroundings(): Record<string, string> {
  const needed = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG', 'TZ', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(
    needed.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function ready(child: ChildProcess, port: number, lines: readonly string[]): Promise<void> {
  while (!isOver(child)) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return;
    await sleep(LOOK_AGAIN_MS);
  }
  throw new BotDied(lines);
}
