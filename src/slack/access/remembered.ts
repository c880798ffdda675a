import { inTime, LATE } from '../../core/time.ts';

type RememberedOptions<T> = {
  /** Asks Slack. Throws what Slack's client throws. */
  readonly ask: (key: string) => Promise<T>;
  /** How long an answer is cached. Milliseconds. */
  readonly ttlMs: number;
  readonly now: () => number;
  /** Called with the error if there is no answer. */
  readonly onError: (error: unknown, key: string) => void;
};

/** How long a caller waits: Slack wants a command acknowledged within three seconds. */
const TIMEOUT_MS = 2_000;
/** The most cached answers; the oldest are dropped first. */
const MAX_ENTRIES = 10_000;

/**
 * A cache of Slack's answers; simultaneous callers share one request. What an event changes is newer than the answer to
 * a request that is under way: that answer is not cached, and later callers don't wait for it.
 */
export class Remembered<T> {
  readonly #options: RememberedOptions<T>;
  readonly #answers = new Map<string, { readonly value: T; readonly until: number }>();
  readonly #requests = new Map<string, Promise<T>>();

  constructor(options: RememberedOptions<T>) {
    this.#options = options;
  }

  /** The answer; undefined if there is none now, or not within two seconds. */
  async get(key: string): Promise<T | undefined> {
    const known = this.#answers.get(key);
    if (known !== undefined && known.until > this.#options.now()) return known.value;
    try {
      const answer = await inTime(TIMEOUT_MS, this.#requests.get(key) ?? this.#ask(key));
      return answer === LATE ? undefined : answer;
    } catch (error) {
      this.#options.onError(error, key);
      return undefined;
    }
  }

  /** Caches an answer that an event of Slack brought. */
  set(key: string, value: T): void {
    this.forget(key);
    this.#answers.set(key, { value, until: this.#options.now() + this.#options.ttlMs });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MAX_ENTRIES && oldest !== undefined) this.#answers.delete(oldest);
  }

  /** Drops an answer, so that Slack is asked the next time. */
  forget(key: string): void {
    this.#answers.delete(key);
    this.#requests.delete(key);
  }

  #ask(key: string): Promise<T> {
    const request = this.#options.ask(key);
    this.#requests.set(key, request);
    const isCurrent = () => this.#requests.get(key) === request;
    request.then(
      (value) => isCurrent() && this.set(key, value),
      () => isCurrent() && this.#requests.delete(key),
    );
    return request;
  }
}
