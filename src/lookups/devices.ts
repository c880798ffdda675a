import { type Acceptance, isOf } from '../core/comparing.ts';
import {
  areOneHost,
  type Diagnostic,
  type DiagnosticsResult,
  hostOf,
  identityOf,
  isEarlier,
} from '../core/diagnostics.ts';
import { namedIn } from '../core/importance.ts';
import type { Asked, Question } from '../core/lookup.ts';
import type { Namespace } from '../core/store.ts';
import { type KeptRead, lastIn, withRead } from './device-reads.ts';
import type { Answers, LastRead, Owner, Read, Unit } from './lookup-status.ts';

/** What is kept of a device. A chassis can hold several hosts: each entry names its own, '' for one without a name. */
export type KeptDevice = {
  /** The latest read of each snapshot, the latest first. It does not say who read it, or where. */
  readonly reads: readonly KeptRead[];
  readonly accepted: readonly Acceptance[];
  readonly owners: readonly (Owner & { readonly host: string })[];
};

/** A device in the store, and its host. */
type DeviceKey = { readonly key: string; readonly host: string };

type Parts = {
  readonly namespace: Namespace<KeptDevice>;
  readonly historyMs: number;
  /** The workspace that the bot serves: what is known of a device in another one is never shown. */
  readonly workspace: () => Promise<string>;
  readonly now: () => number;
  /** Called with storage errors: an answer is sent even if nothing is known of its device. */
  readonly onError: (error: unknown) => void;
};

/** For how long a device has an owner. */
export const OWNED_MS = 30 * 24 * 3_600_000;
const NOTHING: KeptDevice = { reads: [], accepted: [], owners: [] };
/** The most acceptances of a device: each is read with every result of it. */
export const MOST_ACCEPTED = 200;

/** What the bot knows of devices besides their results: earlier reads, accepted hits, and owners. One value a device. */
export class Devices {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Gives results with the last read of each device, except of a comparison or a search, with what was accepted, and with
   * the owner, except of several. `isNew`: the service was asked, which is recorded. Does not throw.
   */
  async complete<A extends Answers>(
    { question, before, search, side }: Asked,
    answers: A,
    isNew = true,
  ): Promise<A> {
    if (answers.units !== undefined)
      return { ...answers, units: await this.completeEach(answers.units, isNew) };
    // Two of one device are recorded with one write.
    const [, known] = await Promise.all([
      isNew && before && answers.before && this.#record(before, answers.before),
      this.#known(question, answers, isNew),
    ]);
    const { lastRead, accepted, owner } = known;
    const isPlain = before === undefined && search === undefined;
    return {
      ...answers,
      ...(lastRead && isPlain && { lastRead }),
      ...((side ?? question.set) !== 'miss' && { accepted }),
      ...(owner && { owner }),
    };
  }

  /** The same for several snapshots; some may have no result. */
  completeEach(units: readonly Unit[], isNew = true): Promise<Unit[]> {
    const each = async (unit: Unit): Promise<Unit> => {
      if (unit.kind !== 'ready') return unit;
      const { lastRead, accepted } = await this.#known(unit.question, unit, isNew);
      return { ...unit, accepted, ...(lastRead && { lastRead }) };
    };
    return Promise.all(units.map(each));
  }

  /** What is known of the device of a result, without recording that it was read. Throws `storage-failed`. */
  async of(question: Question, read: Read): Promise<Known> {
    const { namespace, now, historyMs } = this.#parts;
    const kept = await namespace.get(await this.keyOf(question, read.result));
    return knownOf(unexpired(kept, now(), historyMs), question, read);
  }

  /** What was accepted for the device of a result, where nothing else of it is shown. Does not throw. */
  async acceptedFor(question: Question, read: Read): Promise<readonly Acceptance[]> {
    return (await this.#known(question, read, false)).accepted;
  }

  /** Replaces what is said of a hit of this result by this acceptance, or takes it back. False if there is no room. */
  async accept(
    question: Question,
    { result }: Read,
    hit: Diagnostic,
    accepted?: Acceptance,
  ): Promise<boolean> {
    const host = hostOf(result.device);
    const { after } = await this.#change(await this.keyOf(question, result), (kept) => {
      const others = kept.accepted.filter((each) => !(isOf(each, hit) && areOneHost(each.host, host)));
      const changed = accepted === undefined ? others : [...others, accepted];
      return changed.length > MOST_ACCEPTED ? kept : { ...kept, accepted: changed };
    });
    return accepted === undefined || after.accepted.includes(accepted);
  }

  /** Who owns a device. Throws `storage-failed`. */
  async ownerOf({ key, host }: DeviceKey): Promise<Owner | undefined> {
    const { namespace, now, historyMs } = this.#parts;
    return ownerIn(unexpired(await namespace.get(key), now(), historyMs), host);
  }

  /** Sets or clears the owner, as `make` says. Throws `storage-failed`. */
  async setOwner(
    { key, host }: DeviceKey,
    make: (before: Owner | undefined) => Owner | undefined,
  ): Promise<{ readonly before: Owner | undefined; readonly after: Owner | undefined }> {
    const { before, after } = await this.#change(key, (kept) => {
      const owner = make(ownerIn(kept, host));
      const others = kept.owners.filter((each) => !areOneHost(each.host, host));
      return { ...kept, owners: owner === undefined ? others : [...others, { ...owner, host }] };
    });
    return { before: ownerIn(before, host), after: ownerIn(after, host) };
  }

  /** A name of the device in this workspace; undefined if it can't be told from others. */
  async nameOf({ device }: DiagnosticsResult): Promise<string | undefined> {
    const identity = identityOf(device);
    return identity && `${await this.#parts.workspace()}:${identity}`;
  }

  /** Under which key a device is kept: where it has no name, it is known by its snapshot. */
  async keyOf({ snapshotId }: Question, result: DiagnosticsResult): Promise<string> {
    return (await this.nameOf(result)) ?? `${await this.#parts.workspace()}:snapshot:${snapshotId}`;
  }

  #known(question: Question, read: Read, isNew: boolean): Promise<Known> {
    return isNew ? this.#record(question, read) : this.#orNothing(() => this.of(question, read));
  }

  #record(question: Question, read: Read): Promise<Known> {
    return this.#orNothing(async () => {
      const { before, after } = await this.#change(await this.keyOf(question, read.result), (kept) => ({
        ...withoutEnded(kept, question, read),
        reads: withRead(kept.reads, question, read),
      }));
      return { ...knownOf(after, question, read), lastRead: lastIn(before.reads, question, read) };
    });
  }

  /** Changes what is known of a device; what has expired is dropped first. */
  async #change(key: string, make: (kept: KeptDevice) => KeptDevice) {
    const { namespace, now, historyMs } = this.#parts;
    const time = now();
    let before = NOTHING;
    const change = (stored: KeptDevice | undefined) => {
      before = unexpired(stored, time, historyMs);
      const { reads, accepted, owners } = make(before);
      const isSame = reads === stored?.reads && accepted === stored.accepted && owners === stored.owners;
      if (isSame) return stored;
      return reads.length + accepted.length + owners.length > 0 ? { reads, accepted, owners } : undefined;
    };
    const keptMs = ({ reads, owners, accepted }: KeptDevice) =>
      Math.max(
        reads.length > 0 ? historyMs : 0,
        ...owners.map(({ since }) => since + OWNED_MS - time),
        ...accepted.map(({ until }) => until - time),
      );
    const [, after = NOTHING] = await namespace.change(key, change, keptMs);
    return { before, after };
  }

  async #orNothing(work: () => Promise<Known>): Promise<Known> {
    try {
      return await work();
    } catch (error) {
      this.#parts.onError(error);
      return { accepted: [], lastRead: undefined, owner: undefined };
    }
  }
}

/** What is known for a result: the read before it, what was accepted on its host, and who owns that. */
type Known = {
  readonly lastRead: LastRead | undefined;
  readonly accepted: readonly Acceptance[];
  readonly owner: Owner | undefined;
};

function knownOf(kept: KeptDevice, question: Question, read: Read): Known {
  const host = hostOf(read.result.device);
  const { accepted } = withoutEnded(kept, question, read);
  return {
    lastRead: lastIn(kept.reads, question, read),
    accepted: accepted.filter((each) => areOneHost(each.host, host)),
    owner: ownerIn(kept, host),
  };
}

function unexpired(
  { reads, accepted, owners }: KeptDevice = NOTHING,
  now: number,
  historyMs: number,
): KeptDevice {
  return {
    reads: filtered(reads, ({ at }) => at + historyMs > now),
    accepted: filtered(accepted, ({ until }) => until > now),
    owners: filtered(owners, ({ since }) => since + OWNED_MS > now),
  };
}

/** The same list where it keeps all: what is unchanged is neither compared nor written. */
function filtered<T>(list: readonly T[], isKept: (each: T) => boolean): readonly T[] {
  return list.every(isKept) ? list : list.filter(isKept);
}

function ownerIn({ owners }: KeptDevice, host: string): Owner | undefined {
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
