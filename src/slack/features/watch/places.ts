import type { Comparison, Named } from '../../../core/comparing.ts';
import { listsWholeSide, sideOf } from '../../../core/counting.ts';
import type { Unconfirmed } from '../../../core/lookup.ts';
import type { Read } from '../../../lookups/lookup-status.ts';
import type { Origin } from '../../block-kit/modal.ts';
import type { Why, Worth } from './messages.ts';

/** The hits that people at a message know, and since when; without hits where a document did not list them all. */
export type Base = { readonly at: number; readonly hits?: readonly Named[] };

/**
 * Whoever watches again has another `until`, which tells the two watches apart. `why`: it has ended, which this person is
 * still to be told.
 */
export type Watcher = {
  readonly user: string;
  readonly worth: Worth;
  readonly until: number;
  readonly why?: Why;
  readonly unconfirmed?: Unconfirmed;
};

/**
 * A message at which people watch: they are told together, and know the same. Without a timestamp they are told in direct
 * messages: the channel is the person.
 */
export type Place = Origin & {
  readonly base: Base;
  /** A word of which nobody knows whether it arrived, and what people know if it did. */
  readonly unconfirmed?: (Unconfirmed & { readonly base: Base }) | undefined;
  readonly watchers: readonly Watcher[];
};

/** A snapshot that is watched. `job` is the id of its daily reading; a job of another id does nothing. */
export type Watched = { readonly job: string; readonly places: readonly Place[] };

/** What somebody knows who has seen this result. */
export function baseOf({ result, readAt: at }: Read): Base {
  if (!listsWholeSide(result, 'hit')) return { at };
  return { at, hits: sideOf(result, 'hit').map(({ name, importance }) => ({ name, importance })) };
}

/** The same of a message that was made at `at`, since when this has changed. */
export function baseBefore(at: number, { cleared, changed, unchanged }: Comparison<Named>): Base {
  const kept = [...changed, ...unchanged].flatMap(({ was }) => was ?? []);
  return { at, hits: [...cleared.map(({ hit }) => hit), ...kept] };
}

export function isSame(one: Origin, other: Origin): boolean {
  return one.channel === other.channel && one.messageTs === other.messageTs;
}

/** With others in place of each watcher, or with none. Where nobody is left, nobody is told. */
export function replacing(
  { job, places }: Watched,
  make: (watcher: Watcher, place: Place) => readonly Watcher[],
): Watched {
  const changed = places.map((place) => ({
    ...place,
    watchers: place.watchers.flatMap((each) => make(each, place)),
  }));
  return { job, places: changed.filter(({ watchers }) => watchers.length > 0) };
}

/** Those whose watch has not ended, each with where that is. */
export function openIn({ places }: Pick<Watched, 'places'> = { places: [] }) {
  return places.flatMap((place) =>
    place.watchers.filter(({ why }) => why === undefined).map((watcher) => ({ ...watcher, place })),
  );
}

/** Where those at a message are told. */
export function whereOf({ channel, messageTs, threadTs = messageTs }: Place) {
  return threadTs === undefined ? { channel } : { channel, threadTs };
}

/** What finds a word again: another one for each message, and for each time since when it tells. */
export function wordOf(job: string, { channel, messageTs = '' }: Place, { at }: Base): string {
  return `${job}:${channel}:${messageTs}:${at}`;
}
