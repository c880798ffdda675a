import type { AnyJob, JobFormat } from '../../lookups/queue.ts';
import type { Sealer } from '../sealing/sealer.ts';

/**
 * A job as it is stored in Redis: encrypted, because it holds the response URL. `state` is the job's version, by which
 * a replica recognizes a newer one; `failures` counts how often its step has failed in a row.
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
    // A newer release may encrypt its jobs in another way.
    if (state > version) return read(state, undefined);
    const isUnbound = state === unboundVersion;
    const text = isUnbound ? this.#sealer.openEarlier(sealed) : this.#sealer.open(sealed, this.#placeOf(id));
    return read(state, JSON.parse(text));
  }

  #placeOf(id: string): string {
    return `${this.#format.name}\0${id}`;
  }
}
