import { string } from './json.ts';
import type { ApiCall } from './model.ts';

type Called = Pick<ApiCall, 'method' | 'args'>;

/** Edits are limited in the whole workspace, all else in each channel. */
function limitOf({ method, args }: Called): string {
  return method === 'chat.update' ? method : `${method} ${string(args.channel)}`;
}

/** The times for which Slack has told processes to wait, with a 429. */
export class Rates {
  readonly #now: () => number;
  readonly #pauses = new Map<string, { readonly at: number; readonly ms: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Slack has told a process to wait so long. */
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
}
