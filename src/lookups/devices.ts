import { isDeepStrictEqual } from 'node:util';
import { type Acceptance, compareHits, isOf, type Named } from '../core/comparing.ts';
import {
  type Diagnostic,
  type DiagnosticsResult,
  identityOf,
  isEarlier,
  type SnapshotId,
} from '../core/diagnostics.ts';
import { listsWholeSide, passedIn, sideOf } from '../core/importance.ts';
import type { Asked, Question } from '../core/lookup.ts';
import { Entries, type Namespace, ofKind } from '../core/store.ts';
import type { Answers, LastRead, Owner, Read, Unit } from './lookup-status.ts';

/** The hits of a result, and when it was read. `hits` is absent if the result did not list all hits. */
type KeptRead = {
  readonly kind: 'read';
  readonly question: Question;
  readonly at: number;
  readonly hits?: readonly Named[];
};

/** A follow that waits for a newer snapshot than `snapshotId`. */
type Waiting = {
  readonly kind: 'waiting';
  readonly id: string;
  readonly user: string;
  readonly snapshotId: SnapshotId;
};

/** What the store keeps about a device: the latest result of each snapshot, acceptances, one owner, and follows. */
export type DeviceEntry = { readonly until: number } & (
  | KeptRead
  | (Acceptance & { readonly kind: 'accepted' })
  | (Owner & { readonly kind: 'owner' })
  | Waiting
);
type Kept = readonly DeviceEntry[];

type Parts = {
  readonly namespace: Namespace<Kept>;
  readonly historyMs: number;
  /** The id of the workspace. What is known of a device is never shown in another workspace. */
  readonly workspace: () => Promise<string>;
  readonly now: () => number;
  /** Called with storage errors. The answer is then sent without the stored facts about its device. */
  readonly onError: (error: unknown) => void;
};

/** What is known of a result's device: its previous result, accepted hits, owner, and follows that waited for it. */
type Known = Pick<Answers, 'lastRead' | 'accepted' | 'owner' | 'awaitedBy'>;

/** How long a device has an owner. Milliseconds. */
export const OWNED_MS = 30 * 24 * 3_600_000;
const MOST_READS = 10;
/** The most hits that are stored of a result. A longer list is not stored at all. */
const MOST_HITS = 1_000;
/** How long a result with the same hits is not stored again, because many people look up one snapshot. Milliseconds. */
const RECENT_MS = 3_600_000;

/**
 * What the bot knows of devices: earlier results, accepted hits, owners, and follows that wait for a newer snapshot.
 * The store has one value for each device.
 */
export class Devices {
  readonly #parts: Parts;
  readonly #entries: Entries<DeviceEntry>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#entries = new Entries(parts.namespace, parts.now);
  }

  /** Adds what is stored of their devices to results. `isNew`: they are recorded, too. Does not throw. */
  async complete<A extends Answers>({ question, before }: Asked, answers: A, isNew = true): Promise<A> {
    if (answers.units !== undefined)
      return { ...answers, units: await this.completeEach(answers.units, isNew) };
    // If both snapshots are of one device, the store joins the two changes into one write.
    const [known] = await Promise.all([
      this.#known(question, answers, isNew),
      isNew && before && answers.before && this.#known(before, answers.before, true),
    ]);
    return { ...answers, ...known };
  }

  /** Like `complete`, for several snapshots; some may have no result. */
  completeEach(units: readonly Unit[], isNew = true): Promise<Unit[]> {
    const each = async (unit: Unit): Promise<Unit> =>
      unit.kind === 'ready' ? { ...unit, ...(await this.#known(unit.question, unit, isNew)) } : unit;
    return Promise.all(units.map(each));
  }

  /** What is known of the device of a result. Records nothing. Throws `storage-failed`. */
  async of(question: Question, read: Read): Promise<Known> {
    return knownIn(await this.#entries.at(await this.keyOf(question, read.result)), question, read);
  }

  /** Accepts a hit for this device; without `accepted`, ends the hit's acceptance. Throws `storage-failed`. */
  async accept(question: Question, { result }: Read, hit: Diagnostic, accepted?: Acceptance): Promise<void> {
    await this.#entries.change(await this.keyOf(question, result), (kept) => {
      const others = kept.filter((each) => each.kind !== 'accepted' || !isOf(each, hit));
      return accepted === undefined ? others : [...others, { ...accepted, kind: 'accepted' }];
    });
  }

  /** The owner of a device. Throws `storage-failed`. */
  async ownerOf(key: string): Promise<Owner | undefined> {
    return ownerIn(await this.#entries.at(key));
  }

  /** Sets or clears the owner: `make` returns the new owner. Throws `storage-failed`. */
  async setOwner(
    key: string,
    make: (before: Owner | undefined) => Owner | undefined,
  ): Promise<{ readonly before: Owner | undefined; readonly after: Owner | undefined }> {
    const { before, after } = await this.#entries.change(key, (kept) => {
      const owner = make(ownerIn(kept));
      const others = kept.filter(({ kind }) => kind !== 'owner');
      return owner ? [...others, { ...owner, kind: 'owner', until: owner.since + OWNED_MS }] : others;
    });
    return { before: ownerIn(before), after: ownerIn(after) };
  }

  /** Adds or removes a follow that waits for a newer snapshot of the device. Throws `storage-failed`. */
  async setWaiting(
    key: string,
    id: string,
    waiting?: { readonly user: string; readonly snapshotId: SnapshotId; readonly until: number },
  ): Promise<void> {
    await this.#entries.change(key, (kept) => {
      const others = kept.filter((each) => each.kind !== 'waiting' || each.id !== id);
      return waiting === undefined ? others : [...others, { ...waiting, kind: 'waiting', id }];
    });
  }

  /** A snapshot of the device that is newer than this one, if it was looked up. Throws `storage-failed`. */
  async newerThan(snapshotId: SnapshotId, key: string): Promise<SnapshotId | undefined> {
    const reads = ofKind(await this.#entries.at(key), 'read');
    return reads.map(({ question }) => question.snapshotId).find((each) => isEarlier(snapshotId, each));
  }

  /** The key of a device in the store; for an unknown device, a key of its snapshot. */
  async keyOf({ snapshotId }: Question, { device }: DiagnosticsResult): Promise<string> {
    return `${await this.#parts.workspace()}:${identityOf(device) ?? `snapshot:${snapshotId}`}`;
  }

  async #known(question: Question, read: Read, isNew: boolean): Promise<Known> {
    try {
      // A result with passed checks only is not recorded.
      if (!isNew || question.set === 'miss') return await this.of(question, read);
      const withThis = (kept: Kept) => withRead(kept, question, read, this.#parts.historyMs);
      const { after } = await this.#entries.change(await this.keyOf(question, read.result), withThis);
      return knownIn(after, question, read);
    } catch (error) {
      this.#parts.onError(error);
      return {};
    }
  }
}

function knownIn(kept: Kept, question: Question, read: Read): Known {
  const [lastRead, owner] = [lastReadIn(kept, question, read), ownerIn(kept)];
  const waiting = ofKind(kept, 'waiting').filter((each) => isEarlier(each.snapshotId, question.snapshotId));
  return {
    accepted: ofKind(kept, 'accepted'),
    awaitedBy: waiting.map(({ id }) => id),
    ...(lastRead && { lastRead }),
    ...(owner && { owner }),
  };
}

function ownerIn(kept: Kept): Owner | undefined {
  return ofKind(kept, 'owner')[0];
}

/** Adds a result, in place of an earlier result of the same snapshot; latest result first. */
function withRead(kept: Kept, question: Question, { result, readAt: at }: Read, historyMs: number): Kept {
  const reads = ofKind(kept, 'read');
  const known = reads.find((each) => each.question.snapshotId === question.snapshotId);
  const listed = sideOf(result, 'hit').map(({ name, importance }) => ({ name, importance }));
  const isWhole = listed.length <= MOST_HITS && listsWholeSide(result, question.set);
  const hits = isWhole ? listed : undefined;
  const isKnown = known !== undefined && at - known.at < RECENT_MS && isDeepStrictEqual(known.hits, hits);
  if (isKnown || (known !== undefined && known.at >= at)) return kept;
  const read = { kind: 'read', question, at, until: at + historyMs, ...(hits && { hits }) } as const;
  const latest = [read, ...reads.filter((each) => each !== known)].toSorted(
    (one, other) => other.at - one.at,
  );
  return [...latest.slice(0, MOST_READS), ...kept.filter(({ kind }) => kind !== 'read')];
}

/** The result of the device's newest other snapshot, and the changes since then. */
function lastReadIn(
  kept: Kept,
  { snapshotId, set }: Question,
  { result, readAt }: Read,
): LastRead | undefined {
  const [last] = ofKind(kept, 'read')
    .filter((each) => each.question.snapshotId !== snapshotId && each.at < readAt)
    .toSorted((one, other) => (isEarlier(one.question.snapshotId, other.question.snapshotId) ? 1 : -1));
  if (last === undefined || set === 'miss') return undefined;
  const isNewer = isEarlier(snapshotId, last.question.snapshotId);
  // The store has no passed checks, so it can't tell which hits a newer snapshot cleared.
  const before = isNewer || !listsWholeSide(result, set) ? undefined : last.hits;
  const found = before && compareHits<Named>(before, sideOf(result, 'hit'), passedIn(result));
  return { question: last.question, at: last.at, isNewer, found };
}
