import { type Acceptance, isOf } from '../core/comparing.ts';
import { type Diagnostic, type DiagnosticsResult, identityOf, type SnapshotId } from '../core/diagnostics.ts';
import type { Asked, Question } from '../core/lookup.ts';
import type { Namespace } from '../core/store.ts';
import * as record from './device-record.ts';
import type { Answers, Owner, Read, Unit } from './lookup-status.ts';

type Parts = {
  readonly namespace: Namespace<record.DeviceRecord>;
  readonly historyMs: number;
  /** The workspace that the bot serves: what is known of a device in another one is never shown. */
  readonly workspace: () => Promise<string>;
  readonly now: () => number;
  /** Called with storage errors: an answer is sent even if nothing is known of its device. */
  readonly onError: (error: unknown) => void;
};

const NOT_KNOWN: record.Known = { lastRead: undefined, accepted: [], owner: undefined, awaitedBy: [] };
/** For how long a device has an owner. */
export const OWNED_MS = 30 * 24 * 3_600_000;
/** The most acceptances of a device: each is read with every result of it. */
export const MOST_ACCEPTED = 200;

/**
 * What the bot knows of devices besides their results: earlier reads, accepted hits, owners, and who waits for a newer
 * snapshot. One value a device.
 */
export class Devices {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Adds to results what is known of their devices: accepted hits, the follows that waited, the last read (not for a
   * comparison or a search) and the owner (not for several). `isNew`: the service was asked, so the read is recorded.
   * Does not throw.
   */
  async complete<A extends Answers>(
    { question, before, search, side }: Asked,
    answers: A,
    isNew = true,
  ): Promise<A> {
    if (answers.units !== undefined)
      return { ...answers, units: await this.completeEach(answers.units, isNew) };
    // Two snapshots of one device are recorded with one write.
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

  /** `complete` for several snapshots; some may have no result. */
  completeEach(units: readonly Unit[], isNew = true): Promise<Unit[]> {
    const each = async (unit: Unit): Promise<Unit> => {
      if (unit.kind !== 'ready') return unit;
      const { lastRead, accepted, awaitedBy } = await this.#known(unit.question, unit, isNew);
      return { ...unit, accepted, awaitedBy, ...(lastRead && { lastRead }) };
    };
    return Promise.all(units.map(each));
  }

  /** What is known of the device of a result; does not record a read. Throws `storage-failed`. */
  async of(question: Question, read: Read): Promise<record.Known> {
    return record.knownOf(await this.#kept(await this.keyOf(question, read.result)), question, read);
  }

  /** Accepts a hit of this result, or takes the acceptance back. False if there is no room. */
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

  /** Who owns a device. Throws `storage-failed`. */
  async ownerOf(key: string): Promise<Owner | undefined> {
    return (await this.#kept(key)).owners[0];
  }

  /** Sets or clears the owner, as `make` says. Throws `storage-failed`. */
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

  /** Adds a follow that waits for a newer snapshot of a device, or removes it. Throws `storage-failed`. */
  async setWaiting(key: string, id: string, waiting?: record.Waiting): Promise<void> {
    await this.#change(key, (kept) => {
      const others = kept.waiting.filter((each) => each.id !== id);
      return { ...kept, waiting: waiting === undefined ? others : [...others, waiting] };
    });
  }

  /** The newer snapshot that a follow waits for; undefined while none was looked up. Throws `storage-failed`. */
  async newerFor(key: string, id: string): Promise<SnapshotId | undefined> {
    return record.newerFor(await this.#kept(key), id);
  }

  /** The key that a device is stored under; a device without an identity is stored under its snapshot. */
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

  /** Changes what is known of a device; what has expired is dropped first. */
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
