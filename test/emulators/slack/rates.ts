import { string } from './json.ts';
import type { ApiCall } from './model.ts';

type Called = Pick<ApiCall, 'method' | 'args'>;

/** The scope of a rate limit: the workspace for edits, the channel for everything else. */
function limitOf({ method, args }: Called): string {
  return method === 'chat.update' ? method : `${method} ${string(args.channel)}`;
}

/** The pauses that Slack imposed on processes with a 429. */
export class Rates {
  readonly #now: () => number;
  readonly #pauses = new Map<string, { readonly at: number; readonly ms: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records that Slack told a process to wait this many seconds. */
  pause(call: Called, caller: number, seconds: number): void {
    this.#pauses.set(`${caller} ${limitOf(call)}`, { at: this.#now(), ms: seconds * 1_000 });
  }

  /**
   * Whether a call violates its process's pause. Calls in the first half are allowed, because they may have started
   * before the 429 arrived; so are calls in the last tenth, because clocks differ.
   */
  isInPause(call: Called, caller: number | undefined): boolean {
    const pause = this.#pauses.get(`${caller} ${limitOf(call)}`);
    const elapsed = pause && (this.#now() - pause.at) / pause.ms;
    return elapsed !== undefined && elapsed > 0.5 && elapsed < 0.9;
  }
}
