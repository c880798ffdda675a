import { type Acceptance, type Comparison, compareHits, isOf, type Named } from '../core/comparing.ts';
import {
  areOneHost,
  areOtherHosts,
  type DiagnosticsResult,
  hostOf,
  isEarlier,
  type SnapshotId,
} from '../core/diagnostics.ts';
import { listsWholeSide, namedIn, passedIn, sideOf } from '../core/importance.ts';
import type { Question } from '../core/lookup.ts';
import type { DeviceRead, LastRead, Owner, Read } from './lookup-status.ts';

/** What is kept of a device. A chassis can hold several hosts: each entry names its own, '' for one without a name. */
export type KeptDevice = {
  /** The latest read of each snapshot, the latest first. It does not say who read it, or where. */
  readonly reads: readonly KeptRead[];
  readonly accepted: readonly Acceptance[];
  readonly owners: readonly (Owner & { readonly host: string })[];
  readonly waiting: readonly Waiting[];
};

/** A follow that waits, until `until`, for a snapshot of `host` that is newer than `snapshotId`; `newer` was looked up last. */
export type Waiting = {
  readonly id: string;
  readonly user: string;
  readonly host: string;
  readonly snapshotId: SnapshotId;
  readonly until: number;
  readonly newer?: SnapshotId;
};

/** A read of a snapshot, and the hits that it listed; absent if the document did not list all, or if they are too many. */
type KeptRead = DeviceRead & { readonly host: string; readonly hits?: readonly Named[] };

/** For how long a device has an owner. */
export const OWNED_MS = 30 * 24 * 3_600_000;
const NOTHING: KeptDevice = { reads: [], accepted: [], owners: [], waiting: [] };
const LISTS = ['reads', 'accepted', 'owners', 'waiting'] as const;
const MOST_READS = 30;
/** A read that says the same as one of this short a time ago is not stored: many people look one snapshot up. */
const RECENT_MS = 3_600_000;
/** The hits that are kept of the reads of one device; those of the latest one are kept in any case. */
const MOST_HITS = 5_000;

/** What is known for a result: the read before it, what was accepted on its host, who owns that, and who waited for it. */
export type Known = {
  readonly lastRead: LastRead | undefined;
  readonly accepted: readonly Acceptance[];
  readonly owner: Owner | undefined;
  readonly awaitedBy: readonly string[];
};

export function knownOf(kept: KeptDevice, question: Question, read: Read): Known {
  const host = hostOf(read.result.device);
  const { accepted } = withoutEnded(kept, question, read);
  return {
    lastRead: lastIn(kept.reads, question, read),
    accepted: accepted.filter((each) => areOneHost(each.host, host)),
    owner: ownerIn(kept, host),
    awaitedBy: kept.waiting.flatMap(({ id, newer }) => (newer === question.snapshotId ? id : [])),
  };
}

/** Whether nothing was changed: lists that are unchanged are the same ones. */
export function areSame(one: KeptDevice, other: KeptDevice): boolean {
  return LISTS.every((name) => one[name] === other[name]);
}

export function isEmpty(kept: KeptDevice): boolean {
  return LISTS.every((name) => kept[name].length === 0);
}

/** How long a value is worth keeping. Milliseconds. */
export function keptMs(
  { reads, owners, accepted, waiting }: KeptDevice,
  now: number,
  historyMs: number,
): number {
  return Math.max(
    reads.length > 0 ? historyMs : 0,
    ...owners.map(({ since }) => since + OWNED_MS - now),
    ...[...accepted, ...waiting].map(({ until }) => until - now),
  );
}

/** What has not expired yet. */
export function unexpired(
  { reads, accepted, owners, waiting }: KeptDevice = NOTHING,
  now: number,
  historyMs: number,
): KeptDevice {
  return {
    reads: filtered(reads, ({ at }) => at + historyMs > now),
    accepted: filtered(accepted, ({ until }) => until > now),
    owners: filtered(owners, ({ since }) => since + OWNED_MS > now),
    waiting: filtered(waiting, ({ until }) => until > now),
  };
}

/** With a result that was read now. */
export function withResult(kept: KeptDevice, question: Question, read: Read): KeptDevice {
  return {
    ...withoutEnded(kept, question, read),
    reads: withRead(kept.reads, question, read),
    waiting: withNewer(kept.waiting, question, read),
  };
}

/** The same list where it keeps all: what is unchanged is neither compared nor written. */
function filtered<T>(list: readonly T[], isKept: (each: T) => boolean): readonly T[] {
  return list.every(isKept) ? list : list.filter(isKept);
}

export function ownerIn({ owners }: KeptDevice, host: string): Owner | undefined {
  const found = owners.find((each) => areOneHost(each.host, host));
  return found && { user: found.user, since: found.since };
}

/** An acceptance ends where a later result of the host rates its hit differently, and stays over. */
function withoutEnded(kept: KeptDevice, { snapshotId }: Question, { result, readAt }: Read): KeptDevice {
  const isEnded = (each: Acceptance) => {
    if (readAt <= each.at || isEarlier(snapshotId, each.snapshotId)) return false;
    if (!areOneHost(each.host, hostOf(result.device))) return false;
    const hits = namedIn(result, each.name).filter(({ match }) => match === 'hit');
    return hits.length > 0 && !hits.some((hit) => isOf(each, hit));
  };
  return { ...kept, accepted: filtered(kept.accepted, (each) => !isEnded(each)) };
}

/** Notes this snapshot for those who wait for a newer one of its host. */
function withNewer(
  waiting: readonly Waiting[],
  { snapshotId }: Question,
  { result }: Read,
): readonly Waiting[] {
  const isMet = (each: Waiting) =>
    isEarlier(each.snapshotId, snapshotId) && !areOtherHosts(each.host, hostOf(result.device));
  return waiting.some(isMet)
    ? waiting.map((each) => (isMet(each) ? { ...each, newer: snapshotId } : each))
    : waiting;
}

/** With this read in place of an earlier one of its snapshot; passed checks alone are compared with nothing. */
function withRead(
  kept: readonly KeptRead[],
  question: Question,
  { result, readAt: at }: Read,
): readonly KeptRead[] {
  const { snapshotId, set } = question;
  const isOfSnapshot = (each: KeptRead) => each.question.snapshotId === snapshotId;
  const known = kept.find(isOfSnapshot);
  if (set === 'miss' || (known !== undefined && known.at >= at)) return kept;
  const hits = listsWholeSide(result, set)
    ? sideOf(result, 'hit').map(({ name, importance }) => ({ name, importance }))
    : undefined;
  if (known !== undefined && at - known.at < RECENT_MS && areAlike(known.hits, hits)) return kept;
  const read = { question, at, host: hostOf(result.device), ...(hits && { hits }) };
  const others = kept.filter((each) => !isOfSnapshot(each));
  const reads = [read, ...others].toSorted((one, other) => other.at - one.at).slice(0, MOST_READS);
  let size = 0;
  return reads.map(({ hits: listed, ...each }, index) => {
    size += listed?.length ?? 0;
    return listed === undefined || (index > 0 && size > MOST_HITS) ? each : { ...each, hits: listed };
  });
}

function areAlike(one: readonly Named[] = [], other: readonly Named[] = []): boolean {
  const isSame = ({ name, importance }: Named, at: number) =>
    name === other[at]?.name && importance === other[at]?.importance;
  return one.length === other.length && one.every(isSame);
}

/** The latest read before this one of another snapshot: of this host, else of another one of the chassis. */
export function lastIn(
  reads: readonly KeptRead[],
  question: Question,
  { result, readAt }: Read,
): LastRead | undefined {
  if (question.set === 'miss') return undefined;
  const { snapshotId } = question;
  const host = hostOf(result.device);
  const others = reads.filter((each) => each.question.snapshotId !== snapshotId && each.at < readAt);
  const last =
    others.find((each) => areOneHost(each.host, host)) ??
    others.find((each) => areOtherHosts(each.host, host));
  if (last === undefined) return undefined;
  const isNewer = isEarlier(snapshotId, last.question.snapshotId);
  const isOtherHost = !areOneHost(last.host, host);
  // Passed checks are not kept, so what a later kept snapshot cleared is unknown.
  const found = isNewer || isOtherHost ? undefined : changesSince(last, question, result);
  return { question: last.question, at: last.at, host: last.host, isNewer, isOtherHost, found };
}

function changesSince(
  { hits }: KeptRead,
  { set }: Question,
  result: DiagnosticsResult,
): Comparison<Named> | undefined {
  return hits && listsWholeSide(result, set)
    ? compareHits<Named>(hits, sideOf(result, 'hit'), passedIn(result))
    : undefined;
}
