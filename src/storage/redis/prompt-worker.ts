import { type Processor, Worker } from 'bullmq';
import { type Redis, ReplyError } from 'ioredis';
import { PREFIX } from './shared-redis.ts';

/**
 * The lock of a dead replica expires after this, and another replica takes over its jobs: later than the longest post, which
 * nobody can look for, has ended.
 */
export const LOCK_MS = 12_000;
const RENEWED_EVERY_MS = 4_000;
const STALLED_CHECK_MS = 3_000;
const RETRY_MS = 1_000;
/** How many steps this replica takes at once: also those that wait for Slack hold their place, and renew their lock. */
const CONCURRENCY = 1_000;
/** The longest that a worker waits for Redis: an answer that is lost with its connection costs that much. */
const LONGEST_BLOCK_S = 2;
/** How soon a worker without room for another step looks again. Milliseconds. */
const ROOM_LOOKED_FOR_MS = 50;

type Options = {
  readonly connection: Redis;
  readonly onError: (error: unknown) => void;
  readonly hasRoom: () => boolean;
};

/** A worker of BullMQ's that takes over in seconds, and that neither a lost answer nor a refusing Redis stops. */
export class PromptWorker<Data> extends Worker<Data> {
  /** The refusal of Redis since jobs were last taken: it is full, or this user may not. */
  refusal: string | undefined;
  readonly #hasRoom: () => boolean;

  constructor(name: string, processor: Processor<Data, void>, { connection, onError, hasRoom }: Options) {
    super(name, processor, {
      connection,
      skipVersionCheck: true,
      runRetryDelay: RETRY_MS,
      prefix: PREFIX,
      concurrency: CONCURRENCY,
      drainDelay: LONGEST_BLOCK_S,
      lockDuration: LOCK_MS,
      lockRenewTime: RENEWED_EVERY_MS,
      stalledInterval: STALLED_CHECK_MS,
      // An accepted lookup is answered, however often the replicas that work on it die.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    this.#hasRoom = hasRoom;
    this.on('error', (error) => {
      if (!(error instanceof ReplyError)) return onError(error);
      const { message } = error;
      // Once, and without the command: that holds a whole script.
      if (this.refusal !== message) onError(new Error(message));
      this.refusal = message;
    });
  }

  /** BullMQ's own bound, ten seconds, is no option of it. */
  override get maximumBlockTimeout(): number {
    return LONGEST_BLOCK_S;
  }

  /** BullMQ pauses where the connection is lost, but would ask again at once where Redis refuses. */
  protected override async moveToActive(token: string, name?: string): ReturnType<Worker['moveToActive']> {
    // Jobs that others could take stay where they are.
    while (!this.#hasRoom() && this.closing === undefined) await this.delay(ROOM_LOOKED_FOR_MS);
    try {
      const job = await super.moveToActive(token, name);
      this.refusal = undefined;
      return job;
    } catch (error) {
      if (this.closing === undefined) await this.delay(RETRY_MS);
      throw error;
    }
  }
}
