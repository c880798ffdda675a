import type { Acceptance, Comparison, Named } from '../../../core/comparing.ts';
import type { SnapshotId } from '../../../core/diagnostics.ts';
import { listsWholeSide, sideOf } from '../../../core/importance.ts';
import type { Unconfirmed } from '../../../core/lookup.ts';
import { utcText } from '../../../core/time.ts';
import type { Read } from '../../../lookups/lookup-status.ts';
import { messageText, PHONE, textLine } from '../../answer/fitting.ts';
import { hitBlocks } from '../../answer/hit-blocks.ts';
import { laidHit } from '../../answer/laid-hit.ts';
import { modelOf } from '../../answer/result-model.ts';
import { changesIn, sinceLine } from '../../answer/since.ts';
import { counted, importanceOf } from '../../answer/wording.ts';
import { type Message, notice, richText, slackTime, smallPrint, words } from '../../blocks/blocks.ts';
import { LIMITS, shorten } from '../../blocks/limits.ts';
import type { Origin } from '../../blocks/modal.ts';

/** After so many days every watch ends; the service deletes snapshots after about 30. */
export const LONGEST_DAYS = 60;

/** What is worth a word: any news, or news of critical and high hits only. */
export type Worth = 'any' | 'grave';

/** Why a watch ended by itself. */
export type Why = 'deleted' | 'over' | 'no-access' | 'no-place';

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

export function isSameWatch(one: Watcher, other: Watcher): boolean {
  return one.user === other.user && one.until === other.until;
}

export function isSame(one: Origin, other: Origin): boolean {
  return one.channel === other.channel && one.messageTs === other.messageTs;
}

/** Those whose watch has not ended, each with where that is. */
export function openIn({ places }: { readonly places: readonly Place[] } = { places: [] }) {
  return places.flatMap((place) =>
    place.watchers.filter(({ why }) => why === undefined).map((watcher) => ({ ...watcher, place })),
  );
}

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

const MOST_HITS = 3;
const LONGEST_LEVEL = 24;
/** Lines of a phone that the hits of a word may take. */
const LINES = 22;

/** What changed in a watched snapshot, since when (epoch ms), and for whom it is worth a word. */
export type News = {
  readonly snapshotId: SnapshotId;
  readonly users: readonly string[];
  readonly found: Comparison<Named>;
  /** What was accepted until its hit was rated differently. */
  readonly over: readonly Acceptance[];
  readonly since: number;
  readonly read: Read;
};

/** The reply in the thread of a watched result: what changed, and the hits that are new or rated differently. */
export function newsMessage({ snapshotId, users, found, over, since, read }: News): Message {
  const view = { question: { snapshotId, set: 'hit' as const } };
  const { shown, usualHost } = modelOf(view, { ...read });
  const notes = new Map<Named, string>();
  for (const { hit } of found.new) notes.set(hit, 'new');
  for (const { hit, was = hit } of found.changed)
    notes.set(hit, `was ${shorten(importanceOf(was), LONGEST_LEVEL)}`);
  const ended = (hit: Named) => (over.some(({ name }) => name === hit.name) ? ', no longer accepted' : '');
  const news = shown.flatMap(({ hit }, index) => {
    const note = notes.get(hit);
    return note === undefined
      ? []
      : { hit, index, view, note: `${note}${ended(hit)}`, usualHost, cells: [{ name: '', cell: hit }] };
  });
  const subject = `Hits of snapshot ${snapshotId}: `;
  const said = `${subject}${changesIn(found, 'hit')} since ${utcText(since).slice(0, 10)}`;
  const mentions = users.map((user) => `<@${user}>`).join(' ');
  const lines = news.map(({ hit }) => textLine(hit));
  const rest = news.length - MOST_HITS;
  const more = rest > 0 ? `${counted(rest, 'more hit')}: press Refresh on the result above · ` : '';
  return {
    text: `${mentions} ${messageText([said], lines)}`,
    blocks: [
      richText([
        ...users.flatMap((user_id) => [{ type: 'user' as const, user_id }, words(' ')]),
        ...sinceLine({ snapshotId, at: since, found }, read.readAt, 'hit', subject),
      ]),
      ...hitBlocks(
        news.slice(0, MOST_HITS).map((each) => laidHit(each, PHONE)),
        LINES,
        LIMITS.messageJson / 2,
      ).flat(),
      smallPrint(`${more}${slackTime(read.readAt, 'read')}`),
    ],
  };
}

/** The direct message that ends a watch. It holds nothing of a result. */
export function watchEndedMessage(snapshotId: SnapshotId, why: Why): Message {
  return notice(`I no longer watch snapshot ${snapshotId} for you: ${ENDED[why]}`);
}

const ENDED: Readonly<Record<Why, string>> = {
  deleted: 'the service has deleted it. To go on, upload it again, and watch the new id.',
  over: `${LONGEST_DAYS} days are over.`,
  'no-access': 'you may no longer see results in its conversation.',
  'no-place': 'its message can’t be replied to any more. To go on, look it up again, and watch that.',
};
