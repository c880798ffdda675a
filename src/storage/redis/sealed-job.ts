import type { AnyJob, JobFormat } from '../../lookups/queue.ts';
import type { Sealer } from '../sealing/sealer.ts';

/**
 * A job as it is stored in Redis: encrypted, because it holds the response URL. `state` is the job's version, by which
 * a replica recognizes a newer one.
 */
export type SealedJob = { readonly state: number; readonly sealed: string } & Partial<StepCounts>;

/** What is known of the step that a job takes next. */
type StepCounts = {
  /** How often it has failed in a row. */
  readonly failures: number;
  /** How often BullMQ had found the job without a living replica when the step before ended. */
  readonly stalls: number;
  /** How often the step was begun since a replica died in it for the first time. */
  readonly begun: number;
};

/** Seals and opens the jobs of one kind. */
export class JobSeal<J extends AnyJob> {
  readonly #format: JobFormat<J>;
  readonly #sealer: Sealer;

  constructor(format: JobFormat<J>, sealer: Sealer) {
    this.#format = format;
    this.#sealer = sealer;
  }

  seal(job: J, counts: StepCounts): SealedJob {
    const sealed = this.#sealer.seal(JSON.stringify(job), this.#storedNameOf(job.id));
    return { state: this.#format.version, sealed, ...counts };
  }

  /** Throws `SealBroken` when no present key opens it, and when a newer release wrote it. */
  open(id: string, { state, sealed }: SealedJob): J {
    const { version, read } = this.#format;
    // A newer release may encrypt its jobs in another way.
    if (state > version) return read(state, undefined);
    return read(state, JSON.parse(this.#sealer.open(sealed, this.#storedNameOf(id))));
  }

  #storedNameOf(id: string): string {
    return `${this.#format.name}\0${id}`;
  }
}
