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
  /** The message; absent for a private answer, which cannot be linked to. */
  readonly ts?: string;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  /** The mark of the worst level, or of the state; and what came of it: `2 critical, 11 high`. */
  readonly mark: string;
  readonly findings: string;
  /** The device's name, or else its serial number; or ''. */
  readonly device: string;
};

/** A device, as the newest snapshot shows it that a person looked up. Absent texts are ''. */
export type KnownDevice = {
  /** Its key in `Devices`. */
  readonly key: string;
  readonly host: string;
  readonly serial: string;
  readonly snapshotId: SnapshotId;
  /** How many hits each of `LEVEL_GROUPS` has, without accepted ones; absent if the document did not list all. */
  readonly counts?: readonly number[];
  /** When it was looked up or taken over, and until when it is listed. Epoch milliseconds. */
  readonly at: number;
  readonly until: number;
  /** The report on which this person took it over, if it was taken over. */
  readonly report?: { readonly channel: string; readonly ts: string; readonly threadTs?: string };
};

/** A device with its present owner. */
export type OwnedDevice = KnownDevice & { readonly owner: Owner | undefined };

/** What is kept of a person: the last lookups, and the devices that were looked up or taken over, the latest first. */
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

/** As many as the Home tab shows. */
const MOST_LOOKUPS = 10;
/** A window has 100 blocks, and a search may ask the service for each device. */
const MOST_DEVICES = 50;
const NOTHING: Person = { lookups: [], devices: [] };

/** What people looked up, and own: one value a person, which that person alone is shown. Throws `storage-failed`. */
export class People {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What is kept of a person; each device has its present owner. */
  async of(user: string): Promise<Person<OwnedDevice>> {
    const { lookups, devices } = await this.#kept(user);
    const owners = await Promise.all(devices.map((each) => this.#parts.devices.ownerOf(each.key)));
    return { lookups, devices: devices.map((each, at) => ({ ...each, owner: owners[at] })) };
  }

  /**
   * The devices of a person with this name or serial number, else those whose name or serial number begins with it; never
   * those of others.
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

  /** Lists a lookup in place of an earlier one of the same snapshots, and the devices of its answer. */
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

  /** Lists a device that this person owns now. */
  own(user: string, device: KnownDevice): Promise<void> {
    const owned = { ...device, until: this.#parts.now() + OWNED_MS };
    return this.#change(user, (kept) => ({ ...kept, devices: withDevice(kept.devices, owned) }));
  }

  /** The device of a result, as it is listed. */
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
 * The list has one entry for the same snapshots, that of the lookup that ended last. It is ordered by when the lookups
 * were asked for.
 */
function withLookup(list: readonly RecentLookup[], recent: RecentLookup): readonly RecentLookup[] {
  const others = list.filter((each) => idsText(each) !== idsText(recent));
  return [recent, ...others].toSorted((one, other) => other.askedAt - one.askedAt).slice(0, MOST_LOOKUPS);
}

/**
 * The list with a device that was looked up or taken over now; an earlier snapshot of it does not replace a later one. If
 * the list is full, devices that were taken over stay.
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
