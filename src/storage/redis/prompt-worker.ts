import { type Processor, Worker } from 'bullmq';
import { ReplyError } from 'ioredis';
import { PREFIX, type SharedRedis } from './shared-redis.ts';

/**
 * The lock of a dead replica expires after this, and another replica takes over its jobs. It is longer than the longest
 * post, which can't be found before it has ended.
 */
export const LOCK_MS = 12_000;
/** The longest that a worker waits for Redis: an answer that is lost with its connection costs that much. */
const LONGEST_BLOCK_S = 2;
const RETRY_MS = 1_000;
/** How soon a worker without room for another step looks again. Milliseconds. */
const ROOM_LOOKED_FOR_MS = 50;

type Options = {
  readonly redis: SharedRedis;
  readonly onError: (error: unknown) => void;
  readonly hasRoom: () => boolean;
};

/** A worker of BullMQ's that takes over in seconds, and that neither a lost answer nor a refusing Redis stops. */
export class PromptWorker<Data> extends Worker<Data> {
  readonly #hasRoom: () => boolean;
  /** What Redis refused since jobs were last taken, because it is full or the user lacks a permission. */
  #refusal: string | undefined;

  constructor(name: string, processor: Processor<Data, void>, { redis, onError, hasRoom }: Options) {
    super(name, processor, {
      connection: redis.forWorkers(),
      skipVersionCheck: true,
      prefix: PREFIX,
      // Also steps that wait for Slack hold their place, and renew their lock.
      concurrency: 1_000,
      runRetryDelay: RETRY_MS,
      drainDelay: LONGEST_BLOCK_S,
      lockDuration: LOCK_MS,
      lockRenewTime: 4_000,
      stalledInterval: 3_000,
      // An accepted lookup is answered, however often the replicas that work on it die.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    this.#hasRoom = hasRoom;
    this.on('error', (error) => {
      if (error instanceof ReplyError) {
        // Once, and without the command, which holds a whole script.
        if (this.#refusal !== error.message) onError(new Error(error.message));
        this.#refusal = error.message;
        // While Redis is away, each connection repeats what was logged already.
      } else if (redis.client.status === 'ready') onError(error);
    });
  }

  /** Throws while Redis refuses what a replica needs to take jobs. */
  check(): void {
    if (this.#refusal !== undefined) throw new Error(this.#refusal);
  }

  /** BullMQ has no option for this bound, which is ten seconds. */
  override get maximumBlockTimeout(): number {
    return LONGEST_BLOCK_S;
  }

  /** BullMQ pauses where the connection is lost, but would ask again at once where Redis refuses. */
  protected override async moveToActive(token: string, name?: string): ReturnType<Worker['moveToActive']> {
    // Jobs that other replicas can take stay in the queue.
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
