import { randomUUID } from 'node:crypto';
import { GatheredChanges } from '../../../core/mutex.ts';
import type { SnapshotId } from '../../../core/snapshot-id.ts';
import type { Namespace } from '../../../core/store.ts';
import { UnreadableValue } from '../../block-kit/action-values.ts';
import { redrawn, replaceOwned } from '../../delivery/owners.ts';
import { Congested } from '../../delivery/rate-limited-queue.ts';
import { isOfSlack } from '../../delivery/slack-errors.ts';
import type { FeatureParts } from '../../front/context.ts';
import {
  isSame,
  LONGEST_DAYS,
  MOST_IN_ALL,
  MOST_OF_A_PERSON,
  type OwnWatch,
  type Spot,
  type Watch,
  type Watched,
  type WatchRequest,
} from './watched.ts';

/** How much later than its end a watch is still found, for example after an outage. */
const LATE_DAYS = 7;

/** Who watches what: by snapshot, which counts, and by person, for their list and its bound. Throws `StorageFailed`. */
export class Watches {
  readonly #parts: FeatureParts;
  readonly #bySnapshot: Namespace<Watched>;
  readonly #byPerson: Namespace<readonly OwnWatch[]>;
  readonly #lists: GatheredChanges<readonly OwnWatch[]>;

  constructor(parts: FeatureParts) {
    this.#parts = parts;
    const { store, dayMs } = parts;
    this.#bySnapshot = store.namespace('watches');
    this.#byPerson = store.namespace('watching');
    const ttlMs = (LONGEST_DAYS + LATE_DAYS) * dayMs;
    this.#lists = new GatheredChanges({
      namespace: this.#byPerson,
      mutex: store.mutex,
      name: 'watching',
      ttlMs,
    });
  }

  /** Which bound keeps a person from one more watch. */
  async fullFor(user: string): Promise<'person' | 'all' | undefined> {
    if ((await this.of(user)).length >= MOST_OF_A_PERSON) return 'person';
    return (await this.#parts.watchQueue.countOpen()) >= MOST_IN_ALL ? 'all' : undefined;
  }

  /** Begins a watch, in place of the person's other one of this snapshot. */
  async start({ snapshotId, user, worth, base, ...spot }: WatchRequest): Promise<void> {
    const { now, dayMs, watchQueue } = this.#parts;
    const acceptedAt = now();
    const own = { ...spot, worth, until: acceptedAt + LONGEST_DAYS * dayMs };
    const before = await this.find(user, snapshotId);
    // First the list: what stands there alone can be stopped, but what stands nowhere could not.
    await this.#lists.make(user, (list = []) => [
      { ...own, snapshotId },
      ...list.filter((each) => each.snapshotId !== snapshotId),
    ]);
    await this.#change(snapshotId, async (known) => {
      const { job, watches } = known ?? { job: randomUUID(), watches: [] };
      const at = this.slotAfter(acceptedAt, snapshotId);
      if (known === undefined)
        await watchQueue.add({ id: job, acceptedAt, question: { snapshotId, set: 'hit' }, at });
      const here = watches.find((each) => isSame(each, spot) && each.ended === undefined);
      const knows = here === undefined ? { base } : { base: here.base, unconfirmed: here.unconfirmed };
      return { job, watches: [...watches.filter((each) => each.user !== user), { ...own, user, ...knows }] };
    });
    this.#note('started', user, spot.channel, snapshotId);
    if (before !== undefined && !isSame(before, spot)) await this.redraw(before, snapshotId);
  }

  /** Ends a person's watch; false if there is none. */
  async stop(user: string, snapshotId: SnapshotId): Promise<boolean> {
    const job = (await this.get(snapshotId))?.job;
    const watch = await this.find(user, snapshotId);
    const left = await this.remove(user, snapshotId);
    // A reading that could not be removed finds nothing to do.
    if (job !== undefined && left === undefined) await this.#parts.watchQueue.remove(job).catch(() => {});
    if (watch === undefined) return false;
    this.#note('stopped', user, watch.channel, snapshotId);
    await this.redraw(watch, snapshotId);
    return true;
  }

  /** Takes a person off a snapshot and the snapshot off their list. Gives what is left of it. */
  async remove(user: string, snapshotId: SnapshotId): Promise<Watched | undefined> {
    const left = await this.change(
      snapshotId,
      (each) => each.user === user,
      () => [],
    );
    await this.#lists.make(user, (list = []) => list.filter((each) => each.snapshotId !== snapshotId));
    return left;
  }

  /** What a person watches, the latest first. */
  async of(user: string): Promise<readonly OwnWatch[]> {
    return (await this.#byPerson.get(user)) ?? [];
  }

  /** Who watches a snapshot at this message. */
  async watchersAt(snapshotId: SnapshotId, channel: string, messageTs: string): Promise<string[]> {
    const open = await this.openOf(snapshotId);
    return open.filter((each) => isSame(each, { channel, messageTs })).map(({ user }) => user);
  }

  /** Names at a message who watches it now, where Slack lets the bot read and edit it: nobody has clicked there. */
  async redraw({ channel, messageTs: ts, threadTs }: Spot, snapshotId: SnapshotId): Promise<void> {
    const { poster, owners, logger } = this.#parts;
    if (ts === undefined) return;
    try {
      const message = await poster.read({ channel, ts, threadTs });
      if (message === undefined) return;
      await replaceOwned(
        { channel, messageTs: ts },
        { owners, watching: this },
        (times) => redrawn(message, times),
        (drawn) => poster.edit({ channel, ts }, drawn, 'progress'),
      );
    } catch (error) {
      const isLeft = isOfSlack(error) || error instanceof Congested || error instanceof UnreadableValue;
      if (!isLeft) throw error;
      logger.info(
        { err: error, snapshot: snapshotId },
        'the line of who watches a result could not be changed',
      );
    }
  }

  get(snapshotId: SnapshotId): Promise<Watched | undefined> {
    return this.#bySnapshot.get(snapshotId);
  }

  /** The watches of a snapshot, without those that ended. */
  async openOf(snapshotId: SnapshotId): Promise<Watch[]> {
    return ((await this.get(snapshotId))?.watches ?? []).filter(({ ended }) => ended === undefined);
  }

  /** A person's watch of a snapshot. */
  async find(user: string, snapshotId: SnapshotId): Promise<Watch | undefined> {
    return (await this.openOf(snapshotId)).find((each) => each.user === user);
  }

  /** Changes some watches of a snapshot, or removes them. Gives what is stored then. */
  change(
    snapshotId: SnapshotId,
    isMeant: (watch: Watch) => boolean,
    to: (watch: Watch) => Watch | [],
  ): Promise<Watched | undefined> {
    return this.#change(
      snapshotId,
      async (known) =>
        known && { ...known, watches: known.watches.flatMap((each) => (isMeant(each) ? to(each) : each)) },
    );
  }

  /** Nothing is left of a snapshot that nobody watches and about which nobody is to be told. */
  #change(
    snapshotId: SnapshotId,
    make: (known: Watched | undefined) => Promise<Watched | undefined>,
  ): Promise<Watched | undefined> {
    const { store, now, dayMs } = this.#parts;
    return store.mutex.run(`watch:${snapshotId}`, async () => {
      const known = await this.get(snapshotId);
      const next = await make(known);
      if (next === undefined) return [undefined];
      if (next.watches.length === 0) return [undefined, () => this.#bySnapshot.delete(snapshotId)];
      const last = Math.max(now(), ...next.watches.map(({ until }) => until));
      return [next, () => this.#bySnapshot.set(snapshotId, next, last - now() + LATE_DAYS * dayMs)];
    });
  }

  #note(outcome: 'started' | 'stopped', user: string, channel: string, snapshot: SnapshotId): void {
    const { audit, countWatch } = this.#parts;
    countWatch(outcome);
    audit({ event: 'watch', user, channel, snapshot, outcome });
  }

  /** The next time of day, later than `after`, at which a snapshot is read: the snapshots are spread over the day. */
  slotAfter(after: number, snapshotId: SnapshotId): number {
    const { dayMs } = this.#parts;
    const offset = Math.floor(shareOf(snapshotId) * dayMs);
    const today = Math.floor(after / dayMs) * dayMs + offset;
    return today > after ? today : today + dayMs;
  }
}

/** A number from 0 to 1 that is always the same for an id; ids that follow each other are far apart. */
function shareOf(snapshotId: SnapshotId): number {
  const GOLDEN = 0.618_033_988_749_895;
  return (Number(snapshotId.slice(-9)) * GOLDEN) % 1;
}
