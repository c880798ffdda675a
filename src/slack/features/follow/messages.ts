import type { types } from '@slack/bolt';
import { type Acceptance, acceptanceOf, compareHits, type Named } from '../../../core/comparing.ts';
import type { DiagnosticsResult, SnapshotId } from '../../../core/diagnostics.ts';
import { levelOf, listsWholeSide, namedIn, passedIn, sideOf } from '../../../core/importance.ts';
import { inOrder } from '../../../core/lookup.ts';
import { oneLine } from '../../../core/texts.ts';
import type { Read } from '../../../lookups/lookup-status.ts';
import type { Follow, FollowKind, Known } from '../../../lookups/queue.ts';
import { ACTION, viewValue } from '../../blocks/action-values.ts';
import * as ui from '../../blocks/blocks.ts';
import { shorten } from '../../blocks/limits.ts';
import { input, modal, radios, shortHost } from '../../blocks/modal.ts';
import { hitsOf } from '../../report/hit.ts';
import { isGrave, levelCounts, levelWord } from '../../report/levels.ts';
import { unlistedWord } from '../../report/rows.ts';
import { capital, count, joined, some } from '../../report/words.ts';

/** How many days a follow lasts at most: longer than the service keeps snapshots, which is about 30 days. */
export const LONGEST_DAYS = 60;
export const FOLLOW_VIEW = 'follow';
/** The id of the input and of its block. */
export const KIND_INPUT = 'follow-kind';

const MOST_NAMED = 10;
const LONGEST_TITLE = 150;
const LONGEST_HOST = 60;

/** Shown above the choices to a person who follows the snapshot; their choice is selected. */
const FOLLOWED =
  'You follow it already, as selected here. Another choice replaces that; the Home tab ends it.';

/** What a follow reports, for example `When any hit changes`. */
export function kindText(kind: FollowKind, host: string): string {
  const texts = {
    grave: 'When critical or high hits change',
    any: 'When any hit changes',
    newer: `When a newer snapshot of ${shorten(shortHost(host), 30) || 'this device'} is looked up`,
    hour: 'In an hour',
    tomorrow: 'Tomorrow at 9:00',
    week: 'In a week',
  };
  return texts[kind];
}

/** The form that asks what to follow. `followed`: the kind of follow that the person has now, if any. */
export function followModal(
  kinds: readonly FollowKind[],
  host: string,
  followed: FollowKind | undefined,
): types.ModalView {
  const choices = Object.fromEntries(kinds.map((kind) => [kind, kindText(kind, host)]));
  return modal({ title: 'Follow', callbackId: FOLLOW_VIEW, submit: 'Follow', close: 'Cancel' }, [
    ...ui.present(followed && ui.line(FOLLOWED)),
    input(KIND_INPUT, 'Tell me', radios(choices, followed ?? 'grave')),
    ui.smallPrint(
      'For changes I read the analysis once a day. I reply in the thread and mention you, or write to you directly where ' +
        `I can’t. It ends when the snapshot is deleted, after ${LONGEST_DAYS} days at most.`,
    ),
  ]);
}

/** The text that confirms a follow to the follower. */
export function followingText({ question, kind, host }: Follow): string {
  const when = kindText(kind, host);
  return `I’ll tell you about snapshot ${question.snapshotId}: ${when.charAt(0).toLowerCase()}${when.slice(1)}. You can stop it on the Home tab.`;
}

/** What a person knows after reading a result: its hits, unless the result does not list all of them. */
export function knownOf({ result, readAt: at }: Read): Known {
  if (!listsWholeSide(result, 'hit')) return { at };
  return { at, hits: sideOf(result, 'hit').map(({ name, importance }) => ({ name, importance })) };
}

const CHANGES = ['new', 'changed', 'cleared', 'unlisted'] as const;
type Changes = Pick<ReturnType<typeof compareHits<Named>>, (typeof CHANGES)[number]>;

/**
 * The changes since the known hits were read, without hits that are accepted for the device. Undefined if one of the
 * two analyses does not list all its hits.
 */
export function changesSince(
  { hits }: Known,
  result: DiagnosticsResult,
  accepted: readonly Acceptance[],
): Changes | undefined {
  if (hits === undefined || !listsWholeSide(result, 'hit')) return undefined;
  const found = compareHits<Named>(hits, sideOf(result, 'hit'), passedIn(result));
  const open = (rows: Changes['new']) => rows.filter(({ hit }) => acceptanceOf(hit, accepted) === undefined);
  const { new: fresh, changed, cleared, unlisted } = found;
  return { new: open(fresh), changed: open(changed), cleared: open(cleared), unlisted: open(unlisted) };
}

const WORDS = { new: 'new', changed: 'rated differently', cleared: 'cleared' };

/**
 * The message about changed hits: their number, such as `2 new (1 critical, 1 low)`, and the first titles. Undefined if
 * nothing changed that this kind of follow reports.
 */
export function newsMessage(
  { user, question, host, known, kind: followed }: Follow,
  changes: Changes,
  result: DiagnosticsResult,
): ui.Message | undefined {
  const isNews = ({ hit, was = hit }: Changes['new'][number]) => isGrave(hit) || isGrave(was);
  const all = Object.values(changes).flat();
  if (followed === 'any' ? all.length === 0 : !all.some(isNews)) return undefined;
  const words = { ...WORDS, unlisted: unlistedWord(result) };
  const kinds = CHANGES.map((kind) => ({ what: words[kind], rows: changes[kind] }));
  const counts = kinds.map(({ what, rows }) => {
    const size = some(rows, what);
    return size && `${size} (${levelCounts(hitsOf(rows))})`;
  });
  const lines = kinds.flatMap(({ what, rows }) =>
    rows.map(({ hit: { name, importance }, was }) => {
      const title = namedIn(result, name)[0]?.title || name;
      const before = was && `was ${levelWord(levelOf(was))}`;
      const rated = joined(', ', levelOf({ importance }).word, before);
      return `${capital(what)}: ${rated}: ${shorten(oneLine(title), LONGEST_TITLE)}`;
    }),
  );
  const left = lines.length - MOST_NAMED;
  const named = ui.present(...lines.slice(0, MOST_NAMED), left > 0 && `And ${count(left)} more`);
  const subject = joined(' of ', `Snapshot ${question.snapshotId}`, shorten(host, LONGEST_HOST));
  const news = [
    ui.words(` ${subject}: `),
    ui.bold(joined(', ', ...counts)),
    ui.words(' '),
    ui.day(known.at, 'since'),
  ];
  return ui.messageOf([[ui.mention(user), ...news], ...named.map((each) => [ui.words(each)])]);
}

/** The message of a reminder. */
export function dueMessage({ user, question: { snapshotId } }: Follow): ui.Message {
  const said = `It’s time to look at snapshot ${snapshotId} again, as you asked.`;
  return ui.mentioning([user], said, ui.button('Look up a new snapshot', ACTION.lookUp));
}

/** The message that a newer snapshot was looked up. It does not say who looked it up, or where. */
export function newerMessage({ user, question: { snapshotId } }: Follow, newer: SnapshotId): ui.Message {
  const said = `There is a newer snapshot of the same device, ${newer}.`;
  const both = inOrder({ snapshotId, set: 'all' }, { snapshotId: newer, set: 'all' });
  return ui.mentioning([user], said, ui.button('Compare', ACTION.compare, viewValue(both)));
}

const ENDED = {
  deleted: 'the service has deleted it.',
  over: `${LONGEST_DAYS} days are over.`,
  'no-access': 'you may no longer see results in its conversation.',
};

/** The message that a follow has ended. It contains nothing from a result. */
export function endedMessage(
  { user, question: { snapshotId } }: Follow,
  why: keyof typeof ENDED,
): ui.Message {
  return ui.mentioning([user], `I no longer follow snapshot ${snapshotId} for you: ${ENDED[why]}`);
}
