import { webApi } from '@slack/bolt';

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

/**
 * Queues calls to Slack, one lane for each of its rate limits (https://docs.slack.dev/apis/web-api/rate-limits). A 429
 * stops the lane for as long as Slack says; final messages wait and go first, progress is dropped.
 */
export class RateLimitedQueue {
  readonly #lanes = new Map<string, Lane>();

  /** Makes a call in its turn. Throws `Congested` for progress that would come too late, and what the call throws. */
  async send<T>(name: string, urgency: Urgency, call: () => Promise<T>): Promise<T> {
    const lane = this.#laneFor(name);
    for (;;) {
      if (urgency === 'progress' && (lane.isPaused || lane.waiting >= MOST_BEFORE_PROGRESS)) {
        throw new Congested();
      }
      const pausesBefore = lane.pauses;
      try {
        return await lane.run(urgency, async () => {
          if (urgency === 'progress' && lane.pauses > pausesBefore) throw new Congested();
          return call();
        });
      } catch (error) {
        if (!(error instanceof webApi.WebAPIRateLimitedError)) throw error;
      } finally {
        // Idle lanes would pile up.
        if (lane.isIdle) this.#lanes.delete(name);
      }
    }
  }

  #laneFor(name: string): Lane {
    const known = this.#lanes.get(name) ?? new Lane();
    this.#lanes.set(name, known);
    return known;
  }
}

/** The calls that share a rate limit: some at once, the others in the order of their urgency and arrival. */
class Lane {
  readonly #waiting: Record<Urgency, (() => void)[]> = { final: [], progress: [] };
  #running = 0;
  #isPaused = false;
  #pauses = 0;

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** How often Slack has stopped the lane. */
  get pauses(): number {
    return this.#pauses;
  }

  get waiting(): number {
    return this.#waiting.final.length + this.#waiting.progress.length;
  }

  get isIdle(): boolean {
    return !this.#isPaused && this.#running === 0 && this.waiting === 0;
  }

  /** Throws what the call throws. A 429 stops the lane before the next call can begin. */
  async run<T>(urgency: Urgency, call: () => Promise<T>): Promise<T> {
    const { promise: turn, resolve } = Promise.withResolvers<void>();
    this.#waiting[urgency].push(resolve);
    this.#beginNext();
    await turn;
    try {
      return await call();
    } catch (error) {
      if (error instanceof webApi.WebAPIRateLimitedError) this.#pause(error.retryAfter * 1_000);
      throw error;
    } finally {
      this.#running -= 1;
      this.#beginNext();
    }
  }

  #pause(ms: number): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#pauses += 1;
    const goOn = () => {
      this.#isPaused = false;
      while (this.#beginNext());
    };
    setTimeout(goOn, Math.min(ms, LONGEST_PAUSE_MS)).unref();
  }

  /** Begins the next call. False if none waits or none may begin now. */
  #beginNext(): boolean {
    if (this.#isPaused || this.#running >= CONCURRENCY) return false;
    const next = this.#waiting.final.shift() ?? this.#waiting.progress.shift();
    if (next === undefined) return false;
    this.#running += 1;
    next();
    return true;
  }
}
