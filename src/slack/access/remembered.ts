import { inTime, LATE } from '../../core/deadline.ts';
import { SingleFlight } from '../../core/single-flight.ts';

type RememberedOptions<T> = {
  /** Asks Slack. Throws what the client throws. */
  readonly ask: (key: string) => Promise<T>;
  /** How long an answer counts. Milliseconds. */
  readonly keptMs: number;
  readonly now: () => number;
  /** Hears why an answer could not be had. */
  readonly onError: (error: unknown, key: string) => void;
};

/** Slack wants a command acknowledged within three seconds. */
const PATIENCE_MS = 2_000;
/** The oldest answers go first. */
const MOST_KEPT = 10_000;

/** What Slack said about somebody or something, remembered for a while; asked once for all who want to know. */
export class Remembered<T> {
  readonly #options: RememberedOptions<T>;
  readonly #answers = new Map<string, { readonly value: T; readonly until: number }>();
  readonly #flights = new SingleFlight<T>();

  constructor(options: RememberedOptions<T>) {
    this.#options = options;
  }

  /** The answer; undefined when it can't be had now, or not within two seconds. */
  async get(key: string): Promise<T | undefined> {
    const known = this.#answers.get(key);
    if (known !== undefined && known.until > this.#options.now()) return known.value;
    try {
      const answer = await inTime(
        PATIENCE_MS,
        this.#flights.do(key, () => this.#ask(key)),
      );
      return answer === LATE ? undefined : answer;
    } catch (error) {
      this.#options.onError(error, key);
      return undefined;
    }
  }

  /** Remembers what Slack said by itself. */
  set(key: string, value: T): void {
    this.#answers.delete(key);
    this.#answers.set(key, { value, until: this.#options.now() + this.#options.keptMs });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST_KEPT && oldest !== undefined) this.#answers.delete(oldest);
  }

  /** Has Slack asked anew the next time. */
  forget(key: string): void {
    this.#answers.delete(key);
  }

  async #ask(key: string): Promise<T> {
    const value = await this.#options.ask(key);
    this.set(key, value);
    return value;
  }
}
