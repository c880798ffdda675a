import { acceptanceOf } from '../core/comparing.ts';
import { areOneHost, hostOf, isEarlier, type SnapshotId } from '../core/diagnostics.ts';
import { countByGroup, listsWholeSide, sideOf } from '../core/importance.ts';
import { type Asked, type Question, questionsOf } from '../core/lookup.ts';
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
  /** Its key among what is kept of devices; of the hosts in one chassis, each has its own `host`. */
  readonly key: string;
  readonly host: string;
  readonly serial: string;
  readonly snapshotId: SnapshotId;
  /** How many hits each of `LEVEL_GROUPS` has, without accepted ones; absent if the document did not list all. */
  readonly counts?: readonly number[];
  /** When it was looked up, or taken over. Epoch milliseconds. */
  readonly at: number;
  /** Of a device that a person owns: the report on which that was said. */
  readonly report?: { readonly channel: string; readonly ts: string; readonly threadTs?: string };
};

/** A device with its present owner. */
export type OwnedDevice = KnownDevice & { readonly owner: Owner | undefined };

/** What is kept of a person: the last lookups, the devices that were looked up, and those that this person took over. */
export type Person<Device = KnownDevice> = {
  readonly lookups: readonly RecentLookup[];
  readonly devices: readonly Device[];
  readonly owned: readonly Device[];
};

type Parts = {
  readonly namespace: Namespace<Person>;
  readonly devices: Devices;
  readonly historyMs: number;
  readonly now: () => number;
};

/** As many as the Home tab shows. */
const MOST_LOOKUPS = 10;
/** A window has 100 blocks, and the service is asked for each of them at once. */
const MOST_DEVICES = 50;
/** As many as the Home tab has room for beside all else. */
const MOST_OWNED = 12;
const NOTHING: Person = { lookups: [], devices: [], owned: [] };

/** What people looked up, and own: one value a person, which that person alone is shown. Throws `storage-failed`. */
export class People {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What is kept of a person, the latest first; of the devices that the person owns, those that were not handed over since. */
  async of(user: string): Promise<Person<OwnedDevice>> {
    const { lookups, ...kept } = await this.#kept(user);
    const withOwner = async (each: KnownDevice) => ({
      ...each,
      owner: await this.#parts.devices.ownerOf(each),
    });
    const [devices = [], owned = []] = await Promise.all(
      [kept.devices, kept.owned].map((list) => Promise.all(list.map(withOwner))),
    );
    return { lookups, devices, owned: owned.filter(({ owner }) => owner?.user === user) };
  }

  /**
   * The devices of this name or serial number that a person looked up or owns, else those that begin with it. Whatever
   * others looked up is never found.
   */
  async named(user: string, name: string): Promise<KnownDevice[]> {
    const { devices, owned } = await this.#kept(user);
    const all = [...devices, ...owned.filter((one) => !devices.some((each) => areOneDevice(one, each)))];
    const sought = fold(name);
    const exact = all.filter(({ host, serial }) => areOneHost(host, name) || fold(serial) === sought);
    if (exact.length > 0) return exact;
    return all.filter(({ host, serial }) => [host, serial].some((each) => fold(each).startsWith(sought)));
  }

  /** Lists a lookup in place of an earlier one of its subject, and the devices that it answered about. */
  async note(user: string, lookup: RecentLookup, answers: Answers | undefined): Promise<void> {
    const { question, askedAt } = lookup;
    const units = answers && (answers.units ?? [{ ...answers, kind: 'ready' as const, question }]);
    const ready = (units ?? []).flatMap((unit) => (unit.kind === 'ready' ? unit : []));
    const listed = ready.filter((unit) => unit.question.set !== 'miss');
    const found = await Promise.all(listed.map((unit) => this.deviceIn(unit.question, unit, askedAt)));
    await this.#change(user, (kept) => ({
      ...kept,
      lookups: withLookup(kept.lookups, lookup),
      devices: found.reduce(withDevice, kept.devices).slice(0, MOST_DEVICES),
    }));
  }

  /** Lists a device that this person owns now. */
  own(user: string, device: KnownDevice): Promise<void> {
    return this.#change(user, (kept) => ({
      ...kept,
      owned: [device, ...kept.owned.filter((each) => !areOneDevice(each, device))].slice(0, MOST_OWNED),
    }));
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
    };
  }

  async #kept(user: string): Promise<Person> {
    return this.#unexpired(await this.#parts.namespace.get(user));
  }

  async #change(user: string, make: (kept: Person) => Person): Promise<void> {
    const { namespace, historyMs, now } = this.#parts;
    const keptMs = ({ owned }: Person) =>
      Math.max(historyMs, ...owned.map(({ at }) => at + OWNED_MS - now()));
    await namespace.change(user, (stored) => make(this.#unexpired(stored)), keptMs);
  }

  #unexpired({ lookups, devices, owned } = NOTHING): Person {
    const { historyMs, now } = this.#parts;
    const since = now() - historyMs;
    return {
      lookups: lookups.filter(({ askedAt }) => askedAt > since),
      devices: devices.filter(({ at }) => at > since),
      owned: owned.filter(({ at }) => at + OWNED_MS > now()),
    };
  }
}

/** One entry for each subject, the one that was asked for last, even if it ended first. */
function withLookup(list: readonly RecentLookup[], recent: RecentLookup): readonly RecentLookup[] {
  const latest = [recent, ...list].toSorted((one, other) => other.askedAt - one.askedAt);
  const isFirst = (each: RecentLookup, at: number) =>
    latest.findIndex((other) => subjectOf(other) === subjectOf(each)) === at;
  return latest.filter(isFirst).slice(0, MOST_LOOKUPS);
}

/** What a lookup is about: `1001`, `1010 → 1011` or `1014, 1015`. */
export function subjectOf(recent: RecentLookup): string {
  const ids = questionsOf(recent).map(({ snapshotId }) => snapshotId);
  return ids.join(recent.before === undefined ? ', ' : ' → ');
}

/** An earlier snapshot of a device does not replace a later one. */
function withDevice(list: readonly KnownDevice[], device: KnownDevice): readonly KnownDevice[] {
  const known = list.find((each) => areOneDevice(each, device));
  const others = list.filter((each) => each !== known);
  const isOlder = known !== undefined && isEarlier(device.snapshotId, known.snapshotId);
  return [isOlder ? { ...known, at: device.at } : device, ...others];
}

function areOneDevice(one: KnownDevice, other: KnownDevice): boolean {
  return one.key === other.key && areOneHost(one.host, other.host);
}
