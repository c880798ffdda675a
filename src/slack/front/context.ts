import type { webApi } from '@slack/bolt';
import pRetry from 'p-retry';
import type { Logger } from 'pino';
import type { Accepted } from '../../core/accepting.ts';
import type { Audit } from '../../core/audit.ts';
import { type Fault, isFault } from '../../core/faults.ts';
import { acquireWhenFree, type Leases } from '../../core/lease.ts';
import type { Asked } from '../../core/lookup.ts';
import type { SnapshotId } from '../../core/snapshot-id.ts';
import type { DeviceHistory } from '../../lookups/device-history.ts';
import type { Answers, Read } from '../../lookups/lookup-status.ts';
import type { Lookups } from '../../lookups/lookups.ts';
import type { LoginHealth } from '../../service/parts.ts';
import type { Operator } from '../answer/operator.ts';
import type { FileUploader } from '../delivery/file-uploader.ts';
import type { Owners } from '../delivery/owners.ts';
import type { Poster } from '../delivery/poster.ts';
import type { ResponseUrlPoster } from '../delivery/response-url-poster.ts';
import type { WaitingMessages } from '../delivery/waiting-messages.ts';
import type { Access } from './access.ts';
import type { FairShare } from './fair-share.ts';
import type { Windows } from './windows.ts';

/** Deletes stored data when an account or the installation ends. */
type Erasure = {
  /** Deletes a person's data. Throws `StorageFailed`. */
  readonly ofUser: (user: string) => Promise<void>;
  /** Deletes all data. Throws `StorageFailed`. */
  readonly ofEverything: () => Promise<void>;
};

/** The state of the bot, for its admins. Times are epoch milliseconds. */
export type StatusReport = {
  readonly version: string;
  readonly startedAt: number;
  /** The version of each replica that lives; undefined when the store does not say. */
  readonly replicas: readonly string[] | undefined;
  readonly reasons: readonly { readonly part: string; readonly problem: string }[];
  /** Until when the session is trusted; undefined without one. */
  readonly sessionUntil: number | undefined;
  readonly lastLoginAt: number | undefined;
  readonly lastRefusalAt: number | undefined;
  /** Undefined when the store does not say. */
  readonly open: number | undefined;
  readonly oldestAt: number | undefined;
  /** How many snapshots are watched; undefined when the store does not say. */
  readonly watched: number | undefined;
  readonly faults: readonly { readonly at: number; readonly code: string; readonly reference: string }[];
};

/** Has somebody told when a lookup ends. Throws `StorageFailed`. */
export type Join = (lookupId: string, user: string) => Promise<'joined' | 'over' | 'full'>;

/** Who watches which snapshot. Its functions throw `StorageFailed`. */
export type Watching = {
  /** Why this person can't watch a snapshot now, in words; undefined if that is possible. */
  readonly refusal: (user: string, snapshotId: SnapshotId) => Promise<string | undefined>;
  /** Ends a person's watch of a snapshot, and gives what to say to that. */
  readonly stop: (user: string, snapshotId: SnapshotId) => Promise<string>;
  /** What a person watches, the latest first; `until` is epoch milliseconds. */
  readonly of: (user: string) => Promise<readonly { snapshotId: SnapshotId; until: number }[]>;
  /** Who watches a snapshot at this message. */
  readonly watchersAt: (snapshotId: SnapshotId, channel: string, messageTs: string) => Promise<string[]>;
};

/** What was accepted for the device of a result. Its functions do not throw. */
export type Accepting = {
  readonly of: (read: Read) => Promise<Accepted>;
  /** Adds it to the answer to a request for the hits of one snapshot. */
  readonly complete: <A extends Answers>(asked: Asked, answers: A) => Promise<A>;
};

/** What every listener works with. */
export type ListenerContext = {
  readonly lookups: Lookups;
  readonly access: Access;
  readonly fairShare: FairShare;
  readonly audit: Audit;
  /** A client that never retries by itself. */
  readonly client: webApi.WebClient;
  readonly leases: Leases;
  readonly poster: Poster;
  readonly responses: ResponseUrlPoster;
  readonly files: FileUploader;
  readonly waitingMessages: WaitingMessages;
  readonly join: Join;
  readonly watching: Watching;
  readonly accepting: Accepting;
  readonly history: DeviceHistory;
  readonly owners: Owners;
  readonly windows: Windows;
  /** The state of the service's login, without a request. Throws `StorageFailed`. */
  readonly loginHealth: () => Promise<LoginHealth>;
  readonly operator: Operator;
  readonly logger: Logger;
  readonly now: () => number;
  readonly erasure: Erasure;
  /** The status report for admins. Does not throw. */
  readonly status: () => Promise<StatusReport>;
  /** Ids of the users who may see it. */
  readonly admins: readonly string[];
  /** Called with each acknowledged delivery: its kind, and after how many milliseconds. */
  readonly onAcknowledged: (kind: string, ms: number) => void;
  /** Called with the outcome of each delivery; `kind` is that of its entry point. */
  readonly onDelivery: (kind: string, outcome: 'served' | 'refused' | 'failed') => void;
  /** Called with the reference that a person was given for a bug in a listener. */
  readonly onBug: (reference: string) => void;
};

/** Does some work; a fault is logged as `what`, and `notice` makes of it what to say instead. Throws everything else. */
export async function orNotice<T>(
  { logger }: Pick<ListenerContext, 'logger'>,
  what: string,
  work: () => Promise<T>,
  notice: (fault: Fault) => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isFault(error)) throw error;
    logger.warn({ err: error }, what);
    return await notice(error);
  }
}

/** How long a delivery is remembered: longer than Slack's own retries last, even if the clock steps by hours meanwhile. */
const REMEMBERED_MS = 24 * 3_600_000;
/** How long work is held without a sign of life: Slack's retry comes a minute after a process has died. */
const WORKING_MS = 5_000;
/** Tries for less than that: 3.5 seconds. */
const HELD_AGAIN = { retries: 3, minTimeout: 500, factor: 2, unref: true };

/** True the first time that a delivery is seen: Slack may deliver the same one twice. Throws `StorageFailed`. */
export function isFirst({ leases }: ListenerContext, triggerId: string): Promise<boolean> {
  return leases.acquire(leaseOf(triggerId), REMEMBERED_MS);
}

/** The same, but true while the store is away: what follows says what is wrong, or needs no store. */
export function isFirstAsFarAsKnown(context: ListenerContext, triggerId: string): Promise<boolean> {
  return isFirst(context, triggerId).catch(() => true);
}

/**
 * Does a piece of work for the first of several deliveries of the same thing. Only finished work counts: if it fails or
 * its process dies, the next delivery does it. `rememberedMs`: for how long finished work counts. Throws what the work
 * throws, and `StorageFailed`.
 */
export async function once<T>(
  { leases }: ListenerContext,
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

/** Whether that work has begun or is done. Throws `StorageFailed`. */
export async function wasBegun({ leases }: ListenerContext, name: string): Promise<boolean> {
  return (await leases.ttl(leaseOf(name))) > 0;
}

/** Edits of older messages are not answered: whether they were before may be forgotten. */
const OLDEST_EDITED_MS = 3_000_000;

/** Whether a message of that time is too old for its edit to be answered. */
export function isOver(ts: string, { now }: ListenerContext): boolean {
  return now() - Number(ts) * 1_000 > OLDEST_EDITED_MS;
}

function leaseOf(name: string): string {
  return `delivery:${name}`;
}
