import pRetry from 'p-retry';
import { acquireWhenFree } from '../../core/lease.ts';
import type { ListenerContext } from './context.ts';

/** What tells whether work was done before. */
type Remembering = Pick<ListenerContext, 'leases'>;

/** How long a delivery is remembered: longer than Slack's own retries last, even if the clock steps by hours meanwhile. */
const REMEMBERED_MS = 24 * 3_600_000;
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
 * False if this person has just pressed the same. Two taps are two deliveries: what posts or uploads asks this. True also
 * while the store is away.
 */
export function isFirstPress({ leases }: Remembering, ...press: Press): Promise<boolean> {
  return leases.acquire(pressLeaseOf(press), PRESSED_AGAIN_MS).catch(() => true);
}

/** Lets the next press do its work at once: this one came to nothing. */
export function pressAgain({ leases }: Remembering, ...press: Press): Promise<void> {
  return leases.release(pressLeaseOf(press)).catch(() => {});
}

type Press = readonly [user: string, ...what: string[]];

function pressLeaseOf(press: Press): string {
  return `pressed:${press.join(':')}`;
}

/**
 * Does a piece of work for the first of several deliveries of the same thing. Only finished work counts: if it fails or
 * its process dies, the next delivery does it. `rememberedMs`: for how long finished work counts. Throws what the work
 * throws, and `StorageFailed`.
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

/** Whether that work has begun or is done. Throws `StorageFailed`. */
export async function wasBegun({ leases }: Remembering, name: string): Promise<boolean> {
  return (await leases.ttl(leaseOf(name))) > 0;
}

function leaseOf(name: string): string {
  return `delivery:${name}`;
}

/** Edits of older messages are not answered: whether they were before may be forgotten. */
const OLDEST_EDITED_MS = 3_000_000;

/** Whether a message of that time is too old for its edit to be answered. */
export function isOver(ts: string, { now }: Pick<ListenerContext, 'now'>): boolean {
  return now() - Number(ts) * 1_000 > OLDEST_EDITED_MS;
}
