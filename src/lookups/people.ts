import { openHits } from '../core/comparing.ts';
import { hostOf, isEarlier, type SnapshotId, shortName } from '../core/diagnostics.ts';
import { countByGroup, listsWholeSide, sideOf } from '../core/importance.ts';
import { type Asked, idsText, type Question } from '../core/lookup.ts';
import { Entries, type Namespace, ofKind } from '../core/store.ts';
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
  /** The emoji of the worst level or of the outcome, and a summary such as `2 critical, 11 high`. */
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
  /** The number of hits in each of `LEVEL_GROUPS`, except accepted hits; absent if the document did not list all hits. */
  readonly counts?: readonly number[];
  /** The number of accepted hits; absent for 0. */
  readonly accepted?: number;
  /** `at`: when the person looked it up or became its owner. `until`: how long it stays listed. Epoch milliseconds. */
  readonly at: number;
  readonly until: number;
  /** The report on which this person became the owner. */
  readonly report?: { readonly channel: string; readonly ts: string; readonly threadTs?: string };
};

/** A device with its current owner. */
export type OwnedDevice = KnownDevice & { readonly owner: Owner | undefined };

/** What the store keeps about a person: the last lookups and the devices, latest first. */
type Entry =
  | (RecentLookup & { readonly kind: 'lookup'; readonly until: number })
  | (KnownDevice & { readonly kind: 'device' });

type Parts = {
  readonly namespace: Namespace<readonly Entry[]>;
  readonly devices: Devices;
  readonly historyMs: number;
  readonly now: () => number;
};

/** The most lookups that the Home tab shows. */
const MOST_LOOKUPS = 10;
/** The most devices: a window has at most 100 blocks, and a search may send one request for each. */
const MOST_DEVICES = 50;

/** The lookups and devices of people: one value for each person, shown to nobody else. Throws `storage-failed`. */
export class People {
  readonly #parts: Parts;
  readonly #entries: Entries<Entry>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#entries = new Entries(parts.namespace, parts.now);
  }

  /** The lookups and devices of a person, with the current owner of each device. */
  async of(user: string): Promise<{
    readonly lookups: readonly RecentLookup[];
    readonly devices: readonly OwnedDevice[];
  }> {
    const kept = await this.#entries.at(user);
    const devices = ofKind(kept, 'device').map(async (each) => ({
      ...each,
      owner: await this.#parts.devices.ownerOf(each.key),
    }));
    return { lookups: ofKind(kept, 'lookup'), devices: await Promise.all(devices) };
  }

  /**
   * The person's devices with this name or serial number, else those whose name or serial number begins with it. Never
   * finds devices of other people.
   */
  async named(user: string, name: string): Promise<readonly KnownDevice[]> {
    const devices = ofKind(await this.#entries.at(user), 'device');
    const sought = fold(name);
    const exact = devices.filter(({ host, serial }) =>
      [fold(host), shortName(host), fold(serial)].includes(sought),
    );
    if (exact.length > 0) return exact;
    return devices.filter(({ host, serial }) => [host, serial].some((each) => fold(each).startsWith(sought)));
  }

  /** Adds a lookup, in place of an earlier lookup of the same snapshots, and the devices of its answer. */
  async note(user: string, lookup: RecentLookup, answers: Answers | undefined): Promise<void> {
    const { question, askedAt } = lookup;
    const units = answers && (answers.units ?? [{ ...answers, kind: 'ready' as const, question }]);
    const ready = (units ?? []).flatMap((unit) => (unit.kind === 'ready' ? unit : []));
    const listed = ready.filter((unit) => unit.question.set !== 'miss');
    const found = await Promise.all(listed.map((unit) => this.deviceIn(unit.question, unit, askedAt)));
    await this.#entries.change(user, (kept) =>
      found.reduce(withDevice, withLookup(kept, lookup, askedAt + this.#parts.historyMs)),
    );
  }

  /** Adds a device that this person now owns to the list. */
  async own(user: string, device: KnownDevice): Promise<void> {
    const owned = { ...device, until: this.#parts.now() + OWNED_MS };
    await this.#entries.change(user, (kept) => withDevice(kept, owned));
  }

  /** The list entry for the device of a result. */
  async deviceIn(
    question: Question,
    read: Pick<ReadyUnit, 'result' | 'accepted'>,
    at: number,
  ): Promise<KnownDevice> {
    const { result } = read;
    const [hits, open] = [sideOf(result, 'hit'), openHits(read)];
    return {
      key: await this.#parts.devices.keyOf(question, result),
      host: hostOf(result.device),
      serial: result.device.chassisSerial,
      snapshotId: question.snapshotId,
      ...(listsWholeSide(result, question.set) && { counts: countByGroup(open) }),
      ...(open.length < hits.length && { accepted: hits.length - open.length }),
      at,
      until: at + this.#parts.historyMs,
    };
  }
}

/** Adds a lookup, which replaces an earlier lookup of the same snapshots. Lookups are sorted by the time of the request. */
function withLookup(kept: readonly Entry[], lookup: RecentLookup, until: number): readonly Entry[] {
  const others = ofKind(kept, 'lookup').filter((each) => idsText(each) !== idsText(lookup));
  const all = [{ ...lookup, kind: 'lookup', until } as const, ...others];
  const last = all.toSorted((one, other) => other.askedAt - one.askedAt).slice(0, MOST_LOOKUPS);
  return [...last, ...ofKind(kept, 'device')];
}

/**
 * Adds a device, or updates its entry, but never replaces a newer snapshot by an older snapshot. A full list drops a
 * device that the person does not own.
 */
function withDevice(kept: readonly Entry[], device: KnownDevice): readonly Entry[] {
  const devices = ofKind(kept, 'device');
  const known = devices.find((each) => each.key === device.key);
  const isOlder = known !== undefined && isEarlier(device.snapshotId, known.snapshotId);
  const { report = known?.report } = device;
  const until = Math.max(device.until, known?.until ?? 0);
  const newest = { ...(isOlder ? known : device), at: device.at, until, ...(report && { report }) };
  const all = [{ ...newest, kind: 'device' } as const, ...devices.filter((each) => each !== known)];
  const last = all.length > MOST_DEVICES ? all.findLast((each) => each.report === undefined) : undefined;
  return [...ofKind(kept, 'lookup'), ...all.filter((each) => each !== last)];
}
