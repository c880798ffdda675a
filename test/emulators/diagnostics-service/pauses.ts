import type { Reply } from './types.ts';

/** The longest time that a `Retry-After` is enforced for. */
const LONGEST_MS = 3_600_000;
/** A request within this time after the answer is no breach: it may have been sent before the answer arrived. */
const ON_ITS_WAY_MS = 250;
const SECONDS = /^\d+(?:\.\d+)?$/;

/** The times that `Retry-After` named (RFC 9110, 10.2.3). The same request before such a time is a breach. */
export class Pauses {
  readonly #pauses = new Map<string, { readonly from: number; readonly until: number }>();

  /** Notes what an answer said at `at` (epoch ms); `about` is what it spoke of: a host, or one snapshot. */
  note(about: string, { headers = {} }: Reply, at: number): void {
    const named = String(headers['retry-after'] ?? '');
    const ms = SECONDS.test(named) ? Number(named) * 1_000 : Date.parse(named) - at;
    if (ms > 0 && ms <= LONGEST_MS) this.#pauses.set(about, { from: at + ON_ITS_WAY_MS, until: at + ms });
  }

  /** A sentence for a request that came too early, or none. */
  breaches(about: string, arrivedAt: number): string[] {
    const pause = this.#pauses.get(about);
    if (pause === undefined || arrivedAt < pause.from || arrivedAt >= pause.until) return [];
    return [`asked ${pause.until - arrivedAt} ms before the time that Retry-After named for ${about}`];
  }
}
