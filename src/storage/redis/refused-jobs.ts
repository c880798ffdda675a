import { firstLease } from './bull-connection.ts';
import type { BullQueue } from './bull-queue.ts';

/**
 * A replica that does not hear in time that a job is stored refuses it: the person is told so, and it must not run. Another
 * replica may have taken it meanwhile, or may find it stored when the same delivery comes there: then it is kept.
 */
const REFUSE = `
  local relied = redis.call('HMGET', KEYS[1], 'ats', 'claimed')
  if relied[1] or relied[2] then return end
  redis.call('DEL', KEYS[1], KEYS[2])
  redis.call('ZREM', KEYS[3], ARGV[1])
  redis.call('ZREM', KEYS[4], ARGV[1])
  if redis.call('GET', KEYS[5]) == ARGV[1] then redis.call('DEL', KEYS[5]) end`;
/** A job that is not there has ended, as long as its delivery names it. */
const CLAIM = `
  if redis.call('EXISTS', KEYS[1]) == 0 then return redis.call('GET', KEYS[2]) == ARGV[1] end
  redis.call('HSET', KEYS[1], 'claimed', '1')
  return true`;

/** A stored job, and the name of its delivery, '' for none. */
type Stored = { readonly jobId: string; readonly name: string };

/**
 * Deletes a job with the name of its delivery, unless a replica has taken it or a delivery relies on it. `open` is the key
 * of the set of all open jobs of its kind.
 */
export async function refuse(
  { client, queue }: Pick<BullQueue, 'client' | 'queue'>,
  { jobId, name, open }: Stored & { readonly open: string },
): Promise<void> {
  const keys = [queue.toKey(jobId), firstLease(jobId), queue.toKey('delayed'), open];
  await client.eval(REFUSE, 5, ...keys, queue.toKey(`de:${name}`), jobId);
}

/** Relies on the job that a delivery has led to, which may be over. False if it was refused. */
export async function claim(
  { client, queue }: Pick<BullQueue, 'client' | 'queue'>,
  { jobId, name }: Stored,
): Promise<boolean> {
  const keys = [queue.toKey(jobId), queue.toKey(`de:${name}`)];
  return (await client.eval(CLAIM, keys.length, ...keys, jobId)) === 1;
}
