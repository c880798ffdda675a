import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { SnapshotId } from '../../../core/diagnostics.ts';
import { dueAfter } from '../../../lookups/lookups.ts';
import type { Origin } from '../../block-kit/modal.ts';
import { redrawOwned } from '../../delivery/owners.ts';
import type { FeatureParts } from '../../front/context.ts';
import { FULL, LONGEST_DAYS, MOST_IN_ALL, MOST_OF_A_PERSON, type Why, watchStopped } from './messages.ts';
import { type Base, isSame, openIn, type Place, replacing, type Watched, type Watcher } from './places.ts';

/** A watch as the list of its person has it. */
type OwnWatch = Omit<Watcher, 'user'> & { readonly snapshotId: SnapshotId };

/** Somebody wants to hear of news of a snapshot, from what this base says on. */
type WatchRequest = Origin &
  Pick<Watcher, 'user' | 'worth'> & { readonly base: Base; readonly snapshotId: SnapshotId };

type Progress = Pick<Place, 'base' | 'unconfirmed'>;

/** How much later than its end a watch is still found, for example after an outage. */
const LATE_DAYS = 7;

/** Who watches what: by snapshot, which counts, and by person, for their list and its bound. Throws `StorageFailed`. */
export class Watches {
  readonly #parts: FeatureParts;
  readonly #attention: Parameters<typeof redrawOwned>[1];

  constructor(parts: FeatureParts) {
    this.#parts = parts;
    this.#attention = { ...parts, watching: this };
  }

  /** Why this person can't watch a snapshot now, in words; whoever watches it already can choose again how. */
  async refusal(user: string, snapshotId: SnapshotId): Promise<string | undefined> {
    const own = await this.of(user);
    if (own.some((each) => each.snapshotId === snapshotId)) return undefined;
    if (own.length >= MOST_OF_A_PERSON) return FULL.person;
    const isFull = (await this.#parts.watchQueue.countOpen()) >= MOST_IN_ALL;
    return isFull && (await this.get(snapshotId)) === undefined ? FULL.all : undefined;
  }

  /** Begins a watch, in place of the person's other one of this snapshot. */
  async start({ snapshotId, user, worth, base, ...spot }: WatchRequest): Promise<void> {
    const { now, dayMs, watchQueue } = this.#parts;
    const acceptedAt = now();
    const watcher = { user, worth, until: acceptedAt + LONGEST_DAYS * dayMs };
    // First the list: what stands there alone can be stopped, but what stands nowhere could not.
    await this.#list(user, (list) => [
      { snapshotId, worth, until: watcher.until },
      ...list.filter((each) => each.snapshotId !== snapshotId),
    ]);
    const before = await this.#change(snapshotId, async (known) => {
      const at = dueAfter(acceptedAt, snapshotId, dayMs);
      const job = known?.job ?? randomUUID();
      if (known === undefined)
        await watchQueue.add({ id: job, acceptedAt, question: { snapshotId, set: 'hit' }, at });
      const { places } = replacing(known ?? { job, places: [] }, (each) =>
        each.user === user ? [] : [each],
      );
      const others = places.find((each) => isSame(each, spot))?.watchers ?? [];
      // Who watched here before knows what was told here, and nothing later.
      const here = known?.places.find((each) => isSame(each, spot)) ?? { ...spot, base };
      const place = { ...here, watchers: [...others, watcher] };
      return { job, places: [...places.filter((each) => !isSame(each, spot)), place] };
    });
    this.note('started', snapshotId, { user, channel: spot.channel });
    const left = openIn(before).find((each) => each.user === user)?.place;
    if (left !== undefined && !isSame(left, spot)) await redrawOwned(left, this.#attention);
  }

  /** Ends a person's watch, if there is one, and gives what to say to that. */
  async stop(user: string, snapshotId: SnapshotId): Promise<string> {
    const before = await this.update(snapshotId, (each) => (each.user === user ? [] : [each]));
    await this.#list(user, (list) => list.filter((each) => each.snapshotId !== snapshotId));
    // A reading that could not be removed finds nothing to do.
    if (before !== undefined && (await this.get(snapshotId)) === undefined)
      await this.#parts.watchQueue.remove(before.job).catch(() => {});
    const left = openIn(before).find((each) => each.user === user)?.place;
    if (left === undefined) return watchStopped(snapshotId, false);
    this.note('stopped', snapshotId, { user, channel: left.channel });
    await redrawOwned(left, this.#attention);
    return watchStopped(snapshotId, true);
  }

  /** Ends watches by themselves: their people are still to be told. */
  async end(
    snapshotId: SnapshotId,
    why: Why,
    isMeant: (watcher: Watcher, place: Place) => boolean,
  ): Promise<void> {
    const over = openIn(await this.get(snapshotId)).filter((each) => isMeant(each, each.place));
    // Who has begun another one by now keeps that.
    const isOver = ({ user, until }: Watcher) => over.some((one) => one.user === user && one.until === until);
    for (const { user, until } of over)
      await this.#list(user, (list) =>
        list.filter((each) => each.snapshotId !== snapshotId || each.until !== until),
      );
    await this.update(snapshotId, (each) => [isOver(each) ? { ...each, why } : each]);
    for (const { user, place } of over) this.note('ended', snapshotId, { user, channel: place.channel }, why);
    for (const place of new Set(over.map((each) => each.place))) await redrawOwned(place, this.#attention);
  }

  /** What a person watches, the latest first. */
  async of(user: string): Promise<readonly OwnWatch[]> {
    return (await this.#byPerson.get(user)) ?? [];
  }

  /** Who watches a snapshot at this message. */
  async watchersAt(snapshotId: SnapshotId, channel: string, messageTs: string): Promise<string[]> {
    const open = openIn(await this.get(snapshotId));
    return open.filter(({ place }) => isSame(place, { channel, messageTs })).map(({ user }) => user);
  }

  get(snapshotId: SnapshotId): Promise<Watched | undefined> {
    return this.#bySnapshot.get(snapshotId);
  }

  /** Puts others in place of each watcher of a snapshot, or none, and gives what was known of it. */
  update(snapshotId: SnapshotId, make: Parameters<typeof replacing>[1]): Promise<Watched | undefined> {
    return this.#change(snapshotId, async (known) => known && replacing(known, make));
  }

  /** Stores what people at a message know by now; gives false, and does not, once somebody else has, or none is left. */
  progressAt(snapshotId: SnapshotId, place: Place): (progress: Progress) => Promise<boolean> {
    let stored: Progress = place;
    const isStored = (each: Place) =>
      isSame(each, place) &&
      each.base.at === stored.base.at &&
      each.unconfirmed?.at === stored.unconfirmed?.at;
    return async (progress) => {
      const before = await this.#change(snapshotId, async (known) => {
        const put = (each: Place) => (isStored(each) ? { ...each, ...progress } : each);
        return known && { ...known, places: known.places.map(put) };
      });
      const isPut = before?.places.some(isStored) === true;
      stored = progress;
      return isPut;
    };
  }

  /** Counts what became of a watch, or of its day, and writes down what is no quiet day. */
  note(
    outcome: string,
    snapshot: SnapshotId,
    who: { user?: string; channel?: string } = {},
    why?: Why,
  ): void {
    const { logger, audit, countWatch } = this.#parts;
    countWatch(outcome);
    logger.info({ snapshot, outcome, why }, 'watch');
    if (outcome !== 'quiet' && outcome !== 'unanswered')
      audit({ event: 'watch', snapshot, outcome: why ?? outcome, ...who });
  }

  get #bySnapshot() {
    return this.#parts.store.namespace<Watched>('watches');
  }

  get #byPerson() {
    return this.#parts.store.namespace<readonly OwnWatch[]>('watching');
  }

  get #ttlMs(): number {
    return (LONGEST_DAYS + LATE_DAYS) * this.#parts.dayMs;
  }

  #list(user: string, make: (list: readonly OwnWatch[]) => readonly OwnWatch[]): Promise<void> {
    return this.#parts.store.mutex.run(`watching:${user}`, async () => {
      const list = make(await this.of(user));
      return [undefined, () => this.#byPerson.set(user, list, this.#ttlMs)];
    });
  }

  /** Nothing is left of a snapshot that nobody watches and about which nobody is to be told. Gives what it was. */
  #change(
    snapshotId: SnapshotId,
    make: (known: Watched | undefined) => Promise<Watched | undefined>,
  ): Promise<Watched | undefined> {
    return this.#parts.store.mutex.run(`watch:${snapshotId}`, async () => {
      const known = await this.get(snapshotId);
      const next = await make(known);
      if (next === undefined || isDeepStrictEqual(next, known)) return [known];
      const isOver = next.places.length === 0;
      const write = () => this.#bySnapshot.set(snapshotId, next, this.#ttlMs);
      return [known, isOver ? () => this.#bySnapshot.delete(snapshotId) : write];
    });
  }
}
