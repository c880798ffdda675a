import { setTimeout as delay } from 'node:timers/promises';

/** Leases: each name has at most one holder at a time, among all processes that share the store. */
export interface Leases {
  /** Takes the name for `ms` milliseconds; false when somebody holds it. Atomic. */
  acquire(name: string, ms: number): Promise<boolean>;
  /** Holds the name for `ms` milliseconds from now, no matter who held it before. */
  hold(name: string, ms: number): Promise<void>;
  release(name: string): Promise<void>;
  /** Milliseconds until the name is free; 0 when it is. */
  ttl(name: string): Promise<number>;
}

/** A lease is renewed three times before it would run out. */
const RENEWALS = 3;
/** How often somebody who waits for a lease asks for it again. Milliseconds. */
const ASK_AGAIN_MS = 100;

/** `ms`: how long a lease lasts unless it is renewed. `askAgainMs`: how often to ask for one that somebody else holds. */
type Terms = { readonly ms: number; readonly askAgainMs?: number };

/**
 * Takes a lease as soon as nobody else holds it, and gives true. Before each wait, `isOver` gets the milliseconds that
 * are left of the other holder's lease; if it returns true, gives false without the lease. Throws `StorageFailed`.
 */
export async function acquireWhenFree(
  leases: Leases,
  name: string,
  { ms, askAgainMs = ASK_AGAIN_MS }: Terms,
  isOver?: (leftMs: number) => boolean,
): Promise<boolean> {
  while (!(await leases.acquire(name, ms))) {
    if (isOver?.(await leases.ttl(name)) === true) return false;
    await delay(askAgainMs);
  }
  return true;
}

/**
 * Does `work` while holding a lease, once nobody else holds it; what another holder has done meanwhile is for `work` to
 * look up. The lease is renewed as long as the work takes; if the process dies, it is free after at most `ms`
 * milliseconds. Throws what the work throws, and `StorageFailed`.
 */
export async function withLeaseWhenFree<T>(
  leases: Leases,
  name: string,
  terms: Terms,
  work: () => Promise<T>,
): Promise<T> {
  const { ms } = terms;
  await acquireWhenFree(leases, name, terms);
  let renewing: Promise<void> = Promise.resolve();
  const renewal = setInterval(() => {
    // After a renewal that fails the lease still lasts for a while; the next one may succeed.
    renewing = leases.hold(name, ms).catch(() => {});
  }, ms / RENEWALS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // A renewal that is still on its way would take the lease again after its release.
    await renewing;
    await leases.release(name).catch(() => {});
  }
}
