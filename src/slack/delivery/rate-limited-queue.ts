import { webApi } from '@slack/bolt';
import PQueue from 'p-queue';

/** Final messages go first: somebody waits for them, and a late progress edit is useless. */
export type Urgency = 'final' | 'progress';

/** Progress was dropped before it was sent, because Slack limits the bot and final messages go first. */
export class Congested extends Error {
  constructor() {
    super('Slack asks to slow down: progress is not shown now');
  }
}

const PRIORITIES: Readonly<Record<Urgency, number>> = { final: 1, progress: 0 };
/** The most simultaneous calls of one lane. */
const CONCURRENCY = 4;
/** The longest pause: Slack counts calls by the minute. Milliseconds. */
const LONGEST_PAUSE_MS = 3_600_000;
/** The longest queue of a lane in which progress still waits; in a longer one it would come too late. */
const MOST_BEFORE_PROGRESS = 20;

/** The calls that share a rate limit, how often Slack has stopped them, and until when. `freeAt`: monotonic milliseconds. */
type Lane = { readonly queue: PQueue; pauses: number; freeAt: number; timer?: NodeJS.Timeout };

/**
 * Queues calls to Slack, one lane for each of its rate limits (https://docs.slack.dev/apis/web-api/rate-limits). A 429
 * stops the lane for as long as Slack says; final messages wait and go first, progress is dropped.
 */
export class RateLimitedQueue {
  readonly #lanes = new Map<string, Lane>();

  /** Makes a call in its turn. Throws `Congested` for progress that would come too late, and what the call throws. */
  async send<T>(name: string, urgency: Urgency, call: () => Promise<T>): Promise<T> {
    const lane: Lane = this.#lanes.get(name) ?? {
      queue: new PQueue({ concurrency: CONCURRENCY }),
      pauses: 0,
      freeAt: 0,
    };
    this.#lanes.set(name, lane);
    const { queue } = lane;
    for (;;) {
      const isProgress = urgency === 'progress';
      if (isProgress && (queue.isPaused || queue.size >= MOST_BEFORE_PROGRESS)) throw new Congested();
      const pausesBefore = lane.pauses;
      const inTurn = () => {
        if (isProgress && lane.pauses > pausesBefore) throw new Congested();
        return call().catch((error: unknown) => {
          // Before the next call can begin.
          if (error instanceof webApi.WebAPIRateLimitedError) pause(lane, error.retryAfter * 1_000);
          throw error;
        });
      };
      try {
        return await queue.add(inTurn, { priority: PRIORITIES[urgency] });
      } catch (error) {
        if (!(error instanceof webApi.WebAPIRateLimitedError)) throw error;
      } finally {
        // Idle lanes would pile up.
        if (!queue.isPaused && queue.pending === 0 && queue.size === 0) this.#lanes.delete(name);
      }
    }
  }
}

/** Of calls that run at once several can be refused: the longest pause counts. */
function pause(lane: Lane, ms: number): void {
  const { queue } = lane;
  if (!queue.isPaused) lane.pauses += 1;
  queue.pause();
  lane.freeAt = Math.max(lane.freeAt, performance.now() + Math.min(ms, LONGEST_PAUSE_MS));
  clearTimeout(lane.timer);
  lane.timer = setTimeout(() => queue.start(), lane.freeAt - performance.now()).unref();
}
