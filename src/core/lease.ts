import { setTimeout as delay } from 'node:timers/promises';
import type { Leases } from './store.ts';

/** How often a held name is renewed, as a share of how long it is held. */
const RENEWALS = 3;
/** How often somebody who waits for a name asks for it again. Milliseconds. */
const ASK_AGAIN_MS = 100;

/** Does `work` while holding a name, and frees it at the end; undefined when somebody else holds it. */
async function withLease<T>(
  leases: Leases,
  name: string,
  ms: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (!(await leases.acquire(name, ms))) return undefined;
  let renewing: Promise<void> = Promise.resolve();
  const renewal = setInterval(() => {
    // A renewal that fails leaves the time that is left; the next one may succeed.
    renewing = leases.hold(name, ms).catch(() => {});
  }, ms / RENEWALS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // One that is still on its way would hold the name again after it was let go.
    await renewing;
    await leases.release(name).catch(() => {});
  }
}

/**
 * Does `work` while holding a name, once nobody else holds it; what another holder has done meanwhile is for `work` to
 * look up. The lease is renewed as long as the work takes; if the process dies, the name is free after at most `ms`
 * milliseconds. `askAgainMs`: how often to ask for the name. Throws what the work throws, and `StorageFailed`.
 */
export async function withLeaseWhenFree<T>(
  leases: Leases,
  name: string,
  { ms, askAgainMs = ASK_AGAIN_MS }: { readonly ms: number; readonly askAgainMs?: number },
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    const done = await withLease(leases, name, ms, async () => ({ value: await work() }));
    if (done !== undefined) return done.value;
    await delay(askAgainMs);
  }
}
