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

/** The most simultaneous calls of one lane. */
const CONCURRENCY = 4;
/** The longest pause: Slack counts calls by the minute, and Node calls a timer of more than 24 days at once. */
const LONGEST_PAUSE_MS = 3_600_000;
/** The longest queue of a lane in which progress still waits; in a longer one it would come too late. */
const MOST_BEFORE_PROGRESS = 20;

/** Behind every final message. */
const PROGRESS = Number.MIN_SAFE_INTEGER;

/** The calls that share a rate limit, how often Slack has stopped them, and in which order final messages came. */
type Lane = {
  readonly queue: PQueue;
  pauses: number;
  came: number;
  /** The places of those that did not succeed yet: whoever tries again does not wait behind all that came later. */
  readonly places: Map<string, number>;
};

/**
 * Queues calls to Slack, one lane for each of its rate limits (https://docs.slack.dev/apis/web-api/rate-limits). A 429
 * stops the lane for as long as Slack says; final messages wait and go first, progress is dropped.
 */
export class RateLimitedQueue {
  readonly #lanes = new Map<string, Lane>();

  /**
   * Makes a call in its turn, which a final message named `what` keeps when it is tried again. Throws `Congested` for
   * progress that would come too late, and what the call throws.
   */
  async send<T>(name: string, urgency: Urgency, call: () => Promise<T>, what = ''): Promise<T> {
    const lane = this.#laneFor(name);
    const { queue } = lane;
    const priority = urgency === 'progress' ? PROGRESS : placeIn(lane, what);
    const confirmed = async () => {
      const answer = await call();
      lane.places.delete(what);
      return answer;
    };
    for (;;) {
      if (urgency === 'progress' && (queue.isPaused || queue.size >= MOST_BEFORE_PROGRESS)) {
        throw new Congested();
      }
      try {
        return await queue.add(inTurn(lane, urgency, confirmed), { priority });
      } catch (error) {
        if (!(error instanceof webApi.WebAPIRateLimitedError)) throw error;
      } finally {
        // Idle lanes would pile up.
        if (!queue.isPaused && queue.pending === 0 && queue.size === 0) this.#lanes.delete(name);
      }
    }
  }

  #laneFor(name: string): Lane {
    const lane = this.#lanes.get(name) ?? {
      queue: new PQueue({ concurrency: CONCURRENCY }),
      ...{ pauses: 0, came: 0, places: new Map() },
    };
    this.#lanes.set(name, lane);
    return lane;
  }
}

/** The first that came goes first. */
function placeIn(lane: Lane, what: string): number {
  const kept = lane.places.get(what);
  if (kept !== undefined) return kept;
  lane.came += 1;
  if (what !== '') lane.places.set(what, -lane.came);
  return -lane.came;
}

function inTurn<T>(lane: Lane, urgency: Urgency, call: () => Promise<T>): () => Promise<T> {
  const pausesBefore = lane.pauses;
  return async () => {
    if (urgency === 'progress' && lane.pauses > pausesBefore) throw new Congested();
    return call().catch((error: unknown) => {
      // Before the next call can begin.
      if (error instanceof webApi.WebAPIRateLimitedError) pause(lane, error.retryAfter * 1_000);
      throw error;
    });
  };
}

function pause(lane: Lane, ms: number): void {
  const { queue } = lane;
  if (queue.isPaused) return;
  queue.pause();
  lane.pauses += 1;
  setTimeout(() => queue.start(), Math.min(ms, LONGEST_PAUSE_MS)).unref();
}
