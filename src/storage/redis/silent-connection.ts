import { setTimeout as delay } from 'node:timers/promises';
import { inTime, LATE } from '../../core/deadline.ts';
import type { RedisConnection } from './redis-client.ts';

/** How often a connection is asked whether it still answers, and how long it may take. */
const PING_INTERVAL_MS = 1_000;
const SILENCE_MS = 3_000;

/** A connection to Redis has not answered for some seconds. */
class SilentConnection extends Error {
  constructor() {
    super('a connection to Redis does not answer: it is replaced by a new one');
  }
}

/** Throws `SilentConnection` once the connection does not answer any more; ends with an error when it is over. */
export async function untilSilent(client: RedisConnection, over: AbortSignal): Promise<never> {
  for (;;) {
    await delay(PING_INTERVAL_MS, undefined, { signal: over, ref: false });
    const answer = await inTime(
      SILENCE_MS,
      client.ping().catch(() => {}),
    );
    if (answer === LATE) throw new SilentConnection();
  }
}
