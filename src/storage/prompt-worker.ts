import { type Processor, Worker } from 'bullmq';
import { ReplyError } from 'ioredis';
import { PREFIX, type SharedRedis } from './redis-store.ts';

/**
 * How long a lock lasts after the death of its replica; then another replica takes over the job. Longer than the
 * longest post to Slack, because a retry can't find a post that has not ended. Milliseconds.
 */
export const LOCK_MS = 12_000;
/** How long a worker waits for a new job, in seconds. Short, because it misses a job if an answer of Redis is lost. */
const LONGEST_BLOCK_S = 2;
const RETRY_MS = 1_000;
/** How soon a worker without room for another step checks again. Milliseconds. */
const ROOM_LOOKED_FOR_MS = 50;

type Options = {
  readonly redis: SharedRedis;
  readonly onError: (error: unknown) => void;
  readonly hasRoom: () => boolean;
};

/** A BullMQ worker that takes over jobs within seconds, and continues after a lost answer or an error of Redis. */
export class PromptWorker<Data> extends Worker<Data> {
  readonly #hasRoom: () => boolean;
  /** The error with which Redis refused the last request for jobs, because it is full or the user lacks a permission. */
  #refusal: string | undefined;

  constructor(name: string, processor: Processor<Data, void>, { redis, onError, hasRoom }: Options) {
    super(name, processor, {
      connection: redis.forWorkers(),
      skipVersionCheck: true,
      prefix: PREFIX,
      // High, because a step that only waits for Slack counts, too.
      concurrency: 1_000,
      runRetryDelay: RETRY_MS,
      drainDelay: LONGEST_BLOCK_S,
      lockDuration: LOCK_MS,
      lockRenewTime: 4_000,
      stalledInterval: 3_000,
      // Without a limit: an accepted lookup is answered even if many replicas die while working on it.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    this.#hasRoom = hasRoom;
    this.on('error', (error) => {
      if (error instanceof ReplyError) {
        // Logged once, and without the command, which contains a whole script.
        if (this.#refusal !== error.message) onError(new Error(error.message));
        this.#refusal = error.message;
        // While Redis is unavailable, all connections report the same error, which was already logged.
      } else if (redis.client.status === 'ready') onError(error);
    });
  }

  /** Throws while Redis refuses commands that this replica needs for its jobs. */
  check(): void {
    if (this.#refusal !== undefined) throw new Error(this.#refusal);
  }

  /** BullMQ fixes this limit at ten seconds, and has no option for it. */
  override get maximumBlockTimeout(): number {
    return LONGEST_BLOCK_S;
  }

  /** Pauses after each error: BullMQ retries at once if Redis refuses the command. */
  protected override async moveToActive(token: string, name?: string): ReturnType<Worker['moveToActive']> {
    // While this replica can start no more steps, it leaves the jobs to other replicas.
    while (!this.#hasRoom() && this.closing === undefined) await this.delay(ROOM_LOOKED_FOR_MS);
    try {
      const job = await super.moveToActive(token, name);
      this.#refusal = undefined;
      return job;
    } catch (error) {
      if (this.closing === undefined) await this.delay(RETRY_MS);
      throw error;
    }
  }
}
