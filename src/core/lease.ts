import type { Claims } from './store.ts';

/** How often a held name is renewed, as a share of how long it is held. */
const RENEWALS = 3;

/**
 * Does `work` while holding a name, and lets go of it at the end; undefined when somebody else holds it. The name is
 * renewed as long as the work takes; a process that dies in it frees the name after at most `ms` milliseconds.
 */
export async function whileHolding<T>(
  claims: Claims,
  name: string,
  ms: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (!(await claims.take(name, ms))) return undefined;
  let renewing: Promise<void> = Promise.resolve();
  const renewal = setInterval(() => {
    // A renewal that fails leaves the time that is left; the next one may succeed.
    renewing = claims.hold(name, ms).catch(() => {});
  }, ms / RENEWALS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // One that is still on its way would hold the name again after it was let go.
    await renewing;
    await claims.release(name).catch(() => {});
  }
}
