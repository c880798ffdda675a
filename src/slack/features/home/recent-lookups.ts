import { compareHits } from '../../../core/comparing.ts';
import type { SnapshotId } from '../../../core/diagnostics.ts';
import type { Fault } from '../../../core/faults.ts';
import { listsWholeSide, sideOf } from '../../../core/importance.ts';
import { isPrivately, type Lookup, type Question } from '../../../core/lookup.ts';
import type { LookupStatus, Unit } from '../../../lookups/lookup-status.ts';
import { findings } from '../../answer/result-words.ts';
import { namedUnits } from '../../answer/rows.ts';
import { changeWords, countsOf } from '../../answer/since.ts';
import { nameOf } from '../../answer/wording.ts';
import type { FeatureParts } from '../../front/context.ts';
import type { DeliveryEvent } from '../../front/feature.ts';

/** One lookup of a person, as the Home tab lists it. */
export type RecentLookup = {
  readonly lookupId: string;
  readonly question: Question;
  readonly before?: Question;
  readonly others?: readonly Question[];
  readonly channel: string;
  /** The message; absent for a private answer, which cannot be linked to. */
  readonly ts?: string;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  readonly state: LookupStatus['kind'];
  /** The counts of a result, `12 hits, 2 critical`, what changed in a comparison, those of each of several, why there is no result; or ''. */
  readonly findings: string;
  /** Of a result: the device's name, or else its serial number. */
  readonly device?: string;
};

const MOST_SHOWN = 10;
/** More than are shown: several can be of one snapshot. */
const MAX_ENTRIES = 30;
const LONGEST_FINDINGS = 120;
const LONGEST_TTL_MS = 7 * 24 * 3_600_000;

/** The person's lookups, one of each snapshot: those that wait first, then the newest. Throws `StorageFailed`. */
export async function recentLookups(user: string, { store }: FeatureParts): Promise<readonly RecentLookup[]> {
  const list = (await store.namespace<readonly RecentLookup[]>('recents').get(user)) ?? [];
  const waitingFirst = list.toSorted((a, b) => Number(isWaiting(b)) - Number(isWaiting(a)));
  const bySubject = new Map(waitingFirst.toReversed().map((recent) => [subjectOf(recent), recent]));
  return waitingFirst.filter((recent) => bySubject.get(subjectOf(recent)) === recent).slice(0, MOST_SHOWN);
}

/** Lists the lookup of an answer for some days. The answer is sent even if the list cannot be stored. */
export async function listRecent(
  { lookup, status, shown }: DeliveryEvent,
  { store, retention, logger }: FeatureParts,
): Promise<void> {
  const recent = recentOf(lookup, status, shown);
  const change = (list: readonly RecentLookup[] = []) => withRecent(list, recent);
  const ttlMs = Math.min(retention.historyMs, LONGEST_TTL_MS);
  try {
    await store.namespace<readonly RecentLookup[]>('recents').change(lookup.askedBy, change, () => ttlMs);
  } catch (error) {
    logger.warn({ err: error }, 'the recent lookups of a person could not be stored');
  }
}

/** Gives the same list back if it holds this entry unchanged. */
function withRecent(list: readonly RecentLookup[], recent: RecentLookup): readonly RecentLookup[] {
  const { lookupId, state, ts } = recent;
  const known = list.find((each) => each.lookupId === lookupId);
  if (known?.state === state && known.ts === ts) return list;
  const others = list.filter((each) => each !== known);
  return [recent, ...others].toSorted((a, b) => b.askedAt - a.askedAt).slice(0, MAX_ENTRIES);
}

function recentOf(
  { id, question, before, others, acceptedAt }: Lookup,
  status: LookupStatus,
  { destination }: DeliveryEvent['shown'],
): RecentLookup {
  const ts = isPrivately(destination) ? undefined : destination.messageTs;
  const device = deviceOf(status);
  return {
    lookupId: id,
    question,
    ...(before === undefined ? {} : { before }),
    ...(others && { others }),
    channel: destination.channel,
    ...(ts === undefined ? {} : { ts }),
    askedAt: acceptedAt,
    state: status.kind,
    findings: findingsOf(question, before, status),
    ...(device === '' ? {} : { device }),
  };
}

function findingsOf(question: Question, before: Question | undefined, status: LookupStatus): string {
  if (status.kind === 'failed') return WHY[status.fault.code]?.(status.question.snapshotId) ?? '';
  if (status.kind !== 'ready') return '';
  if (status.units !== undefined) return eachOf(status.units);
  if (before === undefined) return findings(question, status.result);
  if (status.before === undefined) return '';
  const [was, is] = [status.before.result, status.result];
  if (!listsWholeSide(was, before.set) || !listsWholeSide(is, question.set)) return '';
  return changeWords(countsOf(compareHits(sideOf(was, 'hit'), sideOf(is, 'hit'))));
}

/** `lb-a: 31 hits, 1 critical; lb-b: 33 hits, 2 critical; +2`: a number is never cut, and "+2" counts what is left out. */
function eachOf(units: readonly Unit[]): string {
  const said = namedUnits(units).flatMap((unit) =>
    unit.kind === 'ready' ? [`${unit.name}: ${findings(unit.question, unit.result)}`] : [],
  );
  const listed = said.filter((_, at) => said.slice(0, at + 1).join('; ').length <= LONGEST_FINDINGS);
  const left = said.length - listed.length;
  return [...listed, ...(left > 0 ? [`+${left}`] : [])].join('; ');
}

/** Why there is no result, where that is a matter of the snapshot. */
const WHY: Readonly<Partial<Record<Fault['code'], (id: SnapshotId) => string>>> = {
  'snapshot-not-found': (id) => `the service has no snapshot ${id}`,
  forbidden: (id) => `the bot’s account has no access to ${id}`,
};

function deviceOf(status: LookupStatus): string {
  if (status.kind !== 'ready' || status.units !== undefined) return '';
  return nameOf(status.result);
}

/** What a lookup is about: a snapshot, the two of a comparison, or several. */
function subjectOf({ question, before, others = [] }: RecentLookup): string {
  return [before, question, ...others].map((each) => each?.snapshotId ?? '').join(':');
}

function isWaiting({ state }: RecentLookup): boolean {
  return state === 'waiting';
}
