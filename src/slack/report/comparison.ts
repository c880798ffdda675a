import { type Comparison, compareHits } from '../../core/comparing.ts';
import { type Diagnostic, hostOf, relationOf } from '../../core/diagnostics.ts';
import { passedIn, sideOf } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { button, type RichElement, words } from '../blocks/blocks.ts';
import { type Body, type Group, MOST_NAMED, wholeSize } from './body.ts';
import { ALL_ACTION, REPORT_ACTION } from './controls.ts';
import type { Row } from './hit.ts';
import { graveCounts, isGrave } from './levels.ts';
import { doubtLine } from './report.ts';
import { levelTable } from './tables.ts';
import { allOf, capital, count, joined, titleOf, unlistedWord } from './words.ts';

/** A comparison with the snapshot that is read first. */
type Compared = Asked & Required<Pick<Asked, 'before'>>;
type Both = Answers & Required<Pick<Answers, 'before'>>;

/** What became of each hit. Only what the later analysis checked and passed is cleared. */
export function compared({ result, before }: Answers): Comparison<Diagnostic> {
  const was = before === undefined ? [] : sideOf(before.result, 'hit');
  return compareHits(was, sideOf(result, 'hit'), passedIn(result));
}

/** What was solved is no work: its first lines are enough. */
const MOST_CLEARED = 10;

/** The changes under their headings, in the order of the message. */
export function comparisonGroups({ question, before: asked }: Compared, answers: Both): Group[] {
  const { result, before } = answers;
  const found = compared(answers);
  const later = { question, result };
  const earlier = { question: asked, result: before.result };
  const groups = [
    { name: 'New', rows: found.new, of: later },
    { name: 'Rated differently', rows: found.changed, of: later },
    { name: 'Cleared', rows: found.cleared, of: { ...earlier, isCleared: true } },
    { name: capital(unlistedWord(result)), rows: found.unlisted, of: earlier },
  ];
  return groups
    .filter(({ rows }) => rows.length > 0)
    .map(({ name, rows, of }) => ({
      name,
      heading: `${name}: ${count(rows.length)}`,
      rows: rows.map((row): Row => ({ ...row, ...of })),
      isUnlinked: of.result === before.result,
    }));
}

/** The message that compares two snapshots: what is good news first. */
export function comparisonBody(view: Compared, answers: Both): Body {
  const { result, before } = answers;
  const [earlier, later] = [view.before.snapshotId, view.question.snapshotId];
  const found = compared(answers);
  const groups = comparisonGroups(view, answers);
  const named = groups.flatMap(({ rows, isUnlinked }) =>
    rows.slice(0, isUnlinked ? MOST_CLEARED : MOST_NAMED),
  );
  const fresh = groups[0]?.name === 'New' ? groups[0].rows : [];
  const changes = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  return {
    title: titleOf(view, result),
    lines: [[words(changesLine(found, unlistedWord(result)), { bold: true })], ...doubts(view, answers)],
    facts: [
      levelTable('Snapshot', [
        { name: earlier, result: before.result },
        { name: later, result },
      ]),
    ],
    groups,
    named,
    whole: Math.min(fresh.filter(({ hit }) => isGrave(hit)).length, wholeSize(fresh)),
    buttons: [
      ...(changes === 0 ? [] : [button(allOf(changes, 'change'), ALL_ACTION)]),
      button(`Report of ${later}`, REPORT_ACTION),
    ],
    verdict: `${earlier} → ${later}: ${count(found.cleared.length)} cleared, ${count(found.new.length)} new`,
  };
}

/** `20 cleared (1 critical, 7 high) · 3 new (none critical or high) · 2 rated differently · 8 unchanged` */
function changesLine(found: Comparison<Diagnostic>, unlisted: string): string {
  const sized = (rows: readonly { hit: Diagnostic }[], word: string, isRated = false) => {
    const grave = rows.map(({ hit }) => hit).filter(isGrave);
    const rated = isRated ? ` (${graveCounts(grave) || 'none critical or high'})` : '';
    // No row ends within one of the counts.
    return rows.length > 0 && `${`${count(rows.length)} ${word}`.replaceAll(' ', '\u00a0')}${rated}`;
  };
  const said = joined(
    ' · ',
    sized(found.cleared, 'cleared', true),
    sized(found.new, 'new', true),
    sized(found.changed, 'rated differently'),
    sized(found.unchanged, 'unchanged'),
    sized(found.unlisted, unlisted),
  );
  return said || 'No hits in either snapshot';
}

/** What is not known of the two. */
function doubts({ question, before: asked }: Compared, { result, before }: Both): RichElement[][] {
  const isOne = relationOf(before.result.device, result.device) === 'same';
  const hosts = joined(' → ', hostOf(before.result.device), hostOf(result.device));
  const unsure = joined(': ', 'It is not known whether both are of one device', hosts);
  return [
    ...(isOne ? [] : [[words(`${unsure}.`)]]),
    ...doubtLine({ question: asked }, before.result).map((line) => [words(`${asked.snapshotId}: `), ...line]),
    ...doubtLine({ question }, result).map((line) => [words(`${question.snapshotId}: `), ...line]),
  ];
}
