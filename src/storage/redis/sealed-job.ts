import type { AnyJob, JobFormat } from '../../lookups/queue.ts';
import type { Sealer } from '../sealing/sealer.ts';

/**
 * A job as Redis has it. It is sealed, because it holds the response URL. `state` is the version of the job, by which a
 * replica tells that it belongs to a newer one; `failures` is how often its step has failed in a row.
 */
export type SealedJob = { readonly state: number; readonly sealed: string; readonly failures: number };

/** Seals and opens the jobs of one kind. */
export class JobSeal<J extends AnyJob> {
  readonly #format: JobFormat<J>;
  readonly #sealer: Sealer;

  constructor(format: JobFormat<J>, sealer: Sealer) {
    this.#format = format;
    this.#sealer = sealer;
  }

  seal(job: J, failures: number): SealedJob {
    const sealed = this.#sealer.seal(JSON.stringify(job), this.#placeOf(job.id));
    return { state: this.#format.version, sealed, failures };
  }

  /** Throws `SealBroken` when no present key opens it, and when a newer release wrote it. */
  open(id: string, { state, sealed }: SealedJob): J {
    const { version, unboundVersion, read } = this.#format;
    // What a newer release wrote may be sealed otherwise.
    if (state > version) return read(state, undefined);
    const isUnbound = state === unboundVersion;
    const text = isUnbound ? this.#sealer.openEarlier(sealed) : this.#sealer.open(sealed, this.#placeOf(id));
    return read(state, JSON.parse(text));
  }

  #placeOf(id: string): string {
    return `${this.#format.name}\0${id}`;
  }
}
