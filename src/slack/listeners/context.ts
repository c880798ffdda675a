import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Claims } from '../../core/store.ts';
import type { Lookups } from '../../lookups/lookups.ts';
import type { LoginHealth } from '../../service/authentication.ts';
import type { Access } from '../access.ts';
import type { FileUploader } from '../file-uploader.ts';
import type { Place } from '../place.ts';
import type { Poster } from '../poster.ts';
import type { Recents } from '../recents.ts';
import type { ResponseUrlPoster } from '../response-url-poster.ts';
import type { Standing } from '../standing.ts';
import type { Telling } from '../telling.ts';

/** What every listener works with. */
export type ListenerContext = {
  readonly lookups: Lookups<Place>;
  readonly access: Access;
  readonly claims: Claims;
  readonly poster: Poster;
  readonly responses: ResponseUrlPoster;
  readonly files: FileUploader;
  readonly standing: Standing;
  readonly telling: Telling;
  readonly recents: Recents;
  /** What is known of the service's login, without trying it. Throws `StorageFailed`. */
  readonly loginHealth: () => Promise<LoginHealth>;
  readonly loginUrl: string;
  readonly logger: Logger;
  readonly now: () => number;
};

/** Slack's own retries are over long before this. */
const REMEMBERED_MS = 3_600_000;
/** As long as the work may take; whoever dies in it leaves it to Slack's next try, which comes after a minute. */
const WORKING_MS = 5_000;
const LOOK_AGAIN_MS = 100;

/** True the first time that a delivery is seen: Slack may deliver the same one twice. Throws `StorageFailed`. */
export function isFirst({ claims }: ListenerContext, triggerId: string): Promise<boolean> {
  return claims.take(claimOf(triggerId), REMEMBERED_MS);
}

/**
 * Does a piece of work for the first of several deliveries of the same thing. It counts as done once it is: when the
 * first one failed or its process died, the next one does it. Throws what the work throws, and `StorageFailed`.
 */
export async function once<T>(
  { claims }: ListenerContext,
  name: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const claim = claimOf(name);
  while (!(await claims.take(claim, WORKING_MS))) {
    if ((await claims.remaining(claim)) > WORKING_MS) return undefined;
    await delay(LOOK_AGAIN_MS);
  }
  try {
    const done = await work();
    await claims.hold(claim, REMEMBERED_MS).catch(() => {});
    return done;
  } catch (error) {
    await claims.release(claim).catch(() => {});
    throw error;
  }
}

/** Whether that work was begun or done. Throws `StorageFailed`. */
export async function wasBegun({ claims }: ListenerContext, name: string): Promise<boolean> {
  return (await claims.remaining(claimOf(name))) > 0;
}

function claimOf(name: string): string {
  return `delivery:${name}`;
}
