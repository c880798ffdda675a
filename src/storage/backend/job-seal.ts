import { ALSO_READ, type AnyJob, JOB_VERSIONS, type JobKind } from '../../lookups/queue.ts';
import type { Sealer } from '../sealing/sealer.ts';

/**
 * Seals and opens the jobs of one kind, with their version: they hold response URLs. `open` throws `SealBroken` when no
 * present key opens a job, or when it was stored under another name, and an error for one of a version that this release
 * does not know: a replica that does takes it.
 */
export function jobSeal<J extends AnyJob>(kind: JobKind, sealer: Sealer) {
  const version = JOB_VERSIONS[kind];
  const storedNameOf = (id: string) => `${kind}\0${id}`;
  return {
    seal: (job: J): string => sealer.seal(JSON.stringify({ version, job }), storedNameOf(job.id)),
    open: (id: string, sealed: string): J => {
      const stored = JSON.parse(sealer.open(sealed, storedNameOf(id)));
      if (stored.version === version || ALSO_READ[kind]?.includes(stored.version)) return stored.job;
      throw new Error(`a job has the state version ${stored.version}, here ${version}`);
    },
  };
}
export type JobSeal<J extends AnyJob> = ReturnType<typeof jobSeal<J>>;
