import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, type NodeProcessOptions, startNode } from '../support/node-process.ts';

export type SubjectName = 'bare Bolt' | 'afternoon bot' | 'this bot' | 'this bot on Redis';

const SUBJECTS = join(import.meta.dirname, 'subjects');
const ROOT = join(import.meta.dirname, '..', '..');
/** The command of `npm start`: `exec node`, its flags and the entry file. */
const START = String(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts.start);
const SHIPPED = [...START.split(' ').slice(2, -1), join(ROOT, 'src', 'main.ts')];
const ENTRIES: Readonly<Record<SubjectName, readonly string[]>> = {
  'bare Bolt': [join(SUBJECTS, 'bare-bolt.ts')],
  'afternoon bot': [join(SUBJECTS, 'afternoon-bot.ts')],
  'this bot': SHIPPED,
  'this bot on Redis': SHIPPED,
};
const COLLECT = join(import.meta.dirname, 'collect.js');
const NATIVE_HEAP = /\[heap\]\n(?:.+\n)*?Rss: +(\d+)/;
/** How many output lines are shown if a subject does not start. */
const LINES_OF_START = 40;
const LISTENING = /listening on (\d+)|"port":(\d+).*is listening/;

/** A measured process. */
export type Subject = Awaited<ReturnType<typeof startSubject>>;

type SubjectOptions = {
  readonly environment: Readonly<Record<string, string>>;
  /** The parent folder of its data directory, which the caller removes. */
  readonly folder: string;
  /** The folder to write a `.cpuprofile` to. */
  readonly profileDir?: string | undefined;
  /** Makes `retainedMb` available, which can start a garbage collection in the subject. */
  readonly collects?: boolean;
};

/** Starts a subject with a data directory of its own. Throws if the process ends before it listens. */
export async function startSubject(name: SubjectName, options: SubjectOptions) {
  const { profileDir, folder, collects = false } = options;
  const dataDir = mkdtempSync(join(folder, 'data-'));
  const flags = [
    ...(profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`]),
    ...(collects ? ['--expose-gc', `--import=${COLLECT}`] : []),
  ];
  const began = performance.now();
  const { child, listensOn } = launch([...flags, ...ENTRIES[name]], {
    env: { ...options.environment, PATH: process.env.PATH ?? '', DATA_DIR: dataDir, PORT: '0' },
    hasChannel: collects,
  });
  const port = await listensOn;
  const startMs = performance.now() - began;
  return {
    url: `http://127.0.0.1:${port}`,
    /** The milliseconds from the launch until the subject listened. */
    startMs,
    /** Resident memory now, in megabytes. */
    memoryMb: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1_024,
    /**
     * The megabytes in use after a garbage collection: objects, buffers and memory of native libraries. Resident memory
     * can't show a leak, because V8 keeps freed pages. Needs `collects`.
     */
    retainedMb: async (): Promise<number> => {
      child.send('collect');
      const [bytes] = await once(child, 'message');
      return bytes / 1_048_576 + nativeHeapMb(child.pid);
    },
    /**
     * The processor time of all threads since the launch, in milliseconds. Other load on the machine hardly changes it,
     * unlike elapsed time.
     */
    processorMs: () => processorMsOf(child.pid),
    stop: async () => {
      // Node writes the profile only at a normal exit.
      await endProcess(child, profileDir === undefined ? 'SIGKILL' : 'SIGTERM');
    },
  };
}

/** `listensOn`: the port that the process reports. */
function launch(args: readonly string[], options: Omit<NodeProcessOptions, 'onLine'>) {
  const said: string[] = [];
  const { promise: listensOn, resolve, reject } = Promise.withResolvers<number>();
  const child = startNode(args, {
    ...options,
    onLine: (line) => {
      if (said.length < LINES_OF_START) said.push(line);
      const [, one, other] = LISTENING.exec(line) ?? [];
      if (one !== undefined || other !== undefined) resolve(Number(one ?? other));
    },
  });
  child.once('exit', (code) =>
    reject(new Error(`the subject ended with ${String(code)}:\n${said.join('\n')}`)),
  );
  return { child, listensOn };
}

/** Resident memory of the C library's heap, where native libraries allocate. */
function nativeHeapMb(pid: number | undefined): number {
  const [, kilobytes] = NATIVE_HEAP.exec(readFileSync(`/proc/${pid}/smaps`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

/**
 * Linux counts in hundredths of a second, in fields 14 and 15:
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
function processorMsOf(pid: number | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 10;
}
