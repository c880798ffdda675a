import type { Logger } from 'pino';
import type { Claims } from '../../core/store.ts';
import type { Lookups } from '../../lookups/lookups.ts';
import type { Place } from '../place.ts';
import type { ResponseUrlPoster } from '../response-url-poster.ts';
import type { Standing } from '../standing.ts';

/** What every listener works with. */
export type ListenerContext = {
  readonly lookups: Lookups<Place>;
  readonly claims: Claims;
  readonly responses: ResponseUrlPoster;
  readonly standing: Standing;
  readonly loginUrl: string;
  readonly logger: Logger;
  readonly now: () => number;
};

/** Slack's own retries are over long before this. */
const REMEMBERED_MS = 3_600_000;

/** True the first time that a delivery is seen: Slack may deliver the same one twice. Throws `StorageFailed`. */
export function isFirst({ claims }: ListenerContext, triggerId: string): Promise<boolean> {
  return claims.take(`delivery:${triggerId}`, REMEMBERED_MS);
}
