import type { Change, Comparison } from '../../core/comparing.ts';
import type { Device, DiagnosticsResult, Software } from '../../core/diagnostics.ts';
import type { View } from '../button-values.ts';
import type { Answers, ShownHit } from '../shown-hits.ts';
import { count, counted, deviceLine, hostOf, importanceOf } from './wording.ts';

/** `1010 → 1011` */
export function bothIds({ before, question }: View): string {
  return `${before?.snapshotId ?? ''} → ${question.snapshotId}`;
}

const COUNTED: Record<Change, string> = {
  new: 'new',
  changed: 'changed importance',
  cleared: 'cleared',
  unchanged: 'unchanged',
};

/** `3 new · 2 changed importance · 20 cleared · 8 unchanged`, all that there are. */
export function changeCounts(comparison: Comparison<unknown>): string {
  const said = sizes(comparison)
    .filter(([, size]) => size > 0)
    .map(([change, size]) => `${count(size)} ${COUNTED[change]}`);
  if (said.length === 0) return 'No hits in either snapshot.';
  return comparison.new.length > 0 ? said.join(' · ') : `Nothing new · ${said.join(' · ')}`;
}

/** `30 hits before, 13 after` */
export function bothTotals({ new: added, changed, cleared, unchanged }: Comparison<unknown>): string {
  const kept = changed.length + unchanged.length;
  return `${counted(kept + cleared.length, 'hit')} before, ${count(kept + added.length)} after`;
}

/** How many hits the message does not list, whatever it shows; or ''. */
export function unlisted(comparison: Comparison<unknown>, show: Change | undefined): string {
  const { unchanged } = comparison;
  if (show === undefined) {
    const isOne = unchanged.length === 1;
    return unchanged.length === 0
      ? ''
      : `${counted(unchanged.length, 'unchanged hit')} ${isOne ? 'is' : 'are'} not listed`;
  }
  const all = sizes(comparison).reduce((sum, [, size]) => sum + size, 0);
  const shown = comparison[show].length;
  return `Showing ${count(shown)} ${COUNTED[show]}, ${counted(all - shown, 'other')} hidden`;
}

const ORDER: readonly Change[] = ['new', 'changed', 'cleared', 'unchanged'];

function sizes(comparison: Comparison<unknown>): [Change, number][] {
  return ORDER.map((change) => [change, comparison[change].length]);
}

/** What stands above the hits of one kind. */
export function sectionTitle(change: Change, size: number, { before, question }: View): string {
  const titles: Record<Change, string> = {
    new: `New in ${question.snapshotId}`,
    changed: 'Another importance',
    cleared: `Cleared: in ${before?.snapshotId ?? ''} only`,
    unchanged: 'Unchanged',
  };
  return `${titles[change]} (${count(size)})`;
}

/** The device of one side: `After: edge-7 · C117 · chs777 · Product 17.1.3`. */
export function sideLine(name: 'Before' | 'After', result: DiagnosticsResult): string {
  const line = [hostOf(result), deviceLine(result)].filter(Boolean).join(' · ');
  return `${name}: ${line || 'an unknown device'}`;
}

/** What makes a comparison one of two devices, or of two versions: said, because it changes what "cleared" means. */
export function differenceLine({ result, before }: Answers): string {
  if (before === undefined) return '';
  const isOther = isOtherDevice(before.result.device, result.device);
  const hasChanged = releaseOf(before.result.software) !== releaseOf(result.software);
  if (isOther)
    return hasChanged ? 'Two devices, on different versions.' : 'Two devices, on the same version.';
  return hasChanged ? 'The same device, on another version.' : 'The same device, on the same version.';
}

/** By its serial number, or else by whatever is known of it. */
function isOtherDevice(one: Device, other: Device): boolean {
  if (one.chassisSerial !== '' && other.chassisSerial !== '')
    return one.chassisSerial !== other.chassisSerial;
  return one.hostname !== other.hostname || one.platform !== other.platform;
}

function releaseOf({ product, version, edition, built }: Software): string {
  return [product, version, edition, built].join('\n');
}

/** What became of one hit of a comparison; or ''. */
export function becameOf({ change, was }: ShownHit, { before, question }: View): string {
  switch (change) {
    case 'new':
      return `New in snapshot ${question.snapshotId}`;
    case 'changed':
      return was === undefined ? '' : `Before: ${importanceOf(was)}`;
    case 'cleared':
      return `Cleared: in snapshot ${before?.snapshotId ?? ''} only`;
    case 'unchanged':
      return 'Unchanged';
    default:
      return '';
  }
}
