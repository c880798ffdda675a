import { string } from './json.ts';
import type { ApiCall } from './model.ts';

const STOP_SECONDS = 1;

type Called = Pick<ApiCall, 'method' | 'args'>;

/** Edits are limited in the whole workspace, all else in each channel. */
function limitOf({ method, args }: Called): string {
  return method === 'chat.update' ? method : `${method} ${string(args.channel)}`;
}

/** How often the bot may call: by default as often as it likes. */
export class Rates {
  readonly #now: () => number;
  readonly #pauses = new Map<string, { readonly at: number; readonly ms: number }>();
  #mostUpdates = Number.POSITIVE_INFINITY;
  #updates = 0;
  #stoppedUntil = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** From now on, after so many edits all further ones are refused for a second, no matter how slowly they came. */
  stopAfterUpdates(most: number): void {
    this.#mostUpdates = most;
  }

  /** Slack has told a process to wait so long, with a 429. */
  pause(call: Called, caller: number, seconds: number): void {
    this.#pauses.set(`${caller} ${limitOf(call)}`, { at: this.#now(), ms: seconds * 1_000 });
  }

  /**
   * Whether a call comes in a pause of its process. One in its first half counts as begun before the bot heard of it; the last
   * tenth is left to clocks.
   */
  isInPause(call: Called, caller: number | undefined): boolean {
    const pause = this.#pauses.get(`${caller} ${limitOf(call)}`);
    const elapsed = pause && (this.#now() - pause.at) / pause.ms;
    return elapsed !== undefined && elapsed > 0.5 && elapsed < 0.9;
  }

  /** The seconds to wait before this call may be made; 0 when it may be made now. */
  wait(method: string): number {
    if (method !== 'chat.update') return 0;
    const now = this.#now();
    if (now < this.#stoppedUntil) return STOP_SECONDS;
    this.#updates += 1;
    if (this.#updates <= this.#mostUpdates) return 0;
    this.#updates = 0;
    this.#stoppedUntil = now + STOP_SECONDS * 1_000;
    return STOP_SECONDS;
  }
}
