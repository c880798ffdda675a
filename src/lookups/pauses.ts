import { type Fault, retryAtOf } from '../core/faults.ts';

/** The service answered 202: its reason or '', since when, and when it may be asked again. Epoch milliseconds. */
export type Processing = {
  readonly kind: 'processing';
  readonly reason: string;
  readonly since: number;
  readonly lookAgainAt: number;
};
/** A fault that may pass, and when it is worth asking again. Epoch milliseconds. */
export type Trouble = { readonly kind: 'trouble'; readonly fault: Fault; readonly lookAgainAt: number };

const LONGEST_TROUBLE_MS = 60_000;

/** `until`: monotonic milliseconds. `troubles`: faults in a row. */
type Pause = {
  readonly answer: Omit<Processing, 'lookAgainAt'> | Omit<Trouble, 'lookAgainAt'>;
  readonly until: number;
  readonly troubles: number;
};

/** `now`: epoch milliseconds. `intervalMs`: the least time between two requests for a question. */
type PauseOptions = { readonly now: () => number; readonly intervalMs: number };

/** The pauses of questions in this process, and what led to them. */
export class Pauses {
  readonly #options: PauseOptions;
  readonly #pauses = new Map<string, Pause>();

  constructor(options: PauseOptions) {
    this.#options = options;
  }

  /** What led to the present pause of a question. */
  of(name: string): Processing | Trouble | undefined {
    const pause = this.#pauses.get(name);
    if (pause === undefined || pause.until <= performance.now()) return undefined;
    return { ...pause.answer, lookAgainAt: this.#at(pause.until) };
  }

  /** Since when the service has processed the snapshot, if it is known here. */
  sinceOf(name: string): number | undefined {
    const answer = this.#pauses.get(name)?.answer;
    return answer?.kind === 'processing' ? answer.since : undefined;
  }

  /** Pauses a question after a 202, until a time in monotonic milliseconds. */
  rest(name: string, { reason, since }: Pick<Processing, 'reason' | 'since'>, until: number): Processing {
    const answer = { kind: 'processing', reason, since } as const;
    this.#pause(name, { answer, until, troubles: 0 });
    return { ...answer, lookAgainAt: this.#at(until) };
  }

  /**
   * A fault that may pass is waited out: the pause doubles with each one in a row, up to a minute; a time that the fault names
   * is heeded by all questions, and looked at again each minute. A service that can't be reached is back at once. Another
   * fault makes no pause.
   */
  trouble(name: string, fault: Fault): Trouble {
    const { intervalMs, now } = this.#options;
    const before = this.#pauses.get(name)?.troubles ?? 0;
    const namedMs = (retryAtOf(fault) ?? 0) - now();
    const doubled = fault.code === 'unreachable' ? 0 : before;
    const pauseMs = Math.max(intervalMs * 2 ** doubled, namedMs);
    const until = performance.now() + Math.min(pauseMs, LONGEST_TROUBLE_MS);
    const answer = { kind: 'trouble', fault } as const;
    const troubles = namedMs > LONGEST_TROUBLE_MS ? before : before + 1;
    if (fault.isTransient) this.#pause(name, { answer, until, troubles });
    return { ...answer, lookAgainAt: this.#at(until) };
  }

  end(name: string): void {
    this.#pauses.delete(name);
  }

  /** A monotonic time as epoch milliseconds. */
  #at(until: number): number {
    return Math.ceil(this.#options.now() + until - performance.now());
  }

  /** Pauses that are over for long are forgotten; the oldest come first. */
  #pause(name: string, pause: Pause): void {
    this.#pauses.delete(name);
    this.#pauses.set(name, pause);
    for (const [other, { until }] of this.#pauses) {
      if (until > performance.now() - LONGEST_TROUBLE_MS) break;
      this.#pauses.delete(other);
    }
  }
}
