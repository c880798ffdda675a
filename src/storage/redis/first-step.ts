import type { Job as BullJob } from 'bullmq';
import type { Redis } from 'ioredis';
import type { BullQueue } from './bull-queue.ts';
import type { BullWorker } from './bull-worker.ts';
import { firstLease, type Held, type StoredJob, wakeMark } from './stored-job.ts';

/**
 * How long a job that was accepted waits for the replica that accepted it: longer than an answer of Redis is waited for,
 * and than it takes that replica to find Redis again. Milliseconds.
 */
export const SAFETY_NET_MS = 12_000;
const EXTENDED_EVERY_MS = 4_000;

/** Both run only under the lease, which lasts for its whole time again: without it another replica may have the job. */
const WRITE = `
  if redis.call('PEXPIRE', KEYS[2], ARGV[2]) == 0 then return 0 end
  redis.call('HSET', KEYS[1], 'data', ARGV[1])
  return 1`;
/** The last command takes away what a replica whose clock is ahead has just taken to look at. */
const END = `
  if redis.call('DEL', KEYS[2]) == 0 then return 0 end
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[4], ARGV[1])
  if redis.call('ZREM', KEYS[3], ARGV[1]) == 0 then redis.call('LREM', KEYS[5], 1, ARGV[1]) end
  return 1`;

/** Takes the lease for the first step, together with the job. */
export function leaseFirstStep(client: Redis, jobId: string): Promise<unknown> {
  return client.set(firstLease(jobId), '1', 'PX', SAFETY_NET_MS);
}

/**
 * The first step of a job by the replica that accepted it. What is stored is a safety net: a delayed job that workers
 * take once the lease has run out, because that replica died or stood still. `open` is the key of the set of all open jobs
 * of the kind.
 */
export async function takeFirstStep(
  { queue, insist }: Pick<BullQueue, 'queue' | 'insist'>,
  { client, durably }: BullWorker,
  bullJob: BullJob<StoredJob>,
  open: string,
  step: (held: Held) => Promise<'done' | 'later'>,
): Promise<void> {
  const id = bullJob.id ?? '';
  const [job, lease] = [queue.toKey(id), firstLease(id)];
  const write = async (stored: StoredJob) => {
    const written = await client.eval(WRITE, 2, job, lease, JSON.stringify(stored), SAFETY_NET_MS);
    if (written !== 1) throw new Error('another replica may have taken the job over');
  };
  const later = async (stored: StoredJob, pauseMs: number) => {
    await write(stored);
    await insist(() => bullJob.changeDelay(Math.max(0, pauseMs)));
    await client.del(lease);
    if ((await client.del(wakeMark(id))) > 0) await bullJob.promote();
  };
  const extend = async () => {
    if ((await client.pexpire(lease, SAFETY_NET_MS)) === 1) await bullJob.changeDelay(SAFETY_NET_MS);
  };
  // An extension that fails is made up for by the next.
  const timer = setInterval(() => void extend().catch(() => {}), EXTENDED_EVERY_MS);
  try {
    const outcome = await step({ stalls: 0, later, write: (stored) => durably(() => write(stored)) });
    if (outcome === 'done')
      await client.eval(END, 5, job, lease, queue.toKey('delayed'), open, queue.toKey('active'), id);
  } finally {
    clearInterval(timer);
  }
}
