import { type AnyJob, backOff, JOB_KINDS, type JobKind, type Processor } from '../lookups/queue.ts';
import type { Sealer, StorageReports } from './sealing.ts';

/** How soon an unreadable job is tried again: another replica may have the right release or key. Milliseconds. */
export const UNREADABLE_MS = 5_000;

export type JobsContext = {
  readonly sealer: Sealer;
  /** The current time in epoch milliseconds. */
  readonly now: () => number;
  readonly reports: Pick<StorageReports, 'queueError' | 'unreadable'>;
};

/** What is stored after a step: the encrypted job, its failures in a row, and the pause before the next attempt. */
type Next = { readonly sealed: string; readonly failures: number; readonly pauseMs: number };
type Step<J extends AnyJob> = {
  readonly processor: Processor<J>;
  readonly failures: number;
  readonly deaths: number;
  readonly save: (sealed: string) => Promise<void>;
  readonly confirm: () => Promise<void>;
};

/** Encrypts and reads the jobs of one kind, and does their steps. Jobs are encrypted because they contain response URLs. */
export class SealedJobs<J extends AnyJob> {
  readonly #kind: JobKind;
  readonly #context: JobsContext;

  constructor(kind: JobKind, context: JobsContext) {
    this.#kind = kind;
    this.#context = context;
  }

  seal(job: J): string {
    const { version } = JOB_KINDS[this.#kind];
    return this.#context.sealer.seal(JSON.stringify({ version, job }), `${this.#kind}\0${job.id}`);
  }

  /** Decrypts a job. Throws `SealBroken` if no current key fits, and an error if the job has another version. */
  open(id: string, sealed: string): J {
    const known = JOB_KINDS[this.#kind].version;
    const { version, job } = JSON.parse(this.#context.sealer.open(sealed, `${this.#kind}\0${id}`));
    if (version !== known) throw new Error(`a job has the state version ${version}, here ${known}`);
    return job;
  }

  /** Like `open`, but reports a job that can't be read, and returns undefined. */
  read(id: string, sealed: string): J | undefined {
    try {
      return this.open(id, sealed);
    } catch (error) {
      this.#context.reports.unreadable({ lookup: id }, error);
      return undefined;
    }
  }

  /** Does a step. After an error the step is repeated after a pause. Returns undefined if the job is done. Never throws. */
  async take(job: J, { processor, failures, deaths, save, confirm }: Step<J>): Promise<Next | undefined> {
    const { now, reports } = this.#context;
    let latest = job;
    const saving = (saved: J) => {
      latest = saved;
      return save(this.seal(saved));
    };
    try {
      const isRepeated = failures + deaths > 0;
      const step = await processor(job, { save: saving, confirm, deaths, isRepeated });
      if (step.done) return undefined;
      const pauseMs = Math.max(0, step.at - now());
      const { longestPauseMs = pauseMs } = JOB_KINDS[this.#kind];
      // A time beyond the longest pause shows that the clock jumped, so the job is due now.
      return { sealed: this.seal(step.job), failures: 0, pauseMs: pauseMs > longestPauseMs ? 0 : pauseMs };
    } catch (error) {
      reports.queueError(error, job.id);
      return { sealed: this.seal(latest), failures: failures + 1, pauseMs: backOff(failures + 1) };
    }
  }
}
