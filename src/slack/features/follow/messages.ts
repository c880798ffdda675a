import type { types } from '@slack/bolt';
import type { Named } from '../../../core/comparing.ts';
import type { Diagnostic, SnapshotId } from '../../../core/diagnostics.ts';
import { countByLevel, levelOf } from '../../../core/importance.ts';
import { inOrder } from '../../../core/lookup.ts';
import { oneLine } from '../../../core/texts.ts';
import { utcText } from '../../../core/time.ts';
import type { Follow, FollowKind } from '../../../lookups/queue.ts';
import { viewValue } from '../../blocks/action-values.ts';
import { actions, button, day, type Message, richText, smallPrint, words } from '../../blocks/blocks.ts';
import { inert, shorten } from '../../blocks/limits.ts';
import { modal, radios } from '../../blocks/modal.ts';
import { COMPARE_LAST_ACTION } from '../../report/controls.ts';
import { LOOK_UP_ACTION } from '../../report/help.ts';
import { count } from '../../report/words.ts';
import type { Changes } from './changes.ts';

/** Days after which every follow ends; the service deletes snapshots after about 30. */
export const LONGEST_DAYS = 60;
export const FOLLOW_VIEW = 'follow';
/** The input, alone in a block of the same name. */
export const KIND_INPUT = 'follow-kind';

const MOST_NAMED = 10;
const LONGEST_TITLE = 150;

/** Why a follow ended by itself before its word. */
export type Ending = 'deleted' | 'over' | 'no-access';

/** What a follow tells about, for example `When any hit changes`. */
export function kindText(kind: FollowKind, host: string): string {
  const texts: Readonly<Record<FollowKind, string>> = {
    grave: 'When critical or high hits change',
    any: 'When any hit changes',
    newer: `When a newer snapshot of ${shorten(shortOf(host), 30) || 'this device'} is looked up`,
    hour: 'In an hour',
    tomorrow: 'Tomorrow at 9:00',
    week: 'In a week',
  };
  return texts[kind];
}

function shortOf(host: string): string {
  return host.split('.')[0] ?? '';
}

/** Asks what to tell. `followed`: what this person follows of the snapshot already. */
export function followModal(
  kinds: readonly FollowKind[],
  host: string,
  followed: FollowKind | undefined,
): types.ModalView {
  const choices = Object.fromEntries(kinds.map((kind) => [kind, kindText(kind, host)]));
  return modal({ title: 'Follow', callbackId: FOLLOW_VIEW, submit: 'Follow', close: 'Cancel' }, [
    radios(KIND_INPUT, 'Tell me', choices, followed ?? 'grave'),
    smallPrint(
      'For changes I read the analysis once a day. I reply in the thread and mention you. It ends when the snapshot is ' +
        `deleted, after ${LONGEST_DAYS} days at most.`,
    ),
  ]);
}

/** Confirms a follow, for its person alone. */
export function followingText({ question, kind, host }: Follow): string {
  const when = kindText(kind, host);
  return `I’ll tell you about snapshot ${question.snapshotId}: ${when.charAt(0).toLowerCase()}${when.slice(1)}. You can stop it on the Home tab.`;
}

/** What changed in a followed snapshot since the person knew it. */
export function newsMessage({ user, question, host, known }: Follow, changes: Changes): Message {
  const subject = `Snapshot ${question.snapshotId}${host === '' ? '' : ` of ${shorten(host, 60)}`}`;
  const said = [
    countsOf('new', changes.new),
    changes.changed.length === 0 ? '' : `${count(changes.changed.length)} rated differently`,
    countsOf('cleared', changes.cleared),
    countsOf('no longer checked', changes.unchecked),
  ].filter(Boolean);
  const lines = [
    ...changes.new.map((hit) => `New: ${lineOf(hit)}`),
    ...changes.changed.map(([hit, was]) => `Was ${levelOf(was).word}: ${lineOf(hit)}`),
    ...changes.cleared.map((hit) => `Cleared: ${lineOf(hit)}`),
    ...changes.unchecked.map(({ name }) => `No longer checked: ${shorten(oneLine(name), LONGEST_TITLE)}`),
  ];
  const left = lines.length - MOST_NAMED;
  const named = [...lines.slice(0, MOST_NAMED), ...(left > 0 ? [`And ${count(left)} more`] : [])];
  return {
    text: [
      `<@${user}> ${inert(`${subject}: ${said.join(', ')}`)} since ${utcText(known.at)}`,
      ...named.map(inert),
    ].join('\n'),
    blocks: [
      richText([
        { type: 'user', user_id: user },
        words(` ${subject}: `),
        words(said.join(', '), { bold: true }),
        words(' '),
        day(known.at, 'since'),
      ]),
      richText([words(named.join('\n'))]),
    ],
  };
}

/** `2 new (1 critical, 1 low)`; '' for none. */
function countsOf(what: string, hits: readonly Named[]): string {
  if (hits.length === 0) return '';
  const levels = countByLevel(hits as readonly Diagnostic[]).slice(0, 4);
  const said = levels.map(
    ({ level, count: size }) => `${count(size)} ${shorten(level.word, 24).toLowerCase()}`,
  );
  return `${count(hits.length)} ${what} (${said.join(', ')})`;
}

function lineOf(hit: Diagnostic): string {
  return `${levelOf(hit).word}: ${shorten(oneLine(hit.title || hit.name), LONGEST_TITLE)}`;
}

/** A time that the person chose has come. */
export function dueMessage({ user, question: { snapshotId } }: Follow): Message {
  const said = `It’s time to look at snapshot ${snapshotId} again, as you asked.`;
  return mentioning(user, said, button('Look up a new snapshot', LOOK_UP_ACTION));
}

/** A newer snapshot of the device was looked up. It does not say who did that, or where. */
export function newerMessage({ user, question: { snapshotId } }: Follow, newer: SnapshotId): Message {
  const said = `There is a newer snapshot of the same device, ${newer}.`;
  const both = inOrder({ snapshotId, set: 'all' }, { snapshotId: newer, set: 'all' });
  return mentioning(user, said, button('Compare', COMPARE_LAST_ACTION, viewValue(both)));
}

/** A follow ended by itself. It says nothing of a result. */
export function endedMessage({ user, question: { snapshotId } }: Follow, why: Ending): Message {
  return mentioning(user, `I no longer follow snapshot ${snapshotId} for you: ${ENDED[why]}`);
}

const ENDED: Readonly<Record<Ending, string>> = {
  deleted: 'the service has deleted it.',
  over: `${LONGEST_DAYS} days are over.`,
  'no-access': 'you may no longer see results in its conversation.',
};

function mentioning(user: string, said: string, ...buttons: types.Button[]): Message {
  return {
    text: `<@${user}> ${said}`,
    blocks: [
      richText([{ type: 'user', user_id: user }, words(` ${said}`)]),
      ...(buttons.length === 0 ? [] : [actions(buttons)]),
    ],
  };
}
