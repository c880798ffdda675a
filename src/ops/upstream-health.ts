import type { HealthCheck } from './health.ts';

const UPSTREAMS = ['diagnostics service', 'login servers'] as const;
type Upstream = (typeof UPSTREAMS)[number];

/** Remembers which upstream gave no answer to the last request, and since when. */
export class UpstreamHealth {
  readonly #silentSince = new Map<Upstream, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  noteAnswer(upstream: Upstream, status: number | 'none'): void {
    if (status !== 'none') this.#silentSince.delete(upstream);
    else if (!this.#silentSince.has(upstream)) this.#silentSince.set(upstream, this.#now());
  }

  /** None of these makes the bot unready: users are told what is wrong with the service. */
  checks(): HealthCheck[] {
    return UPSTREAMS.map((upstream) => ({
      part: upstream,
      isEssential: false,
      problem: async () => {
        const since = this.#silentSince.get(upstream);
        return since === undefined ? undefined : `no answer since ${new Date(since).toISOString()}`;
      },
    }));
  }
}
