import type { Job, JobFormat } from './queue.ts';

/**
 * The version of a stored lookup. Raise it when the shape of a job changes, and say in `UPGRADES` how the version
 * before becomes this one: an open lookup is never dropped for its version. A replica that knows only lower versions
 * leaves the job to one that knows this one.
 */
export const JOB_VERSION = 2;

/** A lookup that a newer release stored: it is left for a replica of that release. */
class NewerJob extends Error {
  constructor(version: unknown) {
    super(`a lookup has the state version ${String(version)}, newer than ${JOB_VERSION}`);
  }
}

type Stored = Readonly<Record<string, unknown>>;

/** The change from each version to the next. */
const UPGRADES: Readonly<Record<number, (job: Stored) => Stored>> = {
  // Version 0.1 named this field `place`.
  1: ({ place, ...job }) => ({ ...job, destination: place }),
};

/** Reads a job that this or any earlier version stored. Throws `NewerJob`. */
export function jobFrom(version: number, stored: unknown): Job {
  let job = stored as Stored;
  for (let at = version; at !== JOB_VERSION; at += 1) {
    const upgrade = UPGRADES[at];
    if (upgrade === undefined) throw new NewerJob(version);
    job = upgrade(job);
  }
  return job as unknown as Job;
}

/** How lookups are stored. Version 0.1 did not bind a sealed job to its name. */
export const LOOKUP_FORMAT: JobFormat<Job> = {
  name: 'lookups',
  version: JOB_VERSION,
  unboundVersion: 1,
  read: jobFrom,
};
