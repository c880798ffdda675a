import type { SnapshotId } from '../../../core/diagnostics.ts';
import { isApp } from '../../../core/lookup.ts';
import type { Follow } from '../../../lookups/queue.ts';
import type { FeatureParts, Followed, Following } from '../../front/context.ts';
import { kindText, LONGEST_DAYS } from './messages.ts';

/** The most follows of one person; the Home tab has room for as many. */
const MOST_OF_A_PERSON = 25;
const FULL = `You already follow ${MOST_OF_A_PERSON} snapshots, which is the most for one person. Stop one first: the Home tab lists them.`;
/** How many days a list is kept beyond the longest follow, in case an outage delays its end. */
const LATE_DAYS = 7;

type List = readonly Followed[];

/**
 * The follows of all people. The state of a follow is in its job, but only a person's list says that it is open: a job
 * without an entry in the list does nothing. Throws `storage-failed`.
 */
export class Follows implements Following {
  readonly #parts: FeatureParts;

  constructor(parts: FeatureParts) {
    this.#parts = parts;
  }

  async of(user: string): Promise<List> {
    return (await this.#parts.store.namespace<List>('follows').get(user)) ?? [];
  }

  async refusal(user: string, snapshotId: SnapshotId): Promise<string | undefined> {
    if (isApp(user)) return 'Only people can follow a snapshot.';
    const others = (await this.of(user)).filter((each) => each.snapshotId !== snapshotId);
    return others.length >= MOST_OF_A_PERSON ? FULL : undefined;
  }

  /** Starts a follow, and ends the person's other follow of this snapshot. False if it was started before. */
  async start(follow: Follow): Promise<boolean> {
    const { followQueue, devices } = this.#parts;
    const { id, user, kind, host, device, origin, until, question } = follow;
    if (await this.isOpen(follow)) return false;
    const { snapshotId } = question;
    const what = isTimed(follow) ? '' : kindText(kind, host);
    const entry = { id, snapshotId, kind, what, until, host, origin, ...(device && { device }) };
    if (device !== undefined) await devices.setWaiting(device, id, { user, snapshotId, until });
    if ((await followQueue.find(id)) === undefined) await followQueue.add(follow);
    // The list is changed last, so the person's old follow stays open until the new follow is stored.
    const isReplaced = (each: Followed) => each.snapshotId === snapshotId;
    const replaced = await this.#close(user, isReplaced, (list) => [entry, ...list]);
    // A job that can't be removed does nothing, because its follow is in no list.
    if (replaced !== undefined) await followQueue.remove(replaced.id).catch(() => {});
    this.note('started', user, entry);
    return true;
  }

  async stop(user: string, snapshotId: SnapshotId): Promise<string> {
    const stopped = await this.#close(user, (each) => each.snapshotId === snapshotId);
    if (stopped === undefined) return `You don’t follow snapshot ${snapshotId}: there is nothing to stop.`;
    await this.#parts.followQueue.remove(stopped.id).catch(() => {});
    this.note('stopped', user, stopped);
    return `You no longer follow snapshot ${snapshotId}.`;
  }

  /** Ends a follow after its last message, or because it can't go on. Does nothing if it was already stopped. */
  async end({ id, user }: Follow, outcome: string): Promise<void> {
    const ended = await this.#close(user, (each) => each.id === id);
    if (ended !== undefined) this.note(outcome, user, ended);
  }

  async isOpen({ id, user }: Follow): Promise<boolean> {
    return (await this.of(user)).some((each) => each.id === id);
  }

  /** Counts and logs the outcome of a follow or of its daily reading; the audit log omits readings without news. */
  note(
    outcome: string,
    user: string,
    { kind, origin, snapshotId: snapshot }: Pick<Followed, 'kind' | 'origin' | 'snapshotId'>,
  ): void {
    const { logger, audit, countFollow } = this.#parts;
    countFollow(outcome);
    logger.info({ snapshot, kind, outcome }, 'follow');
    if (outcome !== 'quiet' && outcome !== 'unanswered')
      audit({ event: 'follow', user, channel: origin.channel, snapshot, outcome });
  }

  /** Removes a follow from the person's list, and returns it if it was there. `make` makes the new list from the rest. */
  async #close(user: string, isMeant: (each: Followed) => boolean, make = (list: List) => list) {
    const { store, dayMs, devices } = this.#parts;
    const change = (known: List = []) => make(known.filter((each) => !isMeant(each)));
    const ttlMs = () => (LONGEST_DAYS + LATE_DAYS) * dayMs;
    const [before = []] = await store.namespace<List>('follows').change(user, change, ttlMs);
    const closed = before.find(isMeant);
    if (closed?.device !== undefined) await devices.setWaiting(closed.device, closed.id);
    return closed;
  }
}

/** Whether a follow is a reminder at a time that the person chose. */
export function isTimed({ kind }: Pick<Follow, 'kind'>): boolean {
  return kind === 'hour' || kind === 'tomorrow' || kind === 'week';
}
