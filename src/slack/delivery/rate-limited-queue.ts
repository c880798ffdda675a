import { webApi } from '@slack/bolt';
import PQueue from 'p-queue';

/** Final messages go first: a person waits for them, and late progress is useless. */
export type Urgency = 'final' | 'progress';

/** Progress was dropped before it was sent, because Slack limits the bot and final messages go first. */
export class Congested extends Error {
  constructor() {
    super('Slack asks to slow down: progress is not shown now');
  }
}

/** Slack stopped the lane while a call was confirmed. */
class Stopped extends Error {}

const PRIORITIES: Readonly<Record<Urgency, number>> = { final: 1, progress: 0 };
/** The most simultaneous calls of one lane. */
const CONCURRENCY = 4;
/** The longest queue of a lane in which progress still waits; in a longer one it would come too late. */
const MOST_BEFORE_PROGRESS = 20;

/** The calls that share a rate limit, and until when Slack has stopped them: monotonic milliseconds, 0 before the first stop. */
class Lane {
  readonly queue = new PQueue({ concurrency: CONCURRENCY });
  stoppedUntil = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Several simultaneous calls can be refused: the longest pause counts. */
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
 * Queues calls to Slack, one lane for each of its rate limits (https://docs.slack.dev/apis/web-api/rate-limits). A 429
 * stops the lane for as long as Slack says; final messages wait and go first, progress is dropped.
 */
export class RateLimitedQueue {
  readonly #lanes = new Map<string, Lane>();

  /**
   * Makes a call in its turn, right after `confirm`. Throws `Congested` for progress that would come too late, and what
   * `call` and `confirm` throw.
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
        // Here, before the next call can begin.
        if (error instanceof webApi.WebAPIRateLimitedError) lane.stop(error.retryAfter * 1_000);
        throw error;
      }
    };
    try {
      return await queue.add(inTurn, { priority: PRIORITIES[urgency] });
    } catch (error) {
      if (!(error instanceof webApi.WebAPIRateLimitedError || error instanceof Stopped)) throw error;
    } finally {
      // Idle lanes would pile up.
      if (lane.isIdle) this.#lanes.delete(name);
    }
    return this.send(name, urgency, call, confirm);
  }
}
