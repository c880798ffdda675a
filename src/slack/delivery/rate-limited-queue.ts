import { AsyncResource } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { webApi } from '@slack/bolt';
import PQueue from 'p-queue';

/** A final message matters to somebody who waits; a progress edit is worth nothing once it is late. */
export type Urgency = 'final' | 'progress';

/** Progress was left out, because Slack is slowing the bot down and final messages go first. */
class Congested extends Error {
  constructor() {
    super('Slack asks to slow down: progress is not shown now');
  }
}

/** Calls of one lane at the same time. */
const CONCURRENCY = 4;
/** More than this before it, and progress would come too late: its lookup has the next step to take. */
const MOST_BEFORE_PROGRESS = 20;
const PRIORITY: Record<Urgency, number> = { final: 1, progress: 0 };

/**
 * Calls to Slack in lanes, one for each of its rate limits (https://docs.slack.dev/apis/web-api/rate-limits). A 429
 * stops its lane for as long as Slack says; final messages wait and go first, progress is dropped.
 */
export class RateLimitedQueue {
  readonly #lanes = new Map<string, Lane>();

  /** Makes a call in its turn. Throws `Congested` for progress that would come late, and what the call throws. */
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
          // In the context of whoever asked, not of the call before it: a trace says whose call it was.
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

  /** The lanes of channels that are quiet again would pile up. */
  #forget(name: string, queue: PQueue): void {
    if (!queue.isPaused && queue.size === 0 && queue.pending === 0) this.#lanes.delete(name);
  }
}

/** The calls that share a rate limit, and how often Slack has stopped them. */
type Lane = { readonly queue: PQueue; pauses: number };

function pause(lane: Lane, ms: number): void {
  if (lane.queue.isPaused) return;
  lane.pauses += 1;
  lane.queue.pause();
  delay(ms, undefined, { ref: false }).then(() => lane.queue.start());
}
