import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type SubjectName = 'bare Bolt' | 'afternoon bot' | 'this bot' | 'this bot on Redis';

const SUBJECTS = join(import.meta.dirname, 'subjects');
const ENTRIES: Readonly<Record<SubjectName, string>> = {
  'bare Bolt': join(SUBJECTS, 'bare-bolt.ts'),
  'afternoon bot': join(SUBJECTS, 'afternoon-bot.ts'),
  'this bot': join(import.meta.dirname, '..', '..', 'src', 'main.ts'),
  'this bot on Redis': join(import.meta.dirname, '..', '..', 'src', 'main.ts'),
};
const LISTENING = /listening on (\d+)|"port":(\d+).*is listening/;

/** A process that is measured. */
export type Subject = {
  readonly url: string;
  /** From its launch until it listened. Milliseconds. */
  readonly startMs: number;
  /** Resident memory now, in megabytes. */
  memoryMb(): number;
  /** Processor time of all its threads since its launch, in milliseconds: it says what work costs on a busy machine too. */
  processorMs(): number;
  stop(): Promise<void>;
};

export type SubjectOptions = {
  readonly environment: Readonly<Record<string, string>>;
  /** A folder that gets a `.cpuprofile`. */
  readonly profileDir?: string | undefined;
};

/** Starts a subject with a data directory of its own. Throws with its output when it ends instead. */
export async function startSubject(name: SubjectName, options: SubjectOptions): Promise<Subject> {
  const dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-bench-'));
  const { profileDir } = options;
  const flags = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, ENTRIES[name]], {
    env: { ...options.environment, PATH: process.env.PATH ?? '', DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const port = await portOf(child);
  const startMs = performance.now() - began;
  return {
    url: `http://127.0.0.1:${port}`,
    startMs,
    memoryMb: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1_024,
    processorMs: () => processorMsOf(child.pid),
    stop: async () => {
      const exited = once(child, 'exit');
      // A profile is written at the end of a process that ends by itself.
      child.kill(profileDir === undefined ? 'SIGKILL' : 'SIGTERM');
      await exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Linux counts in hundredths of a second: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, fields 14 and 15. */
function processorMsOf(pid: number | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 10;
}

function portOf(child: ChildProcess): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('exit', (code) => reject(new Error(`the subject ended with ${String(code)}`)));
  if (child.stdout === null) throw new Error('the subject has no output');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, one, other] = LISTENING.exec(line) ?? [];
    if (one !== undefined || other !== undefined) resolve(Number(one ?? other));
  });
  return promise;
}
