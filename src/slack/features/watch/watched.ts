import type { Named } from '../../../core/comparing.ts';
import { listsWholeSide, sideOf } from '../../../core/counting.ts';
import type { Unconfirmed } from '../../../core/destination.ts';
import type { SnapshotId } from '../../../core/snapshot-id.ts';
import type { Read } from '../../../lookups/lookup-status.ts';

/** What is worth a word: any news, or news of critical and high hits only. */
export type Worth = 'any' | 'grave';

/** The hits that people at a message know, and since when; without hits where a document did not list them all. */
export type Base = { readonly at: number; readonly hits?: readonly Named[] };

/** The message of a result; without a timestamp it is a direct message to the person who is the channel. */
export type Spot = { readonly channel: string; readonly messageTs?: string; readonly threadTs?: string };

/** Why a watch ended by itself. */
export type Why = 'deleted' | 'over' | 'no-access' | 'no-place';

type Wanted = Spot & { readonly worth: Worth; readonly until: number };

/** A watch as the list of its person has it. */
export type OwnWatch = Wanted & { readonly snapshotId: SnapshotId };

/** A person's watch of a snapshot. Those at one message are told together, and share what they know. */
export type Watch = Wanted & {
  readonly user: string;
  readonly base: Base;
  /** A word of which nobody knows whether it arrived, and what people know if it did. */
  readonly unconfirmed?: (Unconfirmed & { readonly base: Base }) | undefined;
  /** It ended, and its person is still to be told. */
  readonly ended?: Why;
};

/** A snapshot that is watched. `job` is the id of its daily reading; a job of another id does nothing. */
export type Watched = { readonly job: string; readonly watches: readonly Watch[] };

/** Somebody wants to hear of news of a snapshot, from what this base says on. */
export type WatchRequest = Pick<Watch, 'user' | 'worth' | 'base'> &
  Spot & { readonly snapshotId: SnapshotId };

export const MOST_OF_A_PERSON = 50;
export const MOST_IN_ALL = 1_000;
/** After so many days every watch ends; the service deletes snapshots after about 30. */
export const LONGEST_DAYS = 60;

export function isSame(one: Spot, other: Spot): boolean {
  return one.channel === other.channel && one.messageTs === other.messageTs;
}

/** What somebody knows who has seen this result. */
export function baseOf({ result, readAt: at }: Read): Base {
  if (!listsWholeSide(result, 'hit')) return { at };
  return { at, hits: sideOf(result, 'hit').map(({ name, importance }) => ({ name, importance })) };
}
