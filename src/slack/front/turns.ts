import { AsyncLocalStorage } from 'node:async_hooks';
import PQueue from 'p-queue';
import pRetry from 'p-retry';
import type { Precedence } from '../../core/event-loop.ts';
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

const MINUTE_MS = 60_000;
/** How often in a minute a person is told that they are refused. */
const TOLD_PER_MINUTE = 3;
/** Above this number of people, those who have used nothing for a minute are dropped. */
const MOST_KNOWN = 10_000;
/** The most deliveries that are handled at once, until they are acknowledged. */
const AT_ONCE = 32;

/** A delivery asks for more snapshots than the share of its person has room for. */
export class ShareUsedUp extends Error {
  constructor() {
    super('a person may ask for no more in this minute');
  }
}

/**
 * Limits requests per person. They are counted in this process alone, so the limit grows with the number of replicas.
 * `perMinute`: the most requests of one person in a minute, and at once.
 */
export function fairShare({ perMinute, now }: { readonly perMinute: number; readonly now: () => number }) {
  const told = buckets(TOLD_PER_MINUTE, now);
  const take = buckets(perMinute, now);
  const served = new AsyncLocalStorage<string>();
  return {
    /** Counts a request; false if the person's share is used up. `cost`: 1 is a command. */
    take,
    /** Does the work of a delivery of this person. */
    serve: <T>(user: string, work: () => T): T => served.run(user, work),
    /** Counts more requests of whoever is served now. Throws `ShareUsedUp`. */
    takeMore: (count: number) => {
      const user = served.getStore();
      if (user !== undefined && !take(user, count)) throw new ShareUsedUp();
    },
    /** Whether to tell a person once more that they are refused. */
    shouldTell: (user: string) => told(user, 1),
  };
}

/** Token buckets that fill evenly, one for each person. */
function buckets(perMinute: number, now: () => number): (user: string, cost: number) => boolean {
  const shares = new Map<string, { readonly left: number; readonly at: number }>();
  const forgetOld = (time: number) => {
    for (const [user, { at }] of shares) {
      if (time - at <= MINUTE_MS) return;
      shares.delete(user);
    }
  };
  return (user, cost) => {
    const time = now();
    const { left, at } = shares.get(user) ?? { left: perMinute, at: time };
    const filled = left + (Math.max(0, time - at) * perMinute) / MINUTE_MS;
    const available = Math.min(Math.max(perMinute, 1), filled);
    const isEnough = available >= cost;
    // The map is in the order of use: who has used nothing for the longest time comes first.
    shares.delete(user);
    shares.set(user, { left: isEnough ? available - cost : available, at: time });
    if (shares.size > MOST_KNOWN) forgetOld(time);
    return isEnough;
  };
}

/**
 * Gives each delivery its turn: those of whom the fewest deliveries wait come first, so that nobody is delayed by the many
 * of another person or channel, nor by work on accepted lookups. `names` are the sender and the channels; `free` ends the
 * turn before the work is over. Throws what the work throws.
 */
export function fairQueue(precedence: Precedence) {
  const queue = new PQueue({ concurrency: AT_ONCE });
  const waiting = new Map<string, number>();
  const leave = (name: string) => {
    const others = (waiting.get(name) ?? 0) - 1;
    if (others > 0) waiting.set(name, others);
    else waiting.delete(name);
  };
  return async (names: readonly string[], work: (free: () => void) => Promise<void>): Promise<void> => {
    const before = Math.max(0, ...names.map((name) => waiting.get(name) ?? 0));
    for (const name of names) waiting.set(name, (waiting.get(name) ?? 0) + 1);
    const done = Promise.withResolvers<void>();
    const isOver = precedence.urgent();
    const turn = () =>
      new Promise<void>((free) => void work(free).then(done.resolve, done.reject).finally(free));
    queue.add(turn, { priority: -before }).finally(() => {
      isOver();
      names.forEach(leave);
    });
    await done.promise;
  };
}
