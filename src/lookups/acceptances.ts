import type { Acceptance, Accepted } from '../core/comparing.ts';
import { isOf, LONGEST_ACCEPTANCE_MS, NOTHING_ACCEPTED } from '../core/comparing.ts';
import type { Diagnostic, DiagnosticsResult } from '../core/diagnostics.ts';
import { areOtherHosts, hostOf, isEarlier, type SnapshotId } from '../core/diagnostics.ts';
import type { Asked, Question } from '../core/lookup.ts';
import type { Namespace } from '../core/store.ts';
import type { DeviceHistory } from './device-history.ts';
import type { Answers, Read } from './lookup-status.ts';

/** The most acceptances of a device: each is read with every result of it. */
export const MOST_OF_A_DEVICE = 200;

type Parts = {
  readonly namespace: Namespace<readonly Acceptance[]>;
  readonly history: DeviceHistory;
  readonly now: () => number;
  /** Called with why what was accepted for a device can't be read, or that some of it has ended not be written. */
  readonly onError: (error: unknown) => void;
};

/** What was accepted, in one value for each device. A chassis can hold several hosts: each entry names its own. */
export class Acceptances {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What counts for a result. Does not throw: an answer is sent even if nobody knows what was accepted. */
  async of({ snapshotId }: Question, read: Read): Promise<Accepted> {
    const { namespace, history, now, onError } = this.#parts;
    try {
      const key = await history.nameOf(read.result);
      const list = key && (await namespace.get(key));
      if (key === undefined || !list) return NOTHING_ACCEPTED;
      const accepted = acceptedIn(list, snapshotId, read, now());
      // What ended stays over, however the hit is rated later. Where that can't be written, the next answer tries again.
      const isEnded = (each: Acceptance) =>
        accepted.over.some((one) => isOf(one, each) && one.at === each.at);
      if (accepted.over.some((each) => each.isOver === undefined))
        await this.#change(key, (all) =>
          all.map((each) => (isEnded(each) ? { ...each, isOver: true } : each)),
        ).catch(onError);
      return accepted;
    } catch (error) {
      onError(error);
      return NOTHING_ACCEPTED;
    }
  }

  /** Adds it to the answer to a request for hits: of two that are compared the later one's, of several each one's own. */
  async complete<A extends Answers>({ question, side }: Asked, answers: A): Promise<A> {
    if ((side ?? question.set) === 'miss') return answers;
    const of = async (asked: Question, read: Read) => ({ accepted: (await this.of(asked, read)).inForce });
    if (answers.units === undefined) return { ...answers, ...(await of(question, answers)) };
    const units = answers.units.map(async (unit) =>
      unit.kind === 'ready' ? { ...unit, ...(await of(unit.question, unit)) } : unit,
    );
    return { ...answers, units: await Promise.all(units) };
  }

  /** Puts an acceptance in place of what was said of a hit, or none; false where there is no room. Throws `StorageFailed`. */
  async put({ result }: Read, hit: Diagnostic, ...instead: readonly Acceptance[]): Promise<boolean> {
    const key = await this.#parts.history.nameOf(result);
    return key !== undefined && this.#change(key, (list) => [...without(list, hit, result), ...instead]);
  }

  /** Entries that are past their end are dropped with every change. */
  async #change(
    key: string,
    change: (open: readonly Acceptance[]) => readonly Acceptance[],
  ): Promise<boolean> {
    const { namespace, now } = this.#parts;
    let hasRoom = true;
    const make = (list: readonly Acceptance[] = []) => {
      const after = change(list.filter(({ until }) => until > now()));
      hasRoom = after.length <= MOST_OF_A_DEVICE;
      return hasRoom ? after : list;
    };
    const untilLast = (list: readonly Acceptance[]) => Math.max(...list.map(({ until }) => until - now()));
    const keptMs = (list: readonly Acceptance[]) => Math.min(untilLast(list), LONGEST_ACCEPTANCE_MS);
    await namespace.change(key, make, keptMs);
    return hasRoom;
  }
}

/** The entries that say nothing of this hit on this host. */
function without(
  list: readonly Acceptance[],
  hit: Diagnostic,
  result: DiagnosticsResult,
): readonly Acceptance[] {
  const isOfHit = (each: Acceptance) => (each.isOver ? each.name === hit.name : isOf(each, hit));
  return list.filter((each) => !(isOfHit(each) && isOfHost(each, result)));
}

/** What of these acceptances counts for a result of that snapshot that was read at `readAt`, now. */
function acceptedIn(
  list: readonly Acceptance[],
  snapshotId: SnapshotId,
  { result, readAt }: Read,
  now: number,
): Accepted {
  const open = list.filter((each) => each.until > now && isOfHost(each, result));
  // A result that was read before, or that is of an earlier snapshot, says nothing of what came after.
  const isLaterThan = ({ at, snapshotId: then }: Acceptance) => readAt > at && !isEarlier(snapshotId, then);
  const isOver = (each: Acceptance) => each.isOver || (isLaterThan(each) && hasEnded(each, result));
  return { inForce: open.filter((each) => !isOver(each)), over: open.filter(isOver) };
}

/** Both have no name of their own, or the same one. */
function isOfHost({ host }: Pick<Acceptance, 'host'>, { device }: DiagnosticsResult): boolean {
  const present = hostOf(device);
  return (host === '') === (present === '') && !areOtherHosts(host, present);
}

function hasEnded(accepted: Acceptance, { diagnostics }: DiagnosticsResult): boolean {
  const { name } = accepted;
  const present = diagnostics.filter((each) => each.match === 'hit' && each.name === name);
  return present.length > 0 && !present.some((hit) => isOf(accepted, hit));
}
