import type { AnyJob, JobFormat } from '../../lookups/queue.ts';
import type { Sealer } from '../sealing/sealer.ts';

/**
 * Seals and opens the jobs of one kind, with their version: they hold response URLs. `open` throws `SealBroken` when no
 * present key opens a job, or when it was stored under another name, and what `read` throws when a newer release wrote
 * it.
 */
export function jobSeal<J extends AnyJob>({ kind, version, read }: JobFormat<J>, sealer: Sealer) {
  const storedNameOf = (id: string) => `${kind}\0${id}`;
  return {
    seal: (job: J): string => sealer.seal(JSON.stringify({ version, job }), storedNameOf(job.id)),
    open: (id: string, sealed: string): J => {
      const stored = JSON.parse(sealer.open(sealed, storedNameOf(id)));
      return read(stored.version, stored.job);
    },
  };
}
export type JobSeal<J extends AnyJob> = ReturnType<typeof jobSeal<J>>;
