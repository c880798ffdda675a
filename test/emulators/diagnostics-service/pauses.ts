import type { Reply } from './types.ts';

/** How long a `Retry-After` is enforced at most. Milliseconds. */
const LONGEST_MS = 3_600_000;
/** An early request within this time after the answer is allowed, because it may have been sent before. Milliseconds. */
const ON_ITS_WAY_MS = 250;
const SECONDS = /^\d+(?:\.\d+)?$/;

/** The pauses that `Retry-After` asked for (RFC 9110, 10.2.3). An earlier request for the same thing is a breach. */
export class Pauses {
  readonly #pauses = new Map<string, { readonly from: number; readonly until: number }>();

  /** Records the `Retry-After` of an answer sent at `at` (epoch milliseconds). `about`: the host or the snapshot. */
  note(about: string, { headers = {} }: Reply, at: number): void {
    const named = String(headers['retry-after'] ?? '');
    const ms = SECONDS.test(named) ? Number(named) * 1_000 : Date.parse(named) - at;
    if (ms > 0 && ms <= LONGEST_MS) this.#pauses.set(about, { from: at + ON_ITS_WAY_MS, until: at + ms });
  }

  /** A sentence if a request came too early. */
  breaches(about: string, arrivedAt: number): string[] {
    const pause = this.#pauses.get(about);
    if (pause === undefined || arrivedAt < pause.from || arrivedAt >= pause.until) return [];
    return [`asked ${pause.until - arrivedAt} ms before the time that Retry-After named for ${about}`];
  }
}
