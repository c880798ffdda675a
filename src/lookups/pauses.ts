import { type Fault, retryAtOf } from '../core/faults.ts';
import { Remembered } from '../core/remembered.ts';

/** The service answered 202 at `at`: its reason or '', and when it may be asked again. Epoch milliseconds. */
export type Processing = {
  readonly kind: 'processing';
  readonly reason: string;
  readonly at: number;
  readonly lookAgainAt: number;
};
/** A fault that may pass, and when it is worth asking again. Epoch milliseconds. */
export type Trouble = { readonly kind: 'trouble'; readonly fault: Fault; readonly lookAgainAt: number };

/** `until`: monotonic milliseconds. `troubles`: faults in a row. */
type Pause = {
  readonly answer: Omit<Processing, 'lookAgainAt'> | Omit<Trouble, 'lookAgainAt'>;
  readonly until: number;
  readonly troubles: number;
};

const LONGEST_TROUBLE_MS = 60_000;
/** More questions than can be asked within an interval. */
const MOST_PAUSES = 100_000;

/** `now`: epoch milliseconds. `intervalMs`: the least time between two requests for a question. */
type PauseOptions = { readonly now: () => number; readonly intervalMs: number };

/** The pauses of questions in this process, each with its cause. */
export class Pauses {
  readonly #options: PauseOptions;
  readonly #pauses = new Remembered<Pause>(MOST_PAUSES);

  constructor(options: PauseOptions) {
    this.#options = options;
  }

  /** The cause of a question's present pause. */
  of(name: string): Processing | Trouble | undefined {
    const pause = this.#pauses.get(name);
    if (pause === undefined || pause.until <= performance.now()) return undefined;
    return { ...pause.answer, lookAgainAt: this.#at(pause.until) };
  }

  /** Pauses a question after a 202, until a time in monotonic milliseconds. */
  rest(name: string, reason: string, until: number): Processing {
    const answer = { kind: 'processing', reason, at: this.#options.now() } as const;
    this.#pauses.set(name, { answer, until, troubles: 0 }, 0);
    return { ...answer, lookAgainAt: this.#at(until) };
  }

  /**
   * A fault that may pass is waited out: the pause doubles with each one in a row, up to a minute; a time that the fault names
   * is heeded by all questions, and looked at again each minute. A service that can't be reached is back at once. Another
   * fault makes no pause.
   */
  trouble(name: string, fault: Fault): Trouble {
    const { intervalMs, now } = this.#options;
    const troubles = this.#pauses.get(name)?.troubles ?? 0;
    const namedMs = (retryAtOf(fault) ?? 0) - now();
    const pauseMs = Math.max(intervalMs * 2 ** (fault.code === 'unreachable' ? 0 : troubles), namedMs);
    const until = performance.now() + Math.min(pauseMs, LONGEST_TROUBLE_MS);
    const answer = { kind: 'trouble', fault } as const;
    if (fault.isTransient) this.#pauses.set(name, { answer, until, troubles: troubles + 1 }, 0);
    return { ...answer, lookAgainAt: this.#at(until) };
  }

  end(name: string): void {
    this.#pauses.delete(name);
  }

  /** A monotonic time as epoch milliseconds. */
  #at(until: number): number {
    return Math.ceil(this.#options.now() + until - performance.now());
  }
}
