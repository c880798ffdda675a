import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { createClient } from '@keyv/redis';
import { createNodeRedisClient, DelayedError, type Job, Queue, Worker } from 'bullmq';

/** What version 0.1 wrote of a lookup, as far as it matters here. */
type EarlierJob = { readonly state: number; readonly sealed: string; readonly failures: number };

const NAME = 'lookups';
const PREFIX = 'snapshot-bot';
const EARLIER_STATE = 1;
/** How soon version 0.1 tried a lookup of another version again. */
const LEFT_FOR_MS = 200;

/** Seals as version 0.1 did: a JWE with `dir` and `A256GCM`. */
export function sealAsEarlier(text: string, key: Uint8Array): string {
  const kid = createHash('sha256').update('snapshot-bot key name').update(key).digest('hex').slice(0, 8);
  const header = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid })).toString('base64url');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return [header, '', iv, ciphertext, cipher.getAuthTag()]
    .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
    .join('.');
}

type EarlierReplica = {
  /** How many steps it has taken, and how many lookups it has left to others. */
  readonly steps: { taken: number; left: number };
  /** Writes a lookup down as 0.1 accepted it. */
  accept(job: { readonly id: string; readonly [field: string]: unknown }): Promise<void>;
  close(): Promise<void>;
};

/**
 * Emulates a replica of version 0.1 by what it wrote and read: it accepts lookups, takes steps of lookups of its own
 * version ("not ready yet, later again"), and leaves those of every other version alone.
 */
export async function startEarlierReplica(
  url: string,
  key: Uint8Array,
  intervalMs: number,
): Promise<EarlierReplica> {
  const steps = { taken: 0, left: 0 };
  const client = createClient({ url });
  await client.connect();
  const connection = createNodeRedisClient(client);
  const queue = new Queue<EarlierJob>(NAME, { connection, prefix: PREFIX });
  const later = async (job: Job<EarlierJob>, ms: number, token?: string): Promise<never> => {
    await job.moveToDelayed(Date.now() + ms, token);
    throw new DelayedError();
  };
  const step = (job: Job<EarlierJob>, token?: string) => {
    const isOwn = job.data.state === EARLIER_STATE;
    steps[isOwn ? 'taken' : 'left'] += 1;
    return later(job, isOwn ? intervalMs : LEFT_FOR_MS, token);
  };
  const worker = new Worker<EarlierJob>(NAME, step, { connection, prefix: PREFIX });
  await worker.waitUntilReady();
  return {
    steps,
    accept: async (job) => {
      const data = { state: EARLIER_STATE, sealed: sealAsEarlier(JSON.stringify(job), key), failures: 0 };
      await queue.add(NAME, data, { jobId: job.id, removeOnComplete: true, removeOnFail: true });
    },
    close: async () => {
      await worker.close(true);
      await queue.close();
      client.destroy();
    },
  };
}
