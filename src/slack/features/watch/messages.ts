import type { types } from '@slack/bolt';
import type { Acceptance, Comparison, Named } from '../../../core/comparing.ts';
import type { SnapshotId } from '../../../core/diagnostics.ts';
import { utcText } from '../../../core/time.ts';
import type { Read } from '../../../lookups/lookup-status.ts';
import { messageText, PHONE, textLine } from '../../answer/fitting.ts';
import { hitBlocks } from '../../answer/hit-blocks.ts';
import { modelOf } from '../../answer/result-model.ts';
import { foundOf } from '../../answer/rows.ts';
import { changesIn, sinceLine } from '../../answer/since.ts';
import { count, counted, importanceOf } from '../../answer/wording.ts';
import {
  actions,
  button,
  type Message,
  richText,
  slackTime,
  smallPrint,
  words,
} from '../../block-kit/blocks.ts';
import { LIMITS, shorten } from '../../block-kit/limits.ts';
import { modal, radios } from '../../block-kit/modal.ts';

/** What is worth a word: any news, or news of critical and high hits only. */
export type Worth = 'any' | 'grave';

/** Why a watch ended by itself. */
export type Why = 'deleted' | 'over' | 'no-access' | 'no-place';

export const MOST_OF_A_PERSON = 50;
/** Not a setting: so many requests are spread over a day, that is one in 86 seconds, and no service minds those. */
export const MOST_IN_ALL = 1_000;
/** After so many days every watch ends; the service deletes snapshots after about 30. */
export const LONGEST_DAYS = 60;

export const WATCH_VIEW = 'watch';
/** The input, alone in a block of the same name. */
export const WORTH_INPUT = 'watch-worth';
/** Ends the watch of who presses it, in the form. */
export const STOP_ACTION = 'watch-stop';

const WORTHS: Readonly<Record<Worth, string>> = {
  grave: 'Critical and high hits only',
  any: 'Anything new, cleared or rated differently',
};

/** Where the word goes: into the thread of a result, or straight to the person where others don't see the result. */
export type Told = 'in the thread' | 'directly';
const HOW: Readonly<Record<Told, string>> = {
  'in the thread': 'mention you in the thread (or send a direct message, where I can’t post there)',
  directly: 'send you a direct message',
};

/** Asks what is worth a word; `existing`: what this person has chosen for this snapshot. */
export function watchModal(existing: Worth | undefined, told: Told): types.ModalView {
  const had = [
    richText([words('You are watching this snapshot.')]),
    actions([button('Stop watching', STOP_ACTION)]),
  ];
  return modal({ title: 'Watch', callbackId: WATCH_VIEW, submit: 'Watch' }, [
    ...(existing === undefined ? [] : had),
    radios(WORTH_INPUT, 'What is worth a message?', WORTHS, existing ?? 'grave'),
    smallPrint(
      `Once a day I’ll read the analysis again, and ${HOW[told]} only if something changed. Watching ends when the service ` +
        `deletes the snapshot, or after ${LONGEST_DAYS} days.`,
    ),
  ]);
}

/** Why a person can't watch one more snapshot. */
export const FULL = {
  person: `You already watch ${MOST_OF_A_PERSON} snapshots, which is the most for one person. Stop one first: the Home tab lists them.`,
  all: `${count(MOST_IN_ALL)} snapshots are watched already, which is the most for this bot. Try again when some have ended.`,
};

/** For the eyes of who has just begun to watch. */
export function watchStarted(snapshotId: SnapshotId, worth: Worth, told: Told): { readonly text: string } {
  const what =
    worth === 'grave' ? 'critical or high hits are new, cleared or rated differently' : 'anything changes';
  return {
    text: `You’re watching snapshot ${snapshotId}: I’ll ${HOW[told]} when ${what}. To stop, choose Watch again.`,
  };
}

export function notWatched(snapshotId: SnapshotId, why: string): { readonly text: string } {
  return { text: `Snapshot ${snapshotId} is not watched. ${why}` };
}

export function watchStopped(snapshotId: SnapshotId, wasThere: boolean): string {
  return wasThere
    ? `You no longer watch snapshot ${snapshotId}.`
    : `You don’t watch snapshot ${snapshotId}: there is nothing to stop.`;
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
      : { hit, index, view, note: `${note}${ended(hit)}`, usualHost, found: foundOf({ hit }) };
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
      ...hitBlocks(news.slice(0, MOST_HITS), {
        lines: LINES,
        weight: LIMITS.messageJson / 2,
        phone: PHONE,
      }).flat(),
      smallPrint(`${more}read ${slackTime(read.readAt)}`),
    ],
  };
}

/** The direct message that ends a watch. It holds nothing of a result. */
export function watchEndedMessage(snapshotId: SnapshotId, why: Why): Message {
  const text = `I no longer watch snapshot ${snapshotId} for you: ${ENDED[why]}`;
  return { text, blocks: [richText([words(text)])] };
}

const ENDED: Readonly<Record<Why, string>> = {
  deleted: 'the service has deleted it. To go on, upload it again, and watch the new id.',
  over: `${LONGEST_DAYS} days are over.`,
  'no-access': 'you may no longer see results in its conversation.',
  'no-place': 'its message can’t be replied to any more. To go on, look it up again, and watch that.',
};
