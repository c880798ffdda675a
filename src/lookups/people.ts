import { acceptanceOf } from '../core/comparing.ts';
import { hostOf, isEarlier, type SnapshotId, shortName } from '../core/diagnostics.ts';
import { countByGroup, listsWholeSide, sideOf } from '../core/importance.ts';
import { type Asked, idsText, type Question } from '../core/lookup.ts';
import type { Namespace } from '../core/store.ts';
import { fold } from '../core/texts.ts';
import { type Devices, OWNED_MS } from './devices.ts';
import type { Answers, Owner, ReadyUnit } from './lookup-status.ts';

/** One lookup of a person, as the Home tab lists it. */
export type RecentLookup = Pick<Asked, 'question' | 'before' | 'others'> & {
  readonly channel: string;
  /** The timestamp of the message; absent for a private answer, which has no link. */
  readonly ts?: string;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  /** The mark of the worst level or of the outcome, and a summary such as `2 critical, 11 high`. */
  readonly mark: string;
  readonly findings: string;
  /** The device's host name, else its serial number; or ''. */
  readonly device: string;
};

/** A device, as described by the newest snapshot that a person looked up. Absent texts are ''. */
export type KnownDevice = {
  /** The key of the device in `Devices`. */
  readonly key: string;
  readonly host: string;
  readonly serial: string;
  readonly snapshotId: SnapshotId;
  /** The number of hits in each of `LEVEL_GROUPS`, without accepted ones; absent if the document did not list all hits. */
  readonly counts?: readonly number[];
  /** When the person looked it up or became its owner, and how long it stays listed. Epoch milliseconds. */
  readonly at: number;
  readonly until: number;
  /** The report on which this person became the owner. */
  readonly report?: { readonly channel: string; readonly ts: string; readonly threadTs?: string };
};

/** A device with its present owner. */
export type OwnedDevice = KnownDevice & { readonly owner: Owner | undefined };

/** What the store keeps about a person: the last lookups and the devices, latest first. */
type Person<Device = KnownDevice> = {
  readonly lookups: readonly RecentLookup[];
  readonly devices: readonly Device[];
};

type Parts = {
  readonly namespace: Namespace<Person>;
  readonly devices: Devices;
  readonly historyMs: number;
  readonly now: () => number;
};

/** The most lookups that the Home tab shows. */
const MOST_LOOKUPS = 10;
/** A window has at most 100 blocks, and a search may send one request for each device. */
const MOST_DEVICES = 50;
const NOTHING: Person = { lookups: [], devices: [] };

/** The lookups and devices of people: one value for each person, shown to nobody else. Throws `storage-failed`. */
export class People {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The lookups and devices of a person, with the present owner of each device. */
  async of(user: string): Promise<Person<OwnedDevice>> {
    const { lookups, devices } = await this.#kept(user);
    const owners = await Promise.all(devices.map((each) => this.#parts.devices.ownerOf(each.key)));
    return { lookups, devices: devices.map((each, at) => ({ ...each, owner: owners[at] })) };
  }

  /**
   * The person's devices with this name or serial number; without any, the devices whose name or serial number begins
   * with it. Never a device of other people only.
   */
  async named(user: string, name: string): Promise<readonly KnownDevice[]> {
    const { devices } = await this.#kept(user);
    const sought = fold(name);
    const exact = devices.filter(({ host, serial }) =>
      [fold(host), shortName(host), fold(serial)].includes(sought),
    );
    if (exact.length > 0) return exact;
    return devices.filter(({ host, serial }) => [host, serial].some((each) => fold(each).startsWith(sought)));
  }

  /** Adds a lookup and the devices of its answer to the lists. It replaces an earlier lookup of the same snapshots. */
  async note(user: string, lookup: RecentLookup, answers: Answers | undefined): Promise<void> {
    const { question, askedAt } = lookup;
    const units = answers && (answers.units ?? [{ ...answers, kind: 'ready' as const, question }]);
    const ready = (units ?? []).flatMap((unit) => (unit.kind === 'ready' ? unit : []));
    const listed = ready.filter((unit) => unit.question.set !== 'miss');
    const found = await Promise.all(listed.map((unit) => this.deviceIn(unit.question, unit, askedAt)));
    await this.#change(user, (kept) => ({
      ...kept,
      lookups: withLookup(kept.lookups, lookup),
      devices: found.reduce(withDevice, kept.devices),
    }));
  }

  /** Adds a device that this person now owns to the list. */
  own(user: string, device: KnownDevice): Promise<void> {
    const owned = { ...device, until: this.#parts.now() + OWNED_MS };
    return this.#change(user, (kept) => ({ ...kept, devices: withDevice(kept.devices, owned) }));
  }

  /** The list entry for the device of a result. */
  async deviceIn(
    question: Question,
    { result, accepted }: Pick<ReadyUnit, 'result' | 'accepted'>,
    at: number,
  ): Promise<KnownDevice> {
    const open = sideOf(result, 'hit').filter((hit) => acceptanceOf(hit, accepted) === undefined);
    return {
      key: await this.#parts.devices.keyOf(question, result),
      host: hostOf(result.device),
      serial: result.device.chassisSerial,
      snapshotId: question.snapshotId,
      ...(listsWholeSide(result, question.set) && { counts: countByGroup(open) }),
      at,
      until: at + this.#parts.historyMs,
    };
  }

  async #kept(user: string): Promise<Person> {
    return this.#unexpired(await this.#parts.namespace.get(user));
  }

  async #change(user: string, make: (kept: Person) => Person): Promise<void> {
    const { namespace, historyMs, now } = this.#parts;
    const keptMs = ({ devices }: Person) => Math.max(historyMs, ...devices.map(({ until }) => until - now()));
    await namespace.change(user, (stored) => make(this.#unexpired(stored)), keptMs);
  }

  #unexpired({ lookups, devices } = NOTHING): Person {
    const now = this.#parts.now();
    return {
      lookups: lookups.filter(({ askedAt }) => askedAt + this.#parts.historyMs > now),
      devices: devices.filter(({ until }) => until > now),
    };
  }
}

/**
 * Adds a lookup to the list, which keeps one entry for the same snapshots, namely the lookup that ended last. The list
 * is sorted by the time of the request.
 */
function withLookup(list: readonly RecentLookup[], recent: RecentLookup): readonly RecentLookup[] {
  const others = list.filter((each) => idsText(each) !== idsText(recent));
  return [recent, ...others].toSorted((one, other) => other.askedAt - one.askedAt).slice(0, MOST_LOOKUPS);
}

/**
 * Adds a device to the list, or updates its entry, but never replaces a newer snapshot by an older one. A full list
 * drops a device that the person does not own.
 */
function withDevice(list: readonly KnownDevice[], device: KnownDevice): readonly KnownDevice[] {
  const known = list.find((each) => each.key === device.key);
  const isOlder = known !== undefined && isEarlier(device.snapshotId, known.snapshotId);
  const { report = known?.report } = device;
  const until = Math.max(device.until, known?.until ?? 0);
  const latest = { ...(isOlder ? known : device), at: device.at, until, ...(report && { report }) };
  const all = [latest, ...list.filter((each) => each !== known)];
  const last = all.length > MOST_DEVICES ? all.findLast((each) => each.report === undefined) : undefined;
  return all.filter((each) => each !== last);
}
