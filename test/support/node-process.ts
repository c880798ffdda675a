import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathTo } from './needs.ts';

/** The running child processes, which end together with this process. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The options of a new process. */
export type NodeProcessOptions = Pick<SpawnOptions, 'cwd' | 'detached' | 'env'> & {
  /** Called with each line of standard output and standard error. */
  readonly onLine: (line: string) => void;
  /** Drops the privileges of root, so that file permissions apply; changes nothing for other users. */
  readonly isUnprivileged?: boolean;
  /** Opens a channel for messages between the two processes. */
  readonly hasChannel?: boolean;
};

/** Starts Node with these arguments. */
export function startNode(
  args: readonly string[],
  { onLine, hasChannel = false, isUnprivileged = false, ...options }: NodeProcessOptions,
): ChildProcess {
  const mayDrop = isUnprivileged && process.getuid?.() === 0;
  const dropping = mayDrop ? [pathTo('setpriv') ?? 'setpriv', '--bounding-set=-all'] : [];
  const [program = '', ...rest] = [...dropping, process.execPath, ...args];
  const child = spawn(program, rest, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe', ...(hasChannel ? ['ipc' as const] : [])],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  for (const input of [child.stdout, child.stderr]) {
    if (input !== null) createInterface({ input }).on('line', onLine);
  }
  return child;
}

/** Whether the process has ended. */
export function isOver(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Sends the signal, waits for the end of the process, and returns its exit code; null if a signal ended it. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (isOver(child)) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  return child.exitCode;
}
