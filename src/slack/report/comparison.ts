import type { types } from '@slack/bolt';
import { type Comparison, compareHits } from '../../core/comparing.ts';
import { type Diagnostic, hostOf, relationOf } from '../../core/diagnostics.ts';
import { passedIn, sideOf } from '../../core/importance.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import type { MessageState } from '../blocks/action-values.ts';
import { button, header, type Message, richText, words } from '../blocks/blocks.ts';
import { type Around, contextIn, type Group } from './body.ts';
import { ALL_ACTION, endOf, REPORT_ACTION } from './controls.ts';
import { fitted, hitsOf, type Listed, moreLine, textBeside, wholeSize } from './hit.ts';
import { isGrave, levelCounts } from './levels.ts';
import { doubtLine } from './report.ts';
import { levelTable } from './tables.ts';
import { allOf, count, joined, titleOf, unlistedWord } from './words.ts';

const BOLD = { bold: true };

type Compared = Comparison<Diagnostic> & { readonly unlistedWord: string };

/** What became of each hit. Only what the later analysis checked and passed is cleared. */
export function compared({ result, before }: Answers): Compared {
  const was = before === undefined ? [] : sideOf(before.result, 'hit');
  return { ...compareHits(was, sideOf(result, 'hit'), passedIn(result)), unlistedWord: unlistedWord(result) };
}

type Section = { readonly title: string; readonly rows: readonly Listed[]; readonly isLater: boolean };

/** The changes under their headings, in the order of the message; `isLater`: whether the hits are of the later one. */
function sectionsOf(found: Compared): Section[] {
  const sections = [
    { title: 'New', rows: found.new, isLater: true },
    { title: 'Rated differently', rows: found.changed, isLater: true },
    { title: 'Cleared', rows: found.cleared, isLater: false },
    { title: found.unlistedWord.replace('no', 'No'), rows: found.unlisted, isLater: false },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

/** `20 cleared (1 critical, 7 high) · 3 new (none critical or high) · 2 rated differently · 8 unchanged` */
function changesLine(found: Compared): string {
  const { cleared, new: fresh, changed, unchanged, unlisted } = found;
  const said = joined(
    ' · ',
    cleared.length > 0 && `${sized(cleared, 'cleared')}${graveIn(cleared)}`,
    fresh.length > 0 && `${sized(fresh, 'new')}${graveIn(fresh)}`,
    changed.length > 0 && sized(changed, 'rated differently'),
    unchanged.length > 0 && sized(unchanged, 'unchanged'),
    unlisted.length > 0 && sized(unlisted, found.unlistedWord),
  );
  return said || 'No hits in either snapshot';
}

/** No row ends within one of several counts. */
function sized(rows: readonly Listed[], word: string): string {
  return `${count(rows.length)} ${word}`.replaceAll(' ', '\u00a0');
}

function graveIn(rows: readonly Listed[]): string {
  const grave = rows.map(({ hit }) => hit).filter(isGrave);
  return ` (${grave.length === 0 ? 'none critical or high' : levelCounts(grave).join(', ')})`;
}

/** The message that compares two snapshots: `answers.before` is the earlier one. */
export function comparisonMessage(state: MessageState, answers: Answers, around: Around): Message {
  const { result, before } = answers;
  const found = compared(answers);
  const sections = sectionsOf(found);
  const [earlier = '', later] = [state.before?.snapshotId, state.question.snapshotId];
  const line = changesLine(found);
  const title = titleOf(state, result);
  const top: types.KnownBlock[] = [
    header(title),
    richText([words(line, BOLD)], ...doubts(state, answers)),
    levelTable('Snapshot', [
      ...(before === undefined ? [] : [{ name: earlier, result: before.result }]),
      { name: later, result },
    ]),
  ];
  const values = { contextOf: contextIn(state.question, result) };
  const blocks = fitted(END_WEIGHT, ({ isLinked, named }) => [
    ...top,
    ...sections.flatMap(({ title: heading, rows, isLater }): types.KnownBlock[] => {
      const whole = rows === found.new ? gravest(rows) : 0;
      const most = isLater ? named : Math.min(named, MOST_CLEARED);
      const list = hitsOf(rows, { isLinked: isLinked && isLater, named: most, whole }, values);
      return [header(`${heading}: ${count(rows.length)}`), ...list.blocks, ...moreBlocks(list.rest)];
    }),
  ]);
  const changes = sections.reduce((sum, { rows }) => sum + rows.length, 0);
  const all = changes === 0 ? [] : [button(allOf(changes, 'change'), ALL_ACTION)];
  const readAt = Math.min(answers.readAt, before?.readAt ?? answers.readAt);
  const end = endOf([...all, button(`Report of ${later}`, REPORT_ACTION)], {
    ...{ state, readAt, owner: undefined, canOwn: false },
    isPrivate: around.isPrivate,
    threadTs: around.threadTs,
    verdict: `${earlier} → ${later}: ${shortLine(found)}`,
  });
  return { text: textBeside(`${title}: ${line}`, []), blocks: [...blocks, ...end] };
}

/** How many new hits are whole: the first ones, as long as they are critical or high. */
function gravest(rows: readonly Listed[]): number {
  const hits = rows.map(({ hit }) => hit);
  return Math.min(hits.filter(isGrave).length, wholeSize(hits));
}

function moreBlocks(rest: readonly Listed[]): types.KnownBlock[] {
  return rest.length === 0 ? [] : [richText([words(moreLine(rest.map(({ hit }) => hit)))])];
}

const END_WEIGHT = 1_700;
/** What was solved is no work: its first lines are enough. */
const MOST_CLEARED = 10;

function shortLine({ cleared, new: fresh }: Compared): string {
  return `${count(cleared.length)} cleared, ${count(fresh.length)} new`;
}

/** What is not known of the two. */
function doubts(state: MessageState, { result, before }: Answers) {
  if (before === undefined || state.before === undefined) return [];
  const isOne = relationOf(before.result.device, result.device) === 'same';
  const named = (id: string, line: ReturnType<typeof doubtLine>) =>
    line.map((each) => [words(`${id}: `), ...each]);
  return [
    ...(isOne
      ? []
      : [[words(`It is not known whether both are of one device${hostsOf(result, before.result)}.`)]]),
    ...named(state.before.snapshotId, doubtLine({ question: state.before }, before.result)),
    ...named(state.question.snapshotId, doubtLine(state, result)),
  ];
}

type Result = Answers['result'];

function hostsOf(later: Result, earlier: Result): string {
  const hosts = [hostOf(earlier.device), hostOf(later.device)].filter((host) => host !== '');
  return hosts.length === 0 ? '' : `: ${hosts.join(' → ')}`;
}

/** The changes by the headings of their message, for the window that lists all of them. */
export function comparisonGroups(
  { question, before: asked }: Pick<MessageState, 'question' | 'before'>,
  answers: Answers,
): Group[] {
  const { result, before } = answers;
  const found = compared(answers);
  return sectionsOf(found).map(({ title, rows, isLater }) => {
    const of = isLater || before === undefined || asked === undefined;
    const whose = of ? { question, result } : { question: asked, result: before.result };
    return { name: title, rows: rows.map((row) => ({ ...row, ...whose, isOver: rows === found.cleared })) };
  });
}
