import { isDeepStrictEqual } from 'node:util';
import { type Acceptance, compareHits, type Named } from '../core/comparing.ts';
import { isEarlier, type SnapshotId } from '../core/diagnostics.ts';
import { listsWholeSide, passedIn, sideOf } from '../core/importance.ts';
import type { Question } from '../core/lookup.ts';
import type { Answers, LastRead, Owner, Read } from './lookup-status.ts';

/** A part of the record. `until`: when it expires, in epoch milliseconds. */
type Entry = { readonly until: number };

/** The hits of a result, with the time of reading it. `hits` is absent if the result did not list all hits. */
type KeptRead = Entry & {
  readonly question: Question;
  readonly at: number;
  readonly hits?: readonly Named[];
};

/** A follow that waits for a newer snapshot than `snapshotId`. */
export type Waiting = Entry & {
  readonly id: string;
  readonly user: string;
  readonly snapshotId: SnapshotId;
};

/** What the store keeps about a device. */
export type DeviceRecord = {
  /** The latest result of each snapshot, the latest first. */
  readonly reads: readonly KeptRead[];
  readonly accepted: readonly Acceptance[];
  /** Has at most one entry. */
  readonly owners: readonly (Entry & Owner)[];
  readonly waiting: readonly Waiting[];
};

/** What is known of the device of a result: its previous result, accepted hits, owner, and the follows that waited. */
export type Known = Pick<Required<Answers>, 'accepted' | 'awaitedBy'> & {
  readonly lastRead: LastRead | undefined;
  readonly owner: Owner | undefined;
};

export const NOTHING: DeviceRecord = { reads: [], accepted: [], owners: [], waiting: [] };
const MOST_READS = 10;
/** The most hits that are stored of a result; of a result with more hits, none are stored. */
const MOST_HITS = 1_000;
/**
 * A result with the same hits as one read within this time is not stored again, because many people look up the same
 * snapshot. Milliseconds.
 */
const RECENT_MS = 3_600_000;

/** When the last entry expires; 0 without entries. */
export function endOf({ reads, accepted, owners, waiting }: DeviceRecord): number {
  return Math.max(0, ...[...reads, ...accepted, ...owners, ...waiting].map(({ until }) => until));
}

export function unexpired({ reads, accepted, owners, waiting } = NOTHING, now: number): DeviceRecord {
  const isLive = ({ until }: Entry) => until > now;
  return {
    reads: reads.filter(isLive),
    accepted: accepted.filter(isLive),
    owners: owners.filter(isLive),
    waiting: waiting.filter(isLive),
  };
}

export function knownOf(kept: DeviceRecord, question: Question, read: Read): Known {
  return {
    lastRead: lastReadIn(kept, question, read),
    accepted: kept.accepted,
    owner: kept.owners[0],
    awaitedBy: kept.waiting
      .filter(({ snapshotId }) => isEarlier(snapshotId, question.snapshotId))
      .map(({ id }) => id),
  };
}

/** The newer snapshot that a follow waits for; undefined until somebody looks one up. */
export function newerFor({ waiting, reads }: DeviceRecord, id: string): SnapshotId | undefined {
  const follow = waiting.find((each) => each.id === id);
  const isNewer = ({ question }: KeptRead) =>
    follow !== undefined && isEarlier(follow.snapshotId, question.snapshotId);
  return reads.find(isNewer)?.question.snapshotId;
}

/** The record with this result in place of an earlier one of the snapshot; without change for passed checks only. */
export function withRead(
  kept: DeviceRecord,
  question: Question,
  { result, readAt: at }: Read,
  historyMs: number,
): DeviceRecord {
  const known = kept.reads.find((each) => each.question.snapshotId === question.snapshotId);
  if (question.set === 'miss' || (known !== undefined && known.at >= at)) return kept;
  const listed = sideOf(result, 'hit').map(({ name, importance }) => ({ name, importance }));
  const isWhole = listed.length <= MOST_HITS && listsWholeSide(result, question.set);
  const hits = isWhole ? listed : undefined;
  if (known !== undefined && at - known.at < RECENT_MS && isDeepStrictEqual(known.hits, hits)) return kept;
  const read = { question, at, until: at + historyMs, ...(hits && { hits }) };
  const reads = [read, ...kept.reads.filter((each) => each !== known)];
  return { ...kept, reads: reads.toSorted((one, other) => other.at - one.at).slice(0, MOST_READS) };
}

/** The result of another snapshot that was read last before this one, and the changes since then. */
function lastReadIn({ reads }: DeviceRecord, question: Question, { result, readAt }: Read) {
  const { snapshotId, set } = question;
  const isLast = (each: KeptRead) => each.question.snapshotId !== snapshotId && each.at < readAt;
  const last = set === 'miss' ? undefined : reads.find(isLast);
  if (last === undefined) return undefined;
  const isNewer = isEarlier(snapshotId, last.question.snapshotId);
  // The store has no passed checks, so it can't tell which hits a newer snapshot cleared.
  const before = isNewer || !listsWholeSide(result, set) ? undefined : last.hits;
  const found = before && compareHits<Named>(before, sideOf(result, 'hit'), passedIn(result));
  return { question: last.question, at: last.at, isNewer, found };
}
