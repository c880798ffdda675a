import type { Job } from 'bullmq';
import type { RedisConnection } from './redis-client.ts';

/** The key that marks a job to be woken at the end of the step that it takes now. */
export function wakeMark(prefix: string, queue: string, id: string): string {
  return `${prefix}:woken:${queue}:${id}`;
}

/** Longer than a step takes. A job that ended with that step leaves its mark behind for as long. */
export const WAKE_MARK_LASTS = { expiration: { type: 'PX', value: 10 * 60_000 } } as const;

/**
 * Takes a job's next step now if somebody has woken it during the one that it took: it could not be promoted then,
 * because it was not delayed yet.
 */
export async function promoteIfWoken(job: Job, client: RedisConnection, mark: string): Promise<void> {
  if ((await client.del(mark)) > 0) await job.promote();
}
