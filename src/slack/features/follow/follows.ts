import { areOtherHosts, hostOf, isEarlier, type SnapshotId } from '../../../core/diagnostics.ts';
import { isApp, type Question } from '../../../core/lookup.ts';
import type { Read } from '../../../lookups/lookup-status.ts';
import type { Follow } from '../../../lookups/queue.ts';
import type { FeatureParts, Followed, Following } from '../../front/context.ts';
import type { DeliveryEvent } from '../../front/feature.ts';
import { kindText, LONGEST_DAYS } from './messages.ts';

/** A person waits for a newer snapshot of a device than this one; `newer` was looked up first. */
type Waiting = Pick<Follow, 'id' | 'user' | 'host'> & {
  readonly snapshotId: SnapshotId;
  readonly newer?: SnapshotId;
};

/** As many as the Home tab can list. */
const MOST_OF_A_PERSON = 25;
const FULL = `You already follow ${MOST_OF_A_PERSON} snapshots, which is the most for one person. Stop one first: the Home tab lists them.`;
/** How much later than its end a follow is still found, for example after an outage. */
const LATE_DAYS = 7;

/**
 * Who follows what. The state of a follow is in its job; the list of its person decides whether it is open: a job that is in
 * no list does nothing. Throws `storage-failed`.
 */
export class Follows implements Following {
  readonly #parts: FeatureParts;

  constructor(parts: FeatureParts) {
    this.#parts = parts;
  }

  async of(user: string): Promise<readonly Followed[]> {
    return (await this.#parts.store.namespace<readonly Followed[]>('follows').get(user)) ?? [];
  }

  async refusal(user: string, snapshotId: SnapshotId): Promise<string | undefined> {
    if (isApp(user)) return 'Only people can follow a snapshot.';
    const others = (await this.of(user)).filter((each) => each.snapshotId !== snapshotId);
    return others.length >= MOST_OF_A_PERSON ? FULL : undefined;
  }

  /** Begins a follow in place of the person's other one of this snapshot; false if this one had begun. */
  async start(follow: Follow): Promise<boolean> {
    if ((await this.#parts.followQueue.find(follow.id)) !== undefined) return false;
    const { id, user, kind, origin, host, device, question } = follow;
    const { snapshotId } = question;
    const entry = {
      id,
      kind,
      origin,
      host,
      snapshotId,
      what: kindText(kind, host),
      until: this.untilOf(follow),
    };
    // The list first: what stands there alone can be stopped, a job that stands nowhere could not.
    const before = await this.#list(user, (list) => [
      entry,
      ...list.filter((each) => each.snapshotId !== snapshotId),
    ]);
    if (kind === 'newer' && device !== undefined)
      await this.#waiting(device, (list) => [...list, { id, user, host, snapshotId }]);
    await this.#parts.followQueue.add(follow);
    const replaced = before.filter((each) => each.snapshotId === snapshotId && each.id !== id);
    for (const each of replaced) await this.#remove(each.id);
    this.note('started', follow);
    return true;
  }

  async stop(user: string, snapshotId: SnapshotId): Promise<string> {
    const before = await this.#list(user, (list) => list.filter((each) => each.snapshotId !== snapshotId));
    const stopped = before.find((each) => each.snapshotId === snapshotId);
    if (stopped === undefined) return `You don’t follow snapshot ${snapshotId}: there is nothing to stop.`;
    await this.#remove(stopped.id);
    this.note('stopped', { user, question: { snapshotId, set: 'all' }, ...stopped });
    return `You no longer follow snapshot ${snapshotId}.`;
  }

  /** The follow has told its last word, or can't; one that was stopped meanwhile is not counted again. */
  async end(follow: Follow, outcome: string): Promise<void> {
    const { id, user, device } = follow;
    const before = await this.#list(user, (list) => list.filter((each) => each.id !== id));
    if (follow.kind === 'newer' && device !== undefined)
      await this.#waiting(device, (list) => list.filter((each) => each.id !== id));
    if (before.some((each) => each.id === id)) this.note(outcome, follow);
  }

  async isOpen({ id, user }: Follow): Promise<boolean> {
    return (await this.of(user)).some((each) => each.id === id);
  }

  /** When a follow ends by itself at the latest, or the time that its person chose. */
  untilOf(follow: Follow): number {
    return this.isTimed(follow) ? follow.at : follow.acceptedAt + LONGEST_DAYS * this.#parts.dayMs;
  }

  isTimed({ kind }: Pick<Follow, 'kind'>): boolean {
    return kind === 'hour' || kind === 'tomorrow' || kind === 'week';
  }

  /** The newer snapshot that this follow waits for, once one was looked up. */
  async newerOf({ id, kind, device }: Follow): Promise<SnapshotId | undefined> {
    if (kind !== 'newer' || device === undefined) return undefined;
    return (await this.#waitingFor(device)).find((each) => each.id === id)?.newer;
  }

  /** Those who wait for a newer snapshot of the device are told when a result of it arrives, in any conversation. */
  async after({ lookup: { question }, status }: DeliveryEvent): Promise<void> {
    if (status.kind !== 'ready') return;
    // Of several snapshots each counts for its own device.
    for (const unit of status.units ?? [{ ...status, question }])
      if (unit.kind === 'ready') await this.#arrived(unit.question, unit);
  }

  async #arrived({ snapshotId }: Question, { result }: Read): Promise<void> {
    const device = await this.#parts.devices.nameOf(result);
    if (device === undefined) return;
    const host = hostOf(result.device);
    const isMeant = (each: Waiting) =>
      (each.newer ?? snapshotId) === snapshotId &&
      isEarlier(each.snapshotId, snapshotId) &&
      !areOtherHosts(each.host, host);
    const found = (await this.#waitingFor(device)).filter(isMeant);
    if (found.length === 0) return;
    await this.#waiting(device, (list) =>
      list.map((each) => (isMeant(each) ? { ...each, newer: snapshotId } : each)),
    );
    for (const { id } of found) await this.#parts.followQueue.wake(id);
  }

  /** Counts what became of a follow, or of its day, and writes down what is no quiet day. */
  note(
    outcome: string,
    { user, kind, origin, question }: Pick<Follow, 'user' | 'kind' | 'origin' | 'question'>,
  ): void {
    const { logger, audit, countFollow } = this.#parts;
    const { snapshotId: snapshot } = question;
    countFollow(outcome);
    logger.info({ snapshot, kind, outcome }, 'follow');
    if (outcome !== 'quiet' && outcome !== 'unanswered')
      audit({ event: 'follow', user, channel: origin.channel, snapshot, outcome });
  }

  /** A job that could not be removed finds that it is in no list. */
  async #remove(id: string): Promise<void> {
    await this.#parts.followQueue.remove(id).catch(() => {});
  }

  /** Changes the list of a person, and gives what it was. */
  async #list(
    user: string,
    make: (list: readonly Followed[]) => readonly Followed[],
  ): Promise<readonly Followed[]> {
    const follows = this.#parts.store.namespace<readonly Followed[]>('follows');
    const [before = []] = await follows.change(user, (list = []) => make(list), this.#ttlMs);
    return before;
  }

  async #waitingFor(device: string): Promise<readonly Waiting[]> {
    return (await this.#parts.store.namespace<readonly Waiting[]>('waiting-for-newer').get(device)) ?? [];
  }

  async #waiting(device: string, make: (list: readonly Waiting[]) => readonly Waiting[]): Promise<void> {
    const waiting = this.#parts.store.namespace<readonly Waiting[]>('waiting-for-newer');
    await waiting.change(device, (list = []) => make(list), this.#ttlMs);
  }

  readonly #ttlMs = () => (LONGEST_DAYS + LATE_DAYS) * this.#parts.dayMs;
}
