import { type AnyJob, backOff, JOB_KINDS, type JobKind, type Processor } from '../../lookups/queue.ts';
import type { Sealer } from './sealing.ts';
import type { StorageReports } from './storage.ts';

/** How soon a job that can't be read is tried again: by a replica of its release, or with its key. Milliseconds. */
export const UNREADABLE_MS = 5_000;

export type JobsContext = {
  readonly sealer: Sealer;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly reports: Pick<StorageReports, 'queueError' | 'unreadable'>;
};

/** What is stored of a job that goes on: how often its step has failed in a row, and in how many milliseconds it is due. */
type Next = { readonly sealed: string; readonly failures: number; readonly pauseMs: number };
type Step<J extends AnyJob> = {
  readonly processor: Processor<J>;
  readonly failures: number;
  readonly deaths: number;
  readonly save: (sealed: string) => Promise<void>;
  readonly confirm: () => Promise<void>;
};

/** The jobs of one kind: sealed with their version, because they hold response URLs. */
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

  /** Throws `SealBroken` when no present key opens the job, and an error for a job of another version. */
  open(id: string, sealed: string): J {
    const known = JOB_KINDS[this.#kind].version;
    const { version, job } = JSON.parse(this.#context.sealer.open(sealed, `${this.#kind}\0${id}`));
    if (version !== known) throw new Error(`a job has the state version ${version}, here ${known}`);
    return job;
  }

  /** `open`, but a job that can't be read is reported and gives undefined. */
  read(id: string, sealed: string): J | undefined {
    try {
      return this.open(id, sealed);
    } catch (error) {
      this.#context.reports.unreadable({ lookup: id }, error);
      return undefined;
    }
  }

  /** Takes a step; a failed one is to be repeated after a pause. Gives undefined when the job is done. Never throws. */
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
      // Due later than any pause is long: the clock stepped since, so the job is due now.
      return { sealed: this.seal(step.job), failures: 0, pauseMs: pauseMs > longestPauseMs ? 0 : pauseMs };
    } catch (error) {
      reports.queueError(error, job.id);
      return { sealed: this.seal(latest), failures: failures + 1, pauseMs: backOff(failures + 1) };
    }
  }
}
