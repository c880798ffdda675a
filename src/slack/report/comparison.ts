import { hostOf, relationOf } from '../../core/diagnostics.ts';
import type { Asked } from '../../core/lookup.ts';
import type { Answers } from '../../lookups/lookup-status.ts';
import { button, type RichElement, words } from '../blocks/blocks.ts';
import { type Body, MOST_NAMED, wholeSize } from './body.ts';
import { ALL_ACTION, REPORT_ACTION } from './controls.ts';
import { graveCounts, isGrave, levelTable } from './levels.ts';
import { doubtLine } from './report.ts';
import { changesOf, type Group, headingOf } from './rows.ts';
import { allOf, count, joined, titleOf } from './words.ts';

/** A comparison with the snapshot that is read first. */
type Compared = Asked & Required<Pick<Asked, 'before'>>;
type Both = Answers & Required<Pick<Answers, 'before'>>;

/** What was solved is no work: its first lines are enough. */
const MOST_CLEARED = 10;

/** The message that compares two snapshots: what is good news first. */
export function comparisonBody(view: Compared, answers: Both): Body {
  const { result, before } = answers;
  const [earlier, later] = [view.before.snapshotId, view.question.snapshotId];
  const [fresh, changed, cleared, unlisted, unchanged] = changesOf(view, answers);
  const groups = [fresh, changed, cleared, unlisted].filter(({ rows }) => rows.length > 0);
  const sections = groups.map((group) => ({
    heading: headingOf(group),
    rows: group.rows,
    isUnlinked: group === cleared || group === unlisted,
  }));
  const changes = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const line = joined(
    ' · ',
    sized(cleared, true),
    sized(fresh, true),
    ...[changed, unchanged, unlisted].map((group) => sized(group)),
  );
  return {
    title: titleOf(view, result),
    lines: [[words(line || 'No hits in either snapshot', { bold: true })], ...doubts(view, answers)],
    facts: [
      levelTable('Snapshot', [
        { name: earlier, result: before.result },
        { name: later, result },
      ]),
    ],
    sections,
    named: sections.flatMap(({ rows, isUnlinked }) => rows.slice(0, isUnlinked ? MOST_CLEARED : MOST_NAMED)),
    whole: Math.min(fresh.rows.filter(({ hit }) => isGrave(hit)).length, wholeSize(fresh.rows)),
    buttons: [
      ...(changes === 0 ? [] : [button(allOf(changes, 'change'), ALL_ACTION)]),
      button(`Report of ${later}`, REPORT_ACTION),
    ],
    verdict: `${earlier} → ${later}: ${count(cleared.rows.length)} cleared, ${count(fresh.rows.length)} new`,
  };
}

/** `20 cleared (1 critical, 7 high)`; '' for none. No row ends within the count. */
function sized({ place, rows }: Group, isRated = false): string {
  const grave = graveCounts(rows.map(({ hit }) => hit).filter(isGrave));
  const rated = isRated ? ` (${grave || 'none critical or high'})` : '';
  return rows.length === 0 ? '' : `${`${count(rows.length)} ${place}`.replaceAll(' ', '\u00a0')}${rated}`;
}

/** What is not known of the two. */
function doubts({ question, before: asked }: Compared, { result, before }: Both): RichElement[][] {
  const isOne = relationOf(before.result.device, result.device) === 'same';
  const hosts = joined(' → ', hostOf(before.result.device), hostOf(result.device));
  const unsure = joined(': ', 'It is not known whether both are of one device', hosts);
  const both = [
    { question: asked, of: before.result },
    { question, of: result },
  ];
  return [
    ...(isOne ? [] : [[words(`${unsure}.`)]]),
    ...both.flatMap((one) =>
      doubtLine(one, one.of).map((line) => [words(`${one.question.snapshotId}: `), ...line]),
    ),
  ];
}
