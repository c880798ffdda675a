import { isPrivately } from '../../core/destination.ts';
import { hostOf } from '../../core/device-identity.ts';
import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import { GatheredChanges } from '../../core/gathered-changes.ts';
import type { Lookup, Question } from '../../core/lookup.ts';
import type { Mutex } from '../../core/mutex.ts';
import type { Namespace } from '../../core/store.ts';
import type { LookupStatus } from '../../lookups/lookup-status.ts';
import { findings } from '../answer/over-message.ts';
import { shorten } from '../block-kit/limits.ts';
import type { DeliveryEvent, DeliveryHook } from './hooked-delivery.ts';

/** One lookup of a person, as the Home tab lists it. */
export type RecentLookup = {
  readonly lookupId: string;
  readonly question: Question;
  readonly before?: Question;
  readonly channel: string;
  /** The message; absent for a private answer, which cannot be linked to. */
  readonly ts?: string;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  readonly state: LookupStatus['kind'];
  /** The counts of a result, `12 hits, 2 critical`; or ''. */
  readonly findings: string;
  /** Of a result: the device's name, or else its serial number. */
  readonly device?: string;
};

type RecentLookupsOptions = {
  readonly namespace: Namespace<readonly RecentLookup[]>;
  readonly mutex: Mutex;
  /** How long the list is stored, a week at most. Milliseconds. */
  readonly historyMs: number;
  /** Called with storage errors: an answer is sent even if the list cannot be stored. */
  readonly onError: (error: unknown) => void;
};

const MOST_SHOWN = 10;
/** More than are shown: several can be of one snapshot. */
const MAX_ENTRIES = 30;
const LONGEST_DEVICE = 60;
const LONGEST_TTL_MS = 7 * 24 * 3_600_000;

/** The latest lookups of each person, for some days. */
export class RecentLookups implements DeliveryHook {
  readonly #options: RecentLookupsOptions;
  readonly #lists: GatheredChanges<readonly RecentLookup[]>;

  constructor(options: RecentLookupsOptions) {
    this.#options = options;
    const ttlMs = Math.min(options.historyMs, LONGEST_TTL_MS);
    this.#lists = new GatheredChanges({ ...options, name: 'recent', ttlMs });
  }

  /** The person's lookups: those that wait first, then the newest first. Throws `StorageFailed`. */
  async of(user: string): Promise<readonly RecentLookup[]> {
    const list = (await this.#options.namespace.get(user)) ?? [];
    const [waiting, over] = [list.filter(isWaiting), list.filter((recent) => !isWaiting(recent))];
    const bySubject = Map.groupBy([...waiting, ...over], subjectOf);
    return [...bySubject.values()].flatMap((some) => some.slice(0, 1)).slice(0, MOST_SHOWN);
  }

  async after({ lookup, status, shown }: DeliveryEvent): Promise<void> {
    const recent = recentOf(lookup, status, shown);
    try {
      await this.#lists.make(lookup.askedBy, (list = []) => withRecent(list, recent));
    } catch (error) {
      this.#options.onError(error);
    }
  }
}

/** Gives the same list back if it holds this entry unchanged. */
function withRecent(list: readonly RecentLookup[], recent: RecentLookup): readonly RecentLookup[] {
  if (list.some((known) => isSame(known, recent))) return list;
  const others = list.filter(({ lookupId }) => lookupId !== recent.lookupId);
  return [recent, ...others].toSorted((a, b) => b.askedAt - a.askedAt).slice(0, MAX_ENTRIES);
}

function recentOf(
  { id, question, before, acceptedAt }: Lookup,
  status: LookupStatus,
  { destination }: DeliveryEvent['shown'],
): RecentLookup {
  const ts = isPrivately(destination) ? undefined : destination.messageTs;
  return {
    lookupId: id,
    question,
    ...(before === undefined ? {} : { before }),
    channel: destination.channel,
    ...(ts === undefined ? {} : { ts }),
    askedAt: acceptedAt,
    state: status.kind,
    ...(status.kind === 'ready' ? foundIn(question, status.result, before) : { findings: '' }),
  };
}

function foundIn(
  question: Question,
  result: DiagnosticsResult,
  before: Question | undefined,
): Pick<RecentLookup, 'findings' | 'device'> {
  const device = shorten(hostOf(result.device) || result.device.chassisSerial, LONGEST_DEVICE);
  return {
    findings: before === undefined ? findings(question, result) : '',
    ...(device === '' ? {} : { device }),
  };
}

/** What a lookup is about: a snapshot, or the two of a comparison. */
function subjectOf({ question, before }: RecentLookup): string {
  return `${before?.snapshotId ?? ''}:${question.snapshotId}`;
}

function isWaiting({ state }: RecentLookup): boolean {
  return state === 'waiting';
}

function isSame(one: RecentLookup, other: RecentLookup): boolean {
  return one.lookupId === other.lookupId && one.state === other.state && one.ts === other.ts;
}
