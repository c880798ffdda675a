import type { Job } from '../../lookups/queue.ts';
import { JOB_VERSION, jobFrom } from '../../lookups/stored-job.ts';
import type { Sealer } from '../sealing/sealer.ts';

/** The last version whose jobs are sealed as version 0.1 of the bot did it: to no place. */
const EARLIER_VERSION = 1;

/**
 * A job as Redis has it. It is sealed, because it holds the response URL. `state` is the version of the job, by which a
 * replica tells that it belongs to a newer one; `failures` is how often its step has failed in a row.
 */
export type SealedJob = { readonly state: number; readonly sealed: string; readonly failures: number };

export function sealJob(sealer: Sealer, job: Job, failures: number): SealedJob {
  return { state: JOB_VERSION, sealed: sealer.seal(JSON.stringify(job), placeOf(job.id)), failures };
}

/** Throws `SealBroken` when no present key opens it, and `NewerJob`. */
export function openJob(sealer: Sealer, id: string, { state, sealed }: SealedJob): Job {
  // What a newer release wrote may be sealed otherwise.
  if (state > JOB_VERSION) return jobFrom(state, undefined);
  const text = state === EARLIER_VERSION ? sealer.openEarlier(sealed) : sealer.open(sealed, placeOf(id));
  return jobFrom(state, JSON.parse(text));
}

function placeOf(id: string): string {
  return `lookups\0${id}`;
}
