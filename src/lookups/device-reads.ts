import { type Comparison, compareHits, type Named } from '../core/comparing.ts';
import { areOneHost, areOtherHosts, type DiagnosticsResult, hostOf, isEarlier } from '../core/diagnostics.ts';
import { listsWholeSide, passedIn, sideOf } from '../core/importance.ts';
import type { Question } from '../core/lookup.ts';
import type { DeviceRead, LastRead, Read } from './lookup-status.ts';

/** A read of a snapshot, and the hits that it listed; absent if the document did not list all, or if they are too many. */
export type KeptRead = DeviceRead & { readonly host: string; readonly hits?: readonly Named[] };

const MOST_READS = 30;
/** A read that says the same as one of this short a time ago is not stored: many people look one snapshot up. */
const RECENT_MS = 3_600_000;
/** The hits that are kept of the reads of one device; those of the latest one are kept in any case. */
const MOST_HITS = 5_000;

/** With this read in place of an earlier one of its snapshot; passed checks alone are compared with nothing. */
export function withRead(
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
  // Of a later snapshot no passed check is kept, so that what it cleared is unknown.
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
