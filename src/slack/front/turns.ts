import pRetry from 'p-retry';
import { acquireWhenFree, type Leases } from '../../core/lease.ts';
import { REMEMBERED_MS } from '../../core/lookup.ts';

/** What tells whether work was done before. */
type Remembering = { readonly leases: Leases };

/** How long work is held without a sign of life: Slack's retry comes a minute after a process has died. */
const WORKING_MS = 5_000;
/** Tries for less than that: 3.5 seconds. */
const HELD_AGAIN = { retries: 3, minTimeout: 500, factor: 2, unref: true };

/**
 * True the first time that a delivery is seen: Slack may deliver the same one twice. True also while the store is away:
 * what follows says what is wrong, or needs no store.
 */
export function isFirstAsFarAsKnown({ leases }: Remembering, triggerId: string): Promise<boolean> {
  return leases.acquire(leaseOf(triggerId), REMEMBERED_MS).catch(() => true);
}

/** How long a second press of the same button does nothing: a phone takes one tap for two. */
const PRESSED_AGAIN_MS = 3_000;

/**
 * Does what a button is pressed for, unless this has just been pressed: two taps are two deliveries. Also while the store
 * is away. What throws, or gives false, came to nothing: the next press does it at once. Throws what the work throws.
 */
export async function onFirstPress(
  { leases }: Remembering,
  press: readonly string[],
  work: () => Promise<unknown>,
): Promise<void> {
  const lease = `pressed:${press.join(':')}`;
  if (!(await leases.acquire(lease, PRESSED_AGAIN_MS).catch(() => true))) return;
  let done: unknown = false;
  try {
    done = await work();
  } finally {
    if (done === false) await leases.release(lease).catch(() => {});
  }
}

/**
 * Does a piece of work for the first of several deliveries of the same thing. Only finished work counts: if it fails or
 * its process dies, the next delivery does it. `rememberedMs`: for how long finished work counts. Throws what the work
 * throws, and `storage-failed`.
 */
export async function once<T>(
  { leases }: Remembering,
  name: string,
  work: () => Promise<T>,
  rememberedMs = REMEMBERED_MS,
): Promise<T | undefined> {
  const lease = leaseOf(name);
  // A lease that lasts longer than that is held by work that is done.
  const isDone = async () => (await leases.ttl(lease)) > WORKING_MS;
  if ((await acquireWhenFree(leases, lease, { ms: WORKING_MS }, isDone)) === undefined) return undefined;
  const renewal = setInterval(() => leases.hold(lease, WORKING_MS).catch(() => {}), WORKING_MS / 3).unref();
  try {
    const done = await work();
    // Not awaited: the lease that was acquired above lasts until this is written, even if the store is away for a moment.
    pRetry(() => leases.hold(lease, rememberedMs), HELD_AGAIN).catch(() => {});
    return done;
  } catch (error) {
    await leases.release(lease).catch(() => {});
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** Lets work be done again though it is remembered as finished: what followed on it came to nothing. */
export function again({ leases }: Remembering, name: string): Promise<void> {
  return leases.hold(leaseOf(name), 1);
}

/** The lease that is held while the work is done, and as long as it is remembered. */
function leaseOf(name: string): string {
  return `delivery:${name}`;
}

/** Edits of older messages are not answered: whether they were before may be forgotten. */
const OLDEST_EDITED_MS = 3_000_000;

/** Whether a message of that time is too old for its edit to be answered. */
export function isOver(ts: string, { now }: { readonly now: () => number }): boolean {
  return now() - Number(ts) * 1_000 > OLDEST_EDITED_MS;
}
