import { type Acceptance, isOf } from '../core/comparing.ts';
import { type Diagnostic, type DiagnosticsResult, identityOf, type SnapshotId } from '../core/diagnostics.ts';
import type { Asked, Question } from '../core/lookup.ts';
import type { Namespace } from '../core/store.ts';
import * as record from './device-record.ts';
import type { Answers, Owner, Read, Unit } from './lookup-status.ts';

type Parts = {
  readonly namespace: Namespace<record.DeviceRecord>;
  readonly historyMs: number;
  /** The id of the workspace. The bot never shows what it knows of a device from another workspace. */
  readonly workspace: () => Promise<string>;
  readonly now: () => number;
  /** Called with storage errors. An answer is sent even if nothing is known of its device. */
  readonly onError: (error: unknown) => void;
};

const NOT_KNOWN: record.Known = { lastRead: undefined, accepted: [], owner: undefined, awaitedBy: [] };
/** How long a device has an owner. Milliseconds. */
export const OWNED_MS = 30 * 24 * 3_600_000;
/** The most acceptances of a device, because all of them are read with each of its results. */
export const MOST_ACCEPTED = 200;

/**
 * What the bot knows of devices: earlier results, accepted hits, owners, and follows that wait for a newer snapshot.
 * The store has one value for each device.
 */
export class Devices {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Adds to results what is known of their devices: accepted hits, the follows that waited, the previous result (not
   * for a comparison or a search) and the owner (not for several). `isNew`: the results came from the service, so they
   * are recorded. Does not throw.
   */
  async complete<A extends Answers>(
    { question, before, search, side }: Asked,
    answers: A,
    isNew = true,
  ): Promise<A> {
    if (answers.units !== undefined)
      return { ...answers, units: await this.completeEach(answers.units, isNew) };
    // If both snapshots are of one device, the store joins the two changes into one write.
    const [{ lastRead, accepted, owner, awaitedBy }] = await Promise.all([
      this.#known(question, answers, isNew),
      isNew && before && answers.before && this.#known(before, answers.before, true),
    ]);
    const isPlain = before === undefined && search === undefined;
    return {
      ...answers,
      ...(lastRead && isPlain && { lastRead }),
      ...((side ?? question.set) !== 'miss' && { accepted }),
      ...(owner && { owner }),
      awaitedBy,
    };
  }

  /** `complete` for several snapshots, some of which may have no result. */
  completeEach(units: readonly Unit[], isNew = true): Promise<Unit[]> {
    const each = async (unit: Unit): Promise<Unit> => {
      if (unit.kind !== 'ready') return unit;
      const { lastRead, accepted, awaitedBy } = await this.#known(unit.question, unit, isNew);
      return { ...unit, accepted, awaitedBy, ...(lastRead && { lastRead }) };
    };
    return Promise.all(units.map(each));
  }

  /** What is known of the device of a result. Records nothing. Throws `storage-failed`. */
  async of(question: Question, read: Read): Promise<record.Known> {
    return record.knownOf(await this.#kept(await this.keyOf(question, read.result)), question, read);
  }

  /** Accepts a hit of this device, or without `accepted` ends its acceptance. False if there are too many acceptances. */
  async accept(
    question: Question,
    { result }: Read,
    hit: Diagnostic,
    accepted?: Acceptance,
  ): Promise<boolean> {
    const [, after] = await this.#change(await this.keyOf(question, result), (kept) => {
      const others = kept.accepted.filter((each) => !isOf(each, hit));
      const changed = accepted === undefined ? others : [...others, accepted];
      return changed.length > MOST_ACCEPTED ? kept : { ...kept, accepted: changed };
    });
    return accepted === undefined || after.accepted.includes(accepted);
  }

  /** The owner of a device. Throws `storage-failed`. */
  async ownerOf(key: string): Promise<Owner | undefined> {
    return (await this.#kept(key)).owners[0];
  }

  /** Sets or clears the owner: `make` returns the new owner. Throws `storage-failed`. */
  async setOwner(
    key: string,
    make: (before: Owner | undefined) => Owner | undefined,
  ): Promise<{ readonly before: Owner | undefined; readonly after: Owner | undefined }> {
    const [before, after] = await this.#change(key, (kept) => {
      const owner = make(kept.owners[0]);
      return { ...kept, owners: owner ? [{ ...owner, until: owner.since + OWNED_MS }] : [] };
    });
    return { before: before.owners[0], after: after.owners[0] };
  }

  /** Adds or removes a follow that waits for a newer snapshot of the device. Throws `storage-failed`. */
  async setWaiting(key: string, id: string, waiting?: record.Waiting): Promise<void> {
    await this.#change(key, (kept) => {
      const others = kept.waiting.filter((each) => each.id !== id);
      return { ...kept, waiting: waiting === undefined ? others : [...others, waiting] };
    });
  }

  /** The newer snapshot that a follow waits for; undefined until somebody looks one up. Throws `storage-failed`. */
  async newerFor(key: string, id: string): Promise<SnapshotId | undefined> {
    return record.newerFor(await this.#kept(key), id);
  }

  /** The key of a device in the store; for an unknown device, a key of its snapshot. */
  async keyOf({ snapshotId }: Question, { device }: DiagnosticsResult): Promise<string> {
    return `${await this.#parts.workspace()}:${identityOf(device) ?? `snapshot:${snapshotId}`}`;
  }

  async #known(question: Question, read: Read, isNew: boolean): Promise<record.Known> {
    try {
      if (!isNew) return await this.of(question, read);
      const withThis = (kept: record.DeviceRecord) =>
        record.withRead(kept, question, read, this.#parts.historyMs);
      const [, after] = await this.#change(await this.keyOf(question, read.result), withThis);
      return record.knownOf(after, question, read);
    } catch (error) {
      this.#parts.onError(error);
      return NOT_KNOWN;
    }
  }

  async #kept(key: string): Promise<record.DeviceRecord> {
    return record.unexpired(await this.#parts.namespace.get(key), this.#parts.now());
  }

  /** Changes the record of a device, after its expired entries were dropped. */
  async #change(key: string, make: (kept: record.DeviceRecord) => record.DeviceRecord) {
    const now = this.#parts.now();
    const change = (stored?: record.DeviceRecord) => {
      const after = make(record.unexpired(stored, now));
      return record.endOf(after) === 0 ? undefined : after;
    };
    const keptMs = (after: record.DeviceRecord) => record.endOf(after) - now;
    const [before, after = record.NOTHING] = await this.#parts.namespace.change(key, change, keptMs);
    return [record.unexpired(before, now), after] as const;
  }
}
