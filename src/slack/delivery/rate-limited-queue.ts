import { webApi } from '@slack/bolt';
import PQueue from 'p-queue';

/** Final messages are sent first, because a person waits for them; late progress is useless. */
export type Urgency = 'final' | 'progress';

/** Progress was dropped before it was sent, because Slack limits the bot and final messages come first. */
export class Congested extends Error {
  constructor() {
    super('Slack asks to slow down: progress is not shown now');
  }
}

/** Slack paused the lane while `confirm` ran. */
class Stopped extends Error {}

const PRIORITIES: Readonly<Record<Urgency, number>> = { final: 1, progress: 0 };
/** How many calls of one lane run at once. */
const CONCURRENCY = 4;
/** Progress is dropped if the queue is longer than this, because it would come too late. */
const MOST_BEFORE_PROGRESS = 20;

/** Calls that share a rate limit. `stoppedUntil`: when Slack's pause ends, in monotonic milliseconds; 0 without a pause. */
class Lane {
  readonly queue = new PQueue({ concurrency: CONCURRENCY });
  stoppedUntil = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Pauses the lane. If Slack refused several calls at once, the longest pause counts. */
  stop(ms: number): void {
    const now = performance.now();
    this.stoppedUntil = Math.max(this.stoppedUntil, now + ms);
    this.queue.pause();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.queue.start(), this.stoppedUntil - now).unref();
  }

  get isIdle(): boolean {
    return !this.queue.isPaused && this.queue.pending === 0 && this.queue.size === 0;
  }
}

/**
 * Queues calls to Slack, with one lane for each rate limit (https://docs.slack.dev/apis/web-api/rate-limits). A 429
 * pauses the lane for the time that Slack names: final messages wait and are sent first, progress is dropped.
 */
export class RateLimitedQueue {
  readonly #lanes = new Map<string, Lane>();

  /**
   * Sends a call when its turn comes, right after `confirm`. Throws `Congested` for progress that would come too late,
   * and the errors of `call` and `confirm`.
   */
  async send<T>(
    name: string,
    urgency: Urgency,
    call: () => Promise<T>,
    confirm = async () => {},
  ): Promise<T> {
    const lane = this.#lanes.get(name) ?? new Lane();
    this.#lanes.set(name, lane);
    const { queue, stoppedUntil } = lane;
    const isProgress = urgency === 'progress';
    if (isProgress && (queue.isPaused || queue.size >= MOST_BEFORE_PROGRESS)) throw new Congested();
    const inTurn = async () => {
      if (isProgress && lane.stoppedUntil > stoppedUntil) throw new Congested();
      try {
        await confirm();
        if (queue.isPaused) throw new Stopped();
        return await call();
      } catch (error) {
        // Must happen here, before the lane starts the next call.
        if (error instanceof webApi.WebAPIRateLimitedError) lane.stop(error.retryAfter * 1_000);
        throw error;
      }
    };
    try {
      return await queue.add(inTurn, { priority: PRIORITIES[urgency] });
    } catch (error) {
      if (!(error instanceof webApi.WebAPIRateLimitedError || error instanceof Stopped)) throw error;
    } finally {
      // Lanes without calls would otherwise accumulate in memory.
      if (lane.isIdle) this.#lanes.delete(name);
    }
    return this.send(name, urgency, call, confirm);
  }
}
