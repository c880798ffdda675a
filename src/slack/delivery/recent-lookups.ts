import type { Lookup, Question } from '../../core/lookup.ts';
import type { Mutex } from '../../core/mutex.ts';
import type { Namespace } from '../../core/store.ts';
import type { LookupStatus } from '../../lookups/lookup-status.ts';
import { findings } from '../messages/over-message.ts';
import type { DeliveryEvent, DeliveryHook } from './hooked-delivery.ts';

/** One lookup of a person, as the Home tab lists it. */
export type RecentLookup = {
  readonly lookupId: string;
  readonly question: Question;
  readonly before?: Question;
  readonly channel: string;
  /** The message, where there is one that can be linked to: a private answer has none. */
  readonly ts?: string;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  readonly state: LookupStatus['kind'];
  /** Of a result: `12 hits, 2 critical`; or ''. */
  readonly findings: string;
};

type RecentLookupsOptions = {
  readonly kept: Namespace<readonly RecentLookup[]>;
  readonly mutex: Mutex;
  /** For how long the list is kept, a week at most. Milliseconds. */
  readonly historyMs: number;
  /** Hears of what could not be kept: the list is a convenience, and no reason to hold an answer up. */
  readonly onError: (error: unknown) => void;
};

const MOST = 10;
const LONGEST_KEPT_MS = 7 * 24 * 3_600_000;

/** The last lookups of each person, for some days. */
export class RecentLookups implements DeliveryHook {
  readonly #options: RecentLookupsOptions;

  constructor(options: RecentLookupsOptions) {
    this.#options = options;
  }

  /** The person's lookups, those that wait first, else the newest first. Throws `StorageFailed`. */
  async of(user: string): Promise<readonly RecentLookup[]> {
    const list = (await this.#options.kept.get(user)) ?? [];
    const [waiting, over] = [list.filter(isWaiting), list.filter((recent) => !isWaiting(recent))];
    return [...waiting, ...over];
  }

  async after({ lookup, status, shown }: DeliveryEvent): Promise<void> {
    const { kept, mutex, historyMs, onError } = this.#options;
    const recent = recentOf(lookup, status, shown);
    try {
      await mutex.run(`recent:${lookup.askedBy}`, async () => {
        const list = (await kept.get(lookup.askedBy)) ?? [];
        if (list.some((known) => isSame(known, recent))) return;
        const others = list.filter(({ lookupId }) => lookupId !== lookup.id);
        const newestFirst = [recent, ...others].toSorted((a, b) => b.askedAt - a.askedAt);
        await kept.set(lookup.askedBy, newestFirst.slice(0, MOST), Math.min(historyMs, LONGEST_KEPT_MS));
      });
    } catch (error) {
      onError(error);
    }
  }
}

function recentOf(
  { id, question, before, acceptedAt }: Lookup,
  status: LookupStatus,
  { destination }: DeliveryEvent['shown'],
): RecentLookup {
  const isPrivate = destination.response?.isInUse === true || destination.response?.replaces === true;
  const ts = isPrivate ? undefined : destination.messageTs;
  return {
    lookupId: id,
    question,
    ...(before === undefined ? {} : { before }),
    channel: destination.channel,
    ...(ts === undefined ? {} : { ts }),
    askedAt: acceptedAt,
    state: status.kind,
    findings: status.kind === 'ready' && question.set !== 'miss' ? findings(question, status.result) : '',
  };
}

function isWaiting({ state }: RecentLookup): boolean {
  return state === 'waiting';
}

function isSame(one: RecentLookup, other: RecentLookup): boolean {
  return one.lookupId === other.lookupId && one.state === other.state && one.ts === other.ts;
}
