import { AsyncResource } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { webApi } from '@slack/bolt';
import PQueue from 'p-queue';

/** Final messages go first: somebody waits for them, and a late progress edit is useless. */
export type Urgency = 'final' | 'progress';

/** Progress was dropped, because Slack limits the bot and final messages go first. */
class Congested extends Error {
  constructor() {
    super('Slack asks to slow down: progress is not shown now');
  }
}

/** The most simultaneous calls of one lane. */
const CONCURRENCY = 4;
/** The longest queue of a lane in which progress still waits; in a longer one it would come too late. */
const MOST_BEFORE_PROGRESS = 20;
const PRIORITY: Record<Urgency, number> = { final: 1, progress: 0 };

/**
 * Queues calls to Slack, one lane for each of its rate limits (https://docs.slack.dev/apis/web-api/rate-limits). A 429
 * stops the lane for as long as Slack says; final messages wait and go first, progress is dropped.
 */
export class RateLimitedQueue {
  readonly #lanes = new Map<string, Lane>();

  /** Makes a call in its turn. Throws `Congested` for progress that would come too late, and what the call throws. */
  async send<T>(name: string, urgency: Urgency, call: () => Promise<T>): Promise<T> {
    const lane = this.#laneFor(name);
    const { queue } = lane;
    for (;;) {
      if (urgency === 'progress' && (queue.isPaused || queue.size >= MOST_BEFORE_PROGRESS)) {
        throw new Congested();
      }
      const pausesBefore = lane.pauses;
      try {
        return await queue.add(
          // Keeps the async context of the caller, so that a trace shows the right lookup.
          AsyncResource.bind(() => {
            if (urgency === 'progress' && lane.pauses > pausesBefore) throw new Congested();
            return call();
          }),
          { priority: PRIORITY[urgency] },
        );
      } catch (error) {
        if (!(error instanceof webApi.WebAPIRateLimitedError)) throw error;
        pause(lane, error.retryAfter * 1_000);
      } finally {
        this.#forget(name, queue);
      }
    }
  }

  #laneFor(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    const lane = { queue: new PQueue({ concurrency: CONCURRENCY }), pauses: 0 };
    this.#lanes.set(name, lane);
    return lane;
  }

  /** Drops idle lanes, which would pile up. */
  #forget(name: string, queue: PQueue): void {
    if (!queue.isPaused && queue.size === 0 && queue.pending === 0) this.#lanes.delete(name);
  }
}

/** A lane: the calls that share a rate limit, and how often Slack has stopped them. */
type Lane = { readonly queue: PQueue; pauses: number };

function pause(lane: Lane, ms: number): void {
  if (lane.queue.isPaused) return;
  lane.pauses += 1;
  lane.queue.pause();
  delay(ms, undefined, { ref: false }).then(() => lane.queue.start());
}
