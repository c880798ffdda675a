import { setTimeout as delay } from 'node:timers/promises';
import { webApi } from '@slack/bolt';
import PQueue from 'p-queue';

/** A final message matters to somebody who waits; a progress edit is worth nothing once it is late. */
export type Urgency = 'final' | 'progress';

/** Progress was left out, because Slack is slowing the bot down and final messages go first. */
export class Congested extends Error {
  constructor() {
    super('Slack asks to slow down: progress is not shown now');
  }
}

/** Calls of one lane at the same time. */
const CONCURRENCY = 4;
const PRIORITY: Record<Urgency, number> = { final: 1, progress: 0 };

/**
 * Calls to Slack in lanes, one for each of its rate limits (https://docs.slack.dev/apis/web-api/rate-limits). A 429
 * stops its lane for as long as Slack says; final messages wait and go first, progress is dropped.
 */
export class Outbox {
  readonly #lanes = new Map<string, PQueue>();

  /** Makes a call in its turn. Throws `Congested` for progress that would have to wait, and what the call throws. */
  async send<T>(lane: string, urgency: Urgency, call: () => Promise<T>): Promise<T> {
    const queue = this.#laneFor(lane);
    for (;;) {
      if (urgency === 'progress' && (queue.isPaused || queue.size > 0)) throw new Congested();
      try {
        return await queue.add(call, { priority: PRIORITY[urgency] });
      } catch (error) {
        if (!(error instanceof webApi.WebAPIRateLimitedError)) throw error;
        pause(queue, error.retryAfter * 1_000);
      } finally {
        this.#forget(lane, queue);
      }
    }
  }

  #laneFor(lane: string): PQueue {
    const known = this.#lanes.get(lane);
    if (known !== undefined) return known;
    const queue = new PQueue({ concurrency: CONCURRENCY });
    this.#lanes.set(lane, queue);
    return queue;
  }

  /** The lanes of channels that are quiet again would pile up. */
  #forget(lane: string, queue: PQueue): void {
    if (!queue.isPaused && queue.size === 0 && queue.pending === 0) this.#lanes.delete(lane);
  }
}

function pause(queue: PQueue, ms: number): void {
  if (queue.isPaused) return;
  queue.pause();
  delay(ms, undefined, { ref: false }).then(() => queue.start());
}
