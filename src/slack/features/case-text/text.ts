import { hostOf } from '../../../core/diagnostics.ts';
import { mapInTurns } from '../../../core/event-loop.ts';
import { groupOf, levelOf } from '../../../core/importance.ts';
import { type Asked, questionsOf } from '../../../core/lookup.ts';
import { oneLine } from '../../../core/texts.ts';
import { utcText } from '../../../core/time.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { shorten } from '../../blocks/limits.ts';
import { everyHit, type FileRow } from '../../report/rows.ts';

/** What a text lists: the critical and high hits, or all. */
export const CASE_PARTS = ['grave', 'all'] as const;
export type CasePart = (typeof CASE_PARTS)[number];

const EVIDENCE_LINES = 3;
const LONGEST_LINE = 200;
const LONGEST_SUMMARY = 400;

/** Plain text for a case: the devices, and each hit with its summary and the first lines of its evidence. */
export async function caseTextOf(view: Asked, answers: Answers, part: CasePart): Promise<string> {
  const all = everyHit(view, answers);
  const listed = part === 'all' ? all : all.filter(isGrave);
  const hits = await mapInTurns(listed, (one, at) => hitText(one, at + 1, view));
  const what = part === 'all' ? '' : 'critical and high: ';
  const size = `Listed here: ${what}${listed.length} of ${all.length}. Read ${utcText(answers.readAt)}.`;
  return `${[...headOf(view, answers), size, ...hits].join('\n')}\n`;
}

/** Whether there are fewer critical and high hits than hits, and at least one. */
export function hasParts(view: Asked, answers: Answers): boolean {
  const all = everyHit(view, answers);
  const size = all.filter(isGrave).length;
  return size > 0 && size < all.length;
}

function isGrave({ hit }: FileRow): boolean {
  return hit.match === 'hit' && ['critical', 'high'].includes(groupOf(hit));
}

/** A line for each device. */
function headOf(view: Asked, { result, before, units }: Answers): string[] {
  const results = units?.map((unit) => (unit.kind === 'ready' ? unit.result : undefined)) ?? [
    ...(before === undefined ? [] : [before.result]),
    result,
  ];
  return questionsOf(view).map(({ snapshotId }, at) => {
    const one = results[at];
    if (one === undefined) return `Snapshot ${snapshotId}: no result`;
    const { device, software, sha1 } = one;
    const release = [software.product, software.version, software.edition, software.built].filter(Boolean);
    const known = [hostOf(device), release.join(' '), device.platform, device.chassisSerial, sha1];
    return oneLine(`Snapshot ${snapshotId}: ${known.filter(Boolean).join(' · ')}`);
  });
}

function hitText({ question, hit, accepted, change, was }: FileRow, at: number, view: Asked): string {
  const of = view.others === undefined ? '' : `, snapshot ${question.snapshotId}`;
  const became =
    change === undefined ? '' : `, ${change}${was === undefined ? '' : ` (was ${was.importance})`}`;
  const facts = [
    hit.name,
    ...hit.cveIds,
    ...(hit.fixedIn.length > 0 ? [`fixed in ${hit.fixedIn.join(', ')}`] : []),
  ];
  const evidence = hit.output.flatMap((block) => block.split('\n')).filter((line) => line.trim() !== '');
  const lines = [
    shorten(oneLine(hit.summary), LONGEST_SUMMARY),
    oneLine(hit.action) && `Action: ${shorten(oneLine(hit.action), LONGEST_SUMMARY)}`,
    accepted &&
      `Accepted by ${accepted.userName} until ${utcText(accepted.until).slice(0, 10)}: ${accepted.reason}`,
    facts.map(oneLine).join(' · '),
    ...hit.solutions.slice(0, 1).map(({ url }) => oneLine(url)),
    ...evidence.slice(0, EVIDENCE_LINES).map((line) => `| ${shorten(line, LONGEST_LINE)}`),
    evidence.length > EVIDENCE_LINES && `| and ${evidence.length - EVIDENCE_LINES} more lines`,
  ];
  const level =
    hit.match === 'miss'
      ? 'Passed'
      : `${levelOf(hit).word}${hit.isMatchUnstated ? ', match not stated' : ''}`;
  const title = `\n${at}. ${level}${became}${of}: ${oneLine(hit.title || hit.name)}`;
  return [title, ...lines.filter(Boolean).map((line) => `   ${line}`)].join('\n');
}
