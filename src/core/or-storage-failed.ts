import { inTime, LATE } from './deadline.ts';
import { StorageFailed } from './faults.ts';

/** Slack gives three seconds for an answer, and a store that hangs must not use them up. */
const ANSWERS_WITHIN_MS = 2_000;

/** Does a piece of storage work; whatever goes wrong in it, or takes too long, becomes `StorageFailed`. */
export async function orStorageFailed<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    const outcome = await inTime(ANSWERS_WITHIN_MS, Promise.try(work));
    if (outcome === LATE) throw new Error(`no answer within ${ANSWERS_WITHIN_MS} ms`);
    return outcome;
  } catch (error) {
    throw new StorageFailed({ cause: error });
  }
}
