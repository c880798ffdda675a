import { randomUUID } from 'node:crypto';
import type { SnapshotId } from '../../../core/diagnostics.ts';
import { dueAfter } from '../../../lookups/lookups.ts';
import { count } from '../../answer/wording.ts';
import type { Origin } from '../../blocks/modal.ts';
import { redrawOwned } from '../../delivery/owners.ts';
import type { FeatureParts } from '../../front/context.ts';
import type { Base, Place, Watcher, Why } from './news.ts';
import { isSame, isSameWatch, LONGEST_DAYS, openIn } from './news.ts';

/** A snapshot that is watched. `job` is the id of its daily reading; a job of another id does nothing. */
type Watched = { readonly job: string; readonly places: readonly Place[] };

/** A watch as the list of its person has it. `device`: what people call it, or ''. */
type OwnWatch = Pick<Watcher, 'worth' | 'until'> & {
  readonly snapshotId: SnapshotId;
  readonly device: string;
};

/** Somebody wants to hear of news of a snapshot, from what this base says on. */
type WatchRequest = Origin & Pick<Watcher, 'user'> & Omit<OwnWatch, 'until'> & { readonly base: Base };

type Progress = Pick<Place, 'base' | 'unconfirmed'>;

/** How much later than its end a watch is still found, for example after an outage. */
const LATE_DAYS = 7;
const MOST_OF_A_PERSON = 50;
/** Not a setting: so many requests are spread over a day, that is one in 86 seconds, and no service minds those. */
const MOST_IN_ALL = 1_000;
const FULL = {
  person: `You already watch ${MOST_OF_A_PERSON} snapshots, which is the most for one person. Stop one first: the Home tab lists them.`,
  all: `${count(MOST_IN_ALL)} snapshots are watched already, which is the most for this bot. Try again when some have ended.`,
};

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
  async start({ snapshotId, device, user, worth, base, ...spot }: WatchRequest): Promise<void> {
    const { now, dayMs, watchQueue } = this.#parts;
    const acceptedAt = now();
    const watcher = { user, worth, until: acceptedAt + LONGEST_DAYS * dayMs };
    // First the list: what stands there alone can be stopped, but what stands nowhere could not.
    await this.#list(user, (list = []) => [
      { snapshotId, device, worth, until: watcher.until },
      ...list.filter((each) => each.snapshotId !== snapshotId),
    ]);
    const before = await this.#change(snapshotId, async (known) => {
      const { job, places } = known ?? { job: randomUUID(), places: [] };
      const at = dueAfter(acceptedAt, snapshotId, dayMs);
      if (known === undefined)
        await watchQueue.add({ id: job, acceptedAt, question: { snapshotId, set: 'hit' }, at });
      // Who watched here before knows what was told here, and nothing later.
      const isKnown = places.some((each) => isSame(each, spot));
      const all = isKnown ? places : [...places, { ...spot, base, watchers: [] }];
      const withUser = (place: Place) => {
        const others = place.watchers.filter((each) => each.user !== user);
        return { ...place, watchers: isSame(place, spot) ? [...others, watcher] : others };
      };
      return { job, places: all.map(withUser) };
    });
    this.note('started', snapshotId, { user, channel: spot.channel });
    const left = openIn(before).find((each) => each.user === user)?.place;
    if (left !== undefined && !isSame(left, spot)) await redrawOwned(left, this.#attention);
  }

  /** Ends a person's watch, if there is one, and gives what to say to that. */
  async stop(user: string, snapshotId: SnapshotId): Promise<string> {
    const before = await this.update(snapshotId, (each) => (each.user === user ? [] : [each]));
    await this.#list(user, (list = []) => list.filter((each) => each.snapshotId !== snapshotId));
    // A reading that could not be removed finds nothing to do.
    if (before !== undefined && (await this.get(snapshotId)) === undefined)
      await this.#parts.watchQueue.remove(before.job).catch(() => {});
    const left = openIn(before).find((each) => each.user === user)?.place;
    if (left === undefined) return `You don’t watch snapshot ${snapshotId}: there is nothing to stop.`;
    this.note('stopped', snapshotId, { user, channel: left.channel });
    await redrawOwned(left, this.#attention);
    return `You no longer watch snapshot ${snapshotId}.`;
  }

  /** Ends watches by themselves: their people are still to be told. */
  async end(
    snapshotId: SnapshotId,
    why: Why,
    isMeant: (open: ReturnType<typeof openIn>[number]) => boolean,
  ): Promise<void> {
    const over = openIn(await this.get(snapshotId)).filter(isMeant);
    // Who has begun another one by now keeps that.
    const isOver = (each: Watcher) => over.some((one) => isSameWatch(one, each));
    for (const { user, until } of over)
      await this.#list(user, (list = []) =>
        list.filter((each) => each.snapshotId !== snapshotId || each.until !== until),
      );
    await this.update(snapshotId, (each) => [isOver(each) ? { ...each, why } : each]);
    for (const { user, place } of over) this.note('ended', snapshotId, { user, channel: place.channel }, why);
    for (const place of new Set(over.map((each) => each.place))) await redrawOwned(place, this.#attention);
  }

  /** What a person watches, the latest first. */
  async of(user: string): Promise<readonly OwnWatch[]> {
    return (await this.#parts.store.namespace<readonly OwnWatch[]>('watching').get(user)) ?? [];
  }

  /** Who watches a snapshot at this message. */
  async watchersAt(snapshotId: SnapshotId, channel: string, messageTs: string): Promise<string[]> {
    const open = openIn(await this.get(snapshotId));
    return open.filter(({ place }) => isSame(place, { channel, messageTs })).map(({ user }) => user);
  }

  get(snapshotId: SnapshotId): Promise<Watched | undefined> {
    return this.#parts.store.namespace<Watched>('watches').get(snapshotId);
  }

  /** Puts others in place of each watcher of a snapshot, or none, and gives what was known of it. */
  update(
    snapshotId: SnapshotId,
    make: (watcher: Watcher) => readonly Watcher[],
  ): Promise<Watched | undefined> {
    return this.#places(snapshotId, (each) => ({ ...each, watchers: each.watchers.flatMap(make) }));
  }

  /** Stores what people at a message know by now; gives false, and does not, once somebody else has, or none is left. */
  progressAt(snapshotId: SnapshotId, place: Place): (progress: Progress) => Promise<boolean> {
    let stored: Progress = place;
    const isStored = (each: Place) =>
      isSame(each, place) &&
      each.base.at === stored.base.at &&
      each.unconfirmed?.at === stored.unconfirmed?.at;
    return async (progress) => {
      const put = (each: Place) => (isStored(each) ? { ...each, ...progress } : each);
      const before = await this.#places(snapshotId, put);
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

  async #list(user: string, make: (list?: readonly OwnWatch[]) => readonly OwnWatch[]): Promise<void> {
    await this.#parts.store.namespace<readonly OwnWatch[]>('watching').change(user, make, this.#ttlMs);
  }

  #places(snapshotId: SnapshotId, make: (place: Place) => Place): Promise<Watched | undefined> {
    return this.#change(snapshotId, (known) => known && { ...known, places: known.places.map(make) });
  }

  /** Nothing is left of a snapshot that nobody watches and about which nobody is to be told. Gives what it was. */
  async #change(
    snapshotId: SnapshotId,
    make: (known: Watched | undefined) => Watched | undefined | Promise<Watched | undefined>,
  ): Promise<Watched | undefined> {
    const change = async (known: Watched | undefined) => {
      const next = await make(known);
      const places = next?.places.filter(({ watchers }) => watchers.length > 0) ?? [];
      return next && places.length > 0 ? { ...next, places } : undefined;
    };
    const [before] = await this.#parts.store
      .namespace<Watched>('watches')
      .change(snapshotId, change, this.#ttlMs);
    return before;
  }

  readonly #ttlMs = () => (LONGEST_DAYS + LATE_DAYS) * this.#parts.dayMs;
}
